import type { OutputField } from '../domain/workflow.ts';
import { escapePointer } from '../kernel/fault.ts';
import { compileForeign } from '../schemas/ajv.ts';
import { type Order, orderOf } from './fields/dates.ts';
import { finder } from './fields/find.ts';
import { mendByRepetition } from './fields/mend.ts';
import type { Content } from './read/readFile.ts';
import { score, summarise } from './score.ts';
import type { Extracted, FieldResult, Finding, ProcessingVersion, Wanted } from './types.ts';

/** Finds a version's fields in what was read, checks them against its schema and says how sure all that is. */
export const understand = (version: ProcessingVersion, read: Content): Extracted => {
  const content = mended(read);
  const order = orderFor(version, content);
  const find = finder(content, order, version.outputSchema);
  const found = version.outputSchema.map((field) => ({ field, result: find(field) ?? NOTHING }));
  return conclude(version, found, content);
};

/** What was found of a version's fields, checked against its schema, and how sure all that is. */
export const conclude = (wanted: Wanted, found: readonly FoundField[], content: Content): Extracted => {
  const values = Object.fromEntries(found.map(({ field, result }) => [field.name, result.value]));
  return {
    kind: 'extracted',
    extractedData: values,
    fieldConfidences: Object.fromEntries(found.map(({ field, result }) => [field.name, result.confidence])),
    ...score(found, content),
    aiSummary: summarise(found),
    result: {
      fields: Object.fromEntries(found.map(({ field, result }) => [field.name, result])),
      pages: content.pages.length,
    },
    findings: findingsOf(wanted, found, values),
  };
};

const mended = ({ pages, entries }: Content): Content => {
  const lines = mendByRepetition(pages.flatMap((page) => page.lines));
  const starts = pages.map((_, index) =>
    pages.slice(0, index).reduce((sum, page) => sum + page.lines.length, 0),
  );
  const own = pages.map((page, index) => {
    const start = starts[index] ?? 0;
    return { ...page, lines: lines.slice(start, start + page.lines.length) };
  });
  return { entries, pages: own };
};

export type FoundField = Readonly<{ field: OutputField; result: FieldResult }>;

/** A field of which nothing was found. */
export const NOTHING: FieldResult = { value: null, confidence: 0, text: null, place: null };

const orderFor = ({ outputSchema }: ProcessingVersion, { pages }: Content): Order => {
  if (outputSchema.some(({ description }) => /\bMM\s?[/.-]\s?DD\b/i.test(description ?? '')))
    return 'month-first';
  return orderOf(pages.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n'));
};

const findingsOf = (
  { outputJsonSchema }: Wanted,
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
