import type { legibility } from './fields/candidate.ts';
import type { Content } from './read/readFile.ts';
import type { Extracted } from './types.ts';
import type { FoundField } from './understand.ts';

/** The overall confidence and certainty, as the type Extracted defines them. */
export const score = (
  found: readonly FoundField[],
  content: Content,
): Pick<Extracted, 'confidence' | 'certainty'> => {
  const present = found.filter(({ result }) => result.value !== null);
  const required = present.filter(({ field }) => field.required);
  const decisive = required.length > 0 ? required : present;
  const confidence = decisive.length === 0 ? 0 : Math.min(...decisive.map(({ result }) => result.confidence));
  const coverage = found.length === 0 ? 1 : present.length / found.length;
  const words = content.pages.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  return { confidence: round(confidence), certainty: round(coverage * legible(words)) };
};

/** One factual sentence for a reader: what was found, and how much of what was asked for. */
export const summarise = (found: readonly FoundField[]): string => {
  const present = found.filter(({ result }) => result.value !== null);
  const told = present.slice(0, MOST_TOLD).map(({ field, result }) => {
    const value = String(result.value);
    return `${field.label ?? field.name} ${value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value}`;
  });
  const count = `${present.length} of ${found.length} fields found`;
  return told.length === 0 ? `${count}.` : `${told.join(', ')}; ${count}.`;
};

const MOST_TOLD = 4;
const LONGEST = 60;

const legible = (words: Parameters<typeof legibility>[0]): number =>
  words.length === 0 ? 1 : words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;

const round = (value: number): number => Math.round(value * 1_000) / 1_000;
