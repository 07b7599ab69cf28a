import { closed, type Of, oneOf, Share, Type } from '../kernel/schema.ts';

/** The answer of an http extractor that has read the files: a value or null for each field. */
export const ExtractorFound = closed({
  fields: Type.Record(Type.String(), Type.Unknown()),
  confidences: Type.Optional(Type.Record(Type.String(), Share)),
  summary: Type.Optional(Type.String({ maxLength: 2000 })),
});
export type ExtractorFound = Of<typeof ExtractorFound>;

/** Its answer when the files can't be read, or a better picture is needed. */
export const ExtractorRefusal = closed({
  status: oneOf(['failed', 'capture_quality_blocked']),
  reason: Type.String({ maxLength: 1000 }),
});
export type ExtractorRefusal = Of<typeof ExtractorRefusal>;
