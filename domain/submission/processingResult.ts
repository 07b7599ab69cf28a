import {
  closed,
  example,
  id,
  meaning,
  nullable,
  type Of,
  record,
  Share,
  Type,
  text,
} from '../../kernel/schema.ts';

/** A value of one of the types of single values; null where there is none. */
export type CellValue = string | number | boolean | null;
/** A row of a table: its values by the names of its columns. */
export type TableRow = Readonly<Record<string, CellValue>>;

/** How many rows a table may have (tables-3). */
export const MAX_ROWS = 1_000;

/** The value of a field of a workflow, of a table its rows; null where there is none. */
export const FieldValue = Type.Unsafe<CellValue | readonly TableRow[]>({
  type: ['string', 'number', 'boolean', 'null', 'array'],
  maxItems: MAX_ROWS,
  items: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
});
export type FieldValue = Of<typeof FieldValue>;

export const ExtractedData = record(
  FieldValue,
  'the fields of the workflow by name, as corrected; null before processing',
  { company: 'ACME Trading', total: 80.9 },
);

export type ExtractedData = Of<typeof ExtractedData>;

export const FieldConfidences = record(
  Share,
  'how likely each value is right, by field; null before processing',
  { company: 0.97, total: 0.91 },
);

const Length = Type.Number({ exclusiveMinimum: 0 });

/** The size of a page. */
export const PageSize = Type.Object({ width: example(Length, 760), height: example(Length, 1480) });

/** A rectangle on a page, from its top left corner. */
export const Box = Type.Object({
  left: Type.Number(),
  top: Type.Number(),
  right: Type.Number(),
  bottom: Type.Number(),
});
export type Box = Of<typeof Box>;

/** A page of a file. */
export const PagePlace = closed({ fileId: id('fil'), page: Type.Integer({ minimum: 1 }) });
export type PagePlace = Of<typeof PagePlace>;

/** Where a value stands. */
export const Place = Type.Object({
  fileId: id('fil'),
  page: Type.Integer({ minimum: 1 }),
  size: nullable(meaning(PageSize, 'of the page, in pixels or points of a PDF; null for text')),
  box: nullable(meaning(Box, 'around the value, in the units of the size; null for text')),
});
export type Place = Of<typeof Place>;

/** What was read of a cell of a table. */
export const CellResult = Type.Object({
  confidence: meaning(Share, 'how likely the value is right'),
  text: nullable(text('the text that the value was read from')),
  box: nullable(meaning(Box, 'around the value, on the page of its row')),
});

/** What was read of a row of a table. */
export const RowResult = Type.Object({
  place: nullable(meaning(Place, 'around the row')),
  cells: record(CellResult, 'what was read of each cell, by its column'),
});
export type RowResult = Of<typeof RowResult>;

/** What was read of one field. */
export const FieldResult = Type.Object({
  value: FieldValue,
  confidence: meaning(Share, 'how likely the value is right'),
  text: nullable(text('the text that the value was read from')),
  place: nullable(meaning(Place, 'where the value stands; null where that is unknown')),
  rows: Type.Optional(
    Type.Array(RowResult, { description: 'of a table that was found in pages, one for each of its rows' }),
  ),
});
export type FieldResult = Of<typeof FieldResult>;

const found = (value: FieldValue, confidence: number, text: string, box: Box) => ({
  ...{ value, confidence, text },
  place: { fileId: 'fil_01hv6x3m8q2r5t7w9y0a1b2c3d', page: 1, size: { width: 760, height: 1480 }, box },
});

/** A file that was read. */
export const ResultFile = Type.Object({
  fileId: id('fil'),
  fileIndex: Type.Integer({ minimum: 0 }),
  label: example(Type.String(), 'front'),
  fileName: nullable(text('the file’s own name, if the client gave one', 'receipt.jpg')),
});

/** What was read in the files of a submission, and where. */
export const ProcessingResult = Type.Object({
  fields: record(FieldResult, 'what was read of each field, by its name', {
    company: found('ACME Trading', 0.97, 'ACME Trading', { left: 112, top: 80, right: 640, bottom: 131 }),
    total: found(80.9, 0.91, '80.90', { left: 508, top: 1202, right: 640, bottom: 1240 }),
  }),
  pages: Type.Integer({ minimum: 0, description: 'how many pages were read', examples: [1] }),
  files: Type.Array(ResultFile),
});
export type ProcessingResult = Of<typeof ProcessingResult>;
