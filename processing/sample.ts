import type { Extraction } from '../domain/submission/result.ts';
import type { OutputField } from '../domain/workflow.ts';
import { fieldTypes } from '../fieldTypes/all.ts';
import type { Question, Verdict } from '../schemas/patterns.ts';
import { extractionOf } from './extraction.ts';

/**
 * Made-up data of a version's fields, for submissions in test mode whose outcome is forced and whose files
 * are not read: of the right types, all with one confidence. A text is null where no sample matches its
 * field's validation in time.
 */
export const sampleExtraction = async (
  fields: readonly OutputField[],
  confidence: number,
  matchPatterns: (questions: readonly Question[]) => Promise<readonly Verdict[]>,
): Promise<Extraction> => {
  const texts = await sampleTexts(fields, matchPatterns);
  const found = fields.map((field) => {
    const value = fieldTypes[field.type].example ?? texts.get(field.name) ?? null;
    const text = value === null ? null : String(value);
    return { field, result: { value, confidence: value === null ? 0 : confidence, text, place: null } };
  });
  return extractionOf(found, 1, 'Made-up data: the outcome of this test submission was forced.');
};

/** The longest text that is made up. */
const MAX_LENGTH = 200;

const TEXTS = ['INV-1001', 'ABC123', 'ABC-123', 'AB', 'ABC', 'EUR', 'a@example.com', 'https://example.com/'];
const DIGITS = Array.from({ length: 20 }, (_, index) => '12345678901234567890'.slice(0, index + 1));

/** By field's name, the first text that matches the field's validation. */
const sampleTexts = async (
  fields: readonly OutputField[],
  matchPatterns: (questions: readonly Question[]) => Promise<readonly Verdict[]>,
): Promise<ReadonlyMap<string, string>> => {
  const candidates = fields.flatMap((field) =>
    fieldTypes[field.type].example === null ? candidatesOf(field) : [],
  );
  const questions = candidates.flatMap(({ question }) => question ?? []);
  const verdicts = await matchPatterns(questions);
  const matched = new Set(questions.filter((_, index) => verdicts[index] === 'matches'));
  const kept = candidates.filter(({ question }) => question === null || matched.has(question));
  // In a map, the last of one name stands.
  return new Map(kept.reverse().map(({ name, text }) => [name, text]));
};

type Candidate = Readonly<{ name: string; text: string; question: Question | null }>;

/** Texts of the right length, the likeliest first; with a question where the field has a pattern. */
const candidatesOf = ({ name, label, validation }: OutputField): readonly Candidate[] => {
  const { pattern, minLength = 0, maxLength = MAX_LENGTH } = validation ?? {};
  if (minLength > MAX_LENGTH) return [];
  const own = `Sample ${label ?? name}`.padEnd(minLength, '.').slice(0, maxLength);
  return [own, ...TEXTS, ...DIGITS]
    .filter((text) => text.length >= minLength && text.length <= maxLength)
    .map((text) => ({ name, text, question: pattern === undefined ? null : { pattern, text } }));
};
