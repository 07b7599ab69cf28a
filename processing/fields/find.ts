import type { FieldResult } from '../../domain/submission/processingResult.ts';
import { brokenLength } from '../../domain/textLengths.ts';
import type { OutputField } from '../../domain/workflow.ts';
import { isFreeText } from '../../fieldTypes/all.ts';
import { matching } from '../../schemas/patterns.ts';
import type { Line } from '../page.ts';
import type { Content } from '../read/readFile.ts';
import { type Candidate, candidate, DOUBTFUL, isIllegible, preferFirstFile } from './candidate.ts';
import { candidatesFor } from './candidates.ts';
import type { Converted } from './convert.ts';
import { memberOf } from './jsonMember.ts';
import { labelIndexOf } from './labelIndex.ts';
import { losesMarks } from './lostMarks.ts';
import type { Notation } from './notation.ts';
import { convert } from './readings.ts';
import { isIdentifier } from './typedValue.ts';

const MAX_RUNS = 4_000;

/**
 * Prepares a document for the search of fields. What it returns finds the likeliest value of a field, null
 * when there is none: a member of a JSON document, else the values beside a field's label or by the rules for
 * its role (total, date, company, address), else words that match its pattern. `fields` are all fields of the
 * version, whose labels are no values.
 */
export const finder = (content: Content, notation: Notation, fields: readonly OutputField[]) => {
  const lines = content.pages.flatMap((page) => page.lines);
  const labels = labelIndexOf(lines, fields, notation);
  const pick = picker(notation, losesMarks(lines));
  return (field: OutputField): FieldResult | null =>
    memberOf(field, content.entries, notation) ??
    pick(field, candidatesFor(field, content.pages, lines, labels)) ??
    pick(field, preferFirstFile(byPattern(field, lines)));
};

/** What matches a field's pattern: a word, else two or more, with or without the marks around them. */
const byPattern = (field: OutputField, lines: readonly Line[]): readonly Candidate[] => {
  const pattern = field.validation?.pattern;
  if (pattern === undefined || !isFreeText(field.type)) return [];
  for (let count = 1; count <= MAX_WORDS; count += 1) {
    const runs = lines.flatMap((line) => runsOf(line, count)).slice(0, MAX_RUNS);
    const found = valid(runs, pattern);
    const isOnly = new Set(found.map(({ text }) => text)).size === 1;
    if (found.length > 0)
      return found.map(({ line, words, text }) => candidate(text, isOnly ? 0.85 : 0.5, line, words));
  }
  return [];
};

const MAX_WORDS = 6;

/** Those of some texts that match a pattern. */
const valid = <T extends Readonly<{ text: string }>>(items: readonly T[], pattern: string): readonly T[] => {
  const texts = items.map(({ text }) => text);
  const matched = new Set(matching(pattern, texts));
  return items.filter(({ text }) => matched.has(text));
};

/** So many consecutive words of a line, from each of its words on, as texts. */
const runsOf = (line: Line, count: number) =>
  line.words.flatMap((_, start) => {
    const words = line.words.slice(start, start + count);
    if (words.length < count) return [];
    return spellings(words.map(({ text }) => text)).map((text) => ({ line, words, text }));
  });

/** Words as one text: as they stand, without the marks around them, and without the gaps between them. */
const spellings = (words: readonly string[]): readonly string[] => {
  const text = words.join(' ');
  const bare = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return [...new Set([text, bare, bare.replaceAll(' ', '')])].filter((one) => one !== '');
};

/** Picks the likeliest candidate of a field's type, valid ones before invalid ones. */
const picker =
  (notation: Notation, isWithoutMarks: boolean) =>
  (field: OutputField, candidates: readonly Candidate[]): FieldResult | null => {
    const typed = candidates
      .map((one) => ({ ...one, ...convert(field, one.reads ?? one.text, notation) }))
      .filter(({ value }) => value !== null && value !== '')
      .sort((a, b) => b.rank - a.rank);
    const fitting = firstValid(field, typed) ?? validPartOf(field, typed);
    const picked = fitting ?? typed[0];
    if (!picked) return null;
    const { value, text, place, least } = picked;
    const mayLoseMarks = isWithoutMarks && !isIdentifier(field);
    const most = isFreeText(field.type) && isIllegible(least, text, mayLoseMarks) ? DOUBTFUL : 1;
    const confidence = Math.min(most, fitting ? 1 : INVALID, picked.confidence);
    const doubt = (hasRival(picked, typed) ? RIVALLED : 1) * (picked.isDoubtful ? AMBIGUOUS : 1);
    return { value, confidence: Math.round(confidence * doubt * 1_000) / 1_000, text, place };
  };

/** Whether another candidate, equally likely, differs: "Tax 1.00" and "Tax 2.00". */
const hasRival = (picked: Typed, typed: readonly Typed[]): boolean =>
  typed.some(
    ({ rank, value, text }) =>
      rank >= picked.rank * AS_LIKELY && value !== picked.value && !isPartOf(text, picked.text),
  );

const isPartOf = (one: string, other: string): boolean => {
  const [a, b] = [one.replaceAll(' ', ''), other.replaceAll(' ', '')];
  return a.includes(b) || b.includes(a);
};

const AS_LIKELY = 0.97;
const RIVALLED = 0.75;

const AMBIGUOUS = 0.7;

type Typed = Candidate & Converted;

/** The likeliest part of a candidate that is valid ("GB123" of "ID: GB123"); null where none is. */
const validPartOf = (field: OutputField, typed: readonly Typed[]): Typed | null => {
  if (field.validation?.pattern === undefined) return null;
  const parts = typed.slice(0, MAX_CANDIDATES).flatMap((one) => {
    const words = one.text.split(/[\s:=]+/).slice(0, MAX_PARTS);
    const runs = words.flatMap((_, start) =>
      words.slice(start).flatMap((_, length) => spellings(words.slice(start, start + length + 1))),
    );
    return runs.map((text) => ({ ...one, text, value: text }));
  });
  return firstValid(field, parts);
};

const MAX_CANDIDATES = 10;
const MAX_PARTS = 10;
const INVALID = 0.4;

/** The first candidate that is valid by the field's pattern and lengths. */
const firstValid = (field: OutputField, candidates: readonly Typed[]): Typed | null => {
  if (!isFreeText(field.type)) return candidates[0] ?? null;
  const fitting = candidates.filter(({ text }) => brokenLength(text, field.validation) === null);
  const pattern = field.validation?.pattern;
  return (pattern === undefined ? fitting : valid(fitting, pattern))[0] ?? null;
};
