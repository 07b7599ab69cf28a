import type { FieldResult } from '../domain/submission/processingResult.ts';
import type { OutputField } from '../domain/workflow.ts';
import { escapePointer } from '../kernel/fault.ts';
import { compileForeign } from '../schemas/ajv.ts';
import { extractionOf, type FoundField } from './extraction.ts';
import { crossChecked } from './fields/crossChecks.ts';
import type { Order } from './fields/dates.ts';
import { finder } from './fields/find.ts';
import { correctByRepetition } from './fields/misreads.ts';
import { type Notation, notationOf } from './fields/notation.ts';
import { tableFinder } from './fields/table.ts';
import { atMost, type Word, wordsOn } from './page.ts';
import type { Content } from './read/readFile.ts';
import type { Extracted, Finding, ProcessingVersion, VersionFields } from './types.ts';

/** Finds a version's fields in what was read, checks them against its schema, and rates the whole. */
export const understand = (version: ProcessingVersion, read: Content): Extracted => {
  const content = corrected(read);
  const notation = notationFor(version, content);
  const [plain, tables] = [version.outputSchema.filter(isPlain), version.outputSchema.filter(isTable)];
  const find = finder(content, notation, plain);
  const isPartial = content.pages.some(({ doubt }) => doubt);
  const doubted = ({ field, result }: FoundField): FoundField => ({
    field,
    result: isPartial ? atMost(PARTIAL, result) : result,
  });
  const single = crossChecked(plain.map((field) => ({ field, result: find(field) ?? NOTHING })));
  const findTable = tables.length > 0 ? tableFinder(content.pages, notation) : () => null;
  const rows = tables.map((field) => ({ field, result: findTable(field, single) ?? NOTHING }));
  const all = [...single, ...rows].map(doubted);
  const found = version.outputSchema.flatMap((field) => all.find((one) => one.field === field) ?? []);
  return conclude(version, found, content);
};

/** An unread page may have another value than the others, and nobody sees whether an undrawn one shows it. */
const PARTIAL = 0.75;

const isTable = ({ type }: OutputField): boolean => type === 'table';
const isPlain = (field: OutputField): boolean => !isTable(field);

const doubtsIn = ({ pages }: Content): readonly Finding[] =>
  pages.flatMap(({ fileId, number, doubt }) =>
    doubt ? [{ code: doubt, field: null, place: { fileId, page: number } }] : [],
  );

/** A version's fields as found, checked against its schema and rated. */
export const conclude = (
  version: VersionFields,
  found: readonly FoundField[],
  content: Content,
): Extracted => {
  const extraction = extractionOf(found, content.pages.length, summarise(found));
  const findings = [...findingsOf(version, found, extraction.extractedData), ...doubtsIn(content)];
  return { kind: 'extracted', ...extraction, ...rated(found, content), findings };
};

const corrected = ({ pages, entries }: Content): Content => {
  const lines = [...correctByRepetition(pages.flatMap((page) => page.lines))];
  return { entries, pages: pages.map((page) => ({ ...page, lines: lines.splice(0, page.lines.length) })) };
};

/** A field of which nothing was found. */
export const NOTHING: FieldResult = { value: null, confidence: 0, text: null, place: null };

const notationFor = ({ outputSchema, today }: ProcessingVersion, { pages }: Content): Notation => {
  const text = pages.flatMap(({ lines }) => lines.map((line) => line.text)).join('\n');
  const told = DESCRIBED.find(([, order]) =>
    outputSchema.some(({ description }) => order.test(description ?? '')),
  );
  return notationOf(text, today, told?.[0]);
};

/** The orders of dates that a field's description may name. */
const DESCRIBED: readonly (readonly [Order, RegExp])[] = [
  ['month-first', /\bMM\s?[/.-]\s?DD\b/i],
  ['day-first', /\bDD\s?[/.-]\s?MM\b/i],
];

const findingsOf = (
  { outputJsonSchema }: VersionFields,
  found: readonly FoundField[],
  values: Readonly<Record<string, unknown>>,
): readonly Finding[] => {
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  const faults = compileForeign(outputJsonSchema)(present).map(({ pointer }) => pointer.split('/')[1] ?? '');
  return found.flatMap(({ field, result }): readonly Finding[] => {
    const { name, required } = field;
    if (result.value === null && result.text !== null) return [{ code: 'invalid_field', field: name }];
    if (result.value === null) return required ? [{ code: 'missing_required', field: name }] : [];
    return faults.includes(escapePointer(name)) ? [{ code: 'invalid_field', field: name }] : [];
  });
};

/** The overall confidence and certainty, as the type Extracted defines them. */
const rated = (
  found: readonly FoundField[],
  content: Content,
): Pick<Extracted, 'confidence' | 'certainty'> => {
  const present = found.filter(({ result }) => result.value !== null);
  const required = present.filter(({ field }) => field.required);
  const decisive = required.length > 0 ? required : present;
  const confidence = decisive.length === 0 ? 0 : Math.min(...decisive.map(({ result }) => result.confidence));
  const coverage = found.length === 0 ? 1 : present.length / found.length;
  const words = content.pages.flatMap(wordsOn);
  return { confidence: round(confidence), certainty: round(coverage * legible(words)) };
};

/** One sentence for people: what was found, and how many of the fields. */
const summarise = (found: readonly FoundField[]): string => {
  const present = found.filter(({ result }) => result.value !== null);
  const listed = present.slice(0, MAX_LISTED).map(({ field, result }) => {
    const value = Array.isArray(result.value) ? `(${rowsText(result.value.length)})` : String(result.value);
    return `${field.label ?? field.name} ${value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value}`;
  });
  const count = `${present.length} of ${found.length} fields found`;
  return listed.length === 0 ? `${count}.` : `${listed.join(', ')}; ${count}.`;
};

const rowsText = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

const MAX_LISTED = 4;
const MAX_VALUE = 60;

const legible = (words: readonly Word[]): number =>
  words.length === 0 ? 1 : words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;

const round = (value: number): number => Math.round(value * 1_000) / 1_000;
