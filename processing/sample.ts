import type { CellValue } from '../domain/submission/processingResult.ts';
import type { Extraction } from '../domain/submission/result.ts';
import type { OutputColumn, OutputField } from '../domain/workflow.ts';
import { fieldTypes } from '../fieldTypes/all.ts';
import type { Question, Verdict } from '../schemas/patterns.ts';
import { extractionOf } from './extraction.ts';

/**
 * Made-up data of a version's fields, for submissions in test mode whose outcome is forced and whose files
 * are not read: of the right types, all with one confidence, tables of one row. A text is null where no
 * sample matches its field's validation in time.
 */
export const sampleExtraction = async (
  fields: readonly OutputField[],
  confidence: number,
  matchPatterns: (questions: readonly Question[]) => Promise<readonly Verdict[]>,
): Promise<Extraction> => {
  const texts = await sampleTexts(plainIn(fields), matchPatterns);
  const sampleOf = (field: Plain): CellValue => fieldTypes[field.type].example ?? texts.get(field) ?? null;
  const found = fields.map((field) => {
    const { columns } = field;
    const value = columns
      ? [Object.fromEntries(columns.map((column) => [column.name, sampleOf(column)]))]
      : sampleOf(field);
    const text = value === null || columns ? null : String(value);
    return { field, result: { value, confidence: value === null ? 0 : confidence, text, place: null } };
  });
  return extractionOf(found, 1, 'Made-up data: the outcome of this test submission was forced.');
};

/** The longest text that is made up. */
const MAX_LENGTH = 200;

const TEXTS = ['INV-1001', 'ABC123', 'ABC-123', 'AB', 'ABC', 'EUR', 'a@example.com', 'https://example.com/'];
const DIGITS = Array.from({ length: 20 }, (_, index) => '12345678901234567890'.slice(0, index + 1));

/** The fields and columns with single values. */
const plainIn = (fields: readonly OutputField[]): readonly Plain[] =>
  fields.flatMap((field): readonly Plain[] => field.columns ?? [field]);

/** By field or column, the first text that matches the field's validation. */
const sampleTexts = async (
  fields: readonly Plain[],
  matchPatterns: (questions: readonly Question[]) => Promise<readonly Verdict[]>,
): Promise<ReadonlyMap<Plain, string>> => {
  const candidates = fields.flatMap((field) =>
    fieldTypes[field.type].example === null ? candidatesOf(field) : [],
  );
  const questions = candidates.flatMap(({ question }) => question ?? []);
  const verdicts = await matchPatterns(questions);
  const matched = new Set(questions.filter((_, index) => verdicts[index] === 'matches'));
  const kept = candidates.filter(({ question }) => question === null || matched.has(question));
  // In a map, the last of one field stands.
  return new Map(kept.reverse().map(({ field, text }) => [field, text]));
};

type Plain = OutputField | OutputColumn;
type Candidate = Readonly<{ field: Plain; text: string; question: Question | null }>;

/** Texts of the right length, the likeliest first; with a question where the field has a pattern. */
const candidatesOf = (field: Plain): readonly Candidate[] => {
  const { name, label, validation } = field;
  const { pattern, minLength = 0, maxLength = MAX_LENGTH } = validation ?? {};
  if (minLength > MAX_LENGTH) return [];
  const own = `Sample ${label ?? name}`.padEnd(minLength, '.').slice(0, maxLength);
  return [own, ...TEXTS, ...DIGITS]
    .filter((text) => text.length >= minLength && text.length <= maxLength)
    .map((text) => ({ field, text, question: pattern === undefined ? null : { pattern, text } }));
};
