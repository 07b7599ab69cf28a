import { closed, type Of, oneOf, Share, Type } from '../kernel/schema.ts';

/**
 * What an http extractor answers with that has read the files: a value or null for each field that it looked
 * for.
 */
export const ExtractorFound = closed({
  fields: Type.Record(Type.String(), Type.Unknown()),
  confidences: Type.Optional(Type.Record(Type.String(), Share)),
  summary: Type.Optional(Type.String({ maxLength: 2000 })),
});
export type ExtractorFound = Of<typeof ExtractorFound>;

/** What it answers with when the files can't be read, or a better picture would do. */
export const ExtractorRefusal = closed({
  status: oneOf(['failed', 'capture_quality_blocked']),
  reason: Type.String({ maxLength: 1000 }),
});
export type ExtractorRefusal = Of<typeof ExtractorRefusal>;
