import type { KnownDocument } from '../cli/runtime.ts';
import { type Comparison, compare } from '../domain/evaluation/judge.ts';
import type { ExtractedData, FieldValue } from '../domain/submission/processingResult.ts';
import type { OutputField, WorkflowDefinition } from '../domain/workflow.ts';
import { systemClock } from '../kernel/clock.ts';
import { createProcessor } from '../processing/engine/processor.ts';
import { notationOf } from '../processing/fields/notation.ts';
import { convert } from '../processing/fields/readings.ts';
import { readingOf } from '../processing/readAgain.ts';
import { readByDefinition, todayBy } from '../processing/readByDefinition.ts';

/**
 * Reads documents whose truth is known by two definitions, one after the other in a child process of the
 * lowest priority, and compares. Nothing is kept. Throws TransientFailure, and the signal's reason.
 */
export const evaluateFolder = async (
  documents: readonly KnownDocument[],
  { before, after }: Readonly<{ before: WorkflowDefinition; after: WorkflowDefinition }>,
  modelFolder: string | null,
  onRead: () => void,
  signal: AbortSignal,
): Promise<readonly Comparison[]> => {
  const clock = systemClock;
  const processor = createProcessor({ modelFolder, nice: 19 });
  const read = async ({ label, content, mimeType }: KnownDocument, definition: WorkflowDefinition) => {
    const file = { fileId: label, label, content, mimeType };
    return readingOf(await readByDefinition({ processor, clock }, definition, [file], signal), definition);
  };
  const comparisons: Comparison[] = [];
  try {
    for (const document of documents) {
      const then = await read(document, before);
      const now = before === after ? then : await read(document, after);
      const truth = valuesOf(document.truth, after.outputSchema, todayBy({ clock }));
      const named = { submissionId: document.label, version: 0, isChecked: true };
      comparisons.push(compare({ ...named, truth, then, now }));
      onRead();
    }
    return comparisons;
  } finally {
    await processor.close();
  }
};

/** What is true of the fields of a definition; a text is read as the field's type, as on a document. */
const valuesOf = (
  truth: Readonly<Record<string, unknown>>,
  fields: readonly OutputField[],
  today: string,
): ExtractedData => {
  const known = fields.filter(({ name }) => Object.hasOwn(truth, name));
  return Object.fromEntries(known.map((field) => [field.name, valueIn(field, truth[field.name], today)]));
};

const valueIn = (field: OutputField, given: unknown, today: string): FieldValue => {
  if (typeof given !== 'string' || field.type === 'string') return given as FieldValue;
  return convert(field, given, notationOf(given, today, 'day-first')).value;
};
