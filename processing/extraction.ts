import type { FieldResult } from '../domain/submission/processingResult.ts';
import type { OutputField } from '../domain/workflow.ts';

// A file of its own: the service makes up data with it, and loads nothing that reads documents.

export type FoundField = Readonly<{ field: OutputField; result: FieldResult }>;

/** Fields as they are stored and answered; whoever knows the names of the files adds them. */
export const extractionOf = (found: readonly FoundField[], pages: number, aiSummary: string) => {
  const byName = <T>(of: (result: FieldResult) => T) =>
    Object.fromEntries(found.map(({ field, result }) => [field.name, of(result)]));
  return {
    extractedData: byName(({ value }) => value),
    fieldConfidences: byName(({ confidence }) => confidence),
    aiSummary,
    result: { fields: byName((result) => result), pages, files: [] },
  };
};
