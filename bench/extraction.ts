import { readFile } from 'node:fs/promises';
import { outputJsonSchemaOf } from '../domain/outputJsonSchema.ts';
import type { OutputField } from '../domain/workflow.ts';
import { convert } from '../processing/fields/convert.ts';
import { createProcessor, type Processor } from '../processing/process.ts';
import type { ProcessingVersion } from '../processing/types.ts';
import { withDefaults } from '../schemas/workflowDefinition.ts';
import { RECEIPT_WORKFLOW, type Scan, scansIn } from './scans.ts';

/** What `npm run bench -- --help` says of this. */
export const summary =
  'reads a folder of scans without the service: each field, and how far its confidence can be trusted';

type Row = Readonly<{
  file: string;
  ended: string;
  fields: readonly Readonly<{ name: string; found: string; truth: string; confidence: number }>[];
}>;

/** Prints what was found beside what is true, the share found a field, and how often a confidence of 0.9 or more was right. */
export const run = async ([folder]: readonly string[]): Promise<boolean> => {
  const scans = await scansIn(folder);
  const version = await receiptVersion();
  const processor = createProcessor();
  try {
    const start = performance.now();
    const rows = await Promise.all(scans.map((scan) => measure(processor, version, scan)));
    for (const row of rows) print(report(row));
    print(totals(version, rows, performance.now() - start));
    return true;
  } finally {
    await processor.close();
  }
};

const receiptVersion = async (): Promise<ProcessingVersion> => {
  const { outputSchema, upload } = withDefaults(JSON.parse(await readFile(RECEIPT_WORKFLOW, 'utf8')));
  const outputJsonSchema = outputJsonSchemaOf(outputSchema);
  return { outputSchema, outputJsonSchema, acceptedFormats: upload.acceptedFormats, extractor: 'document' };
};

const measure = async (processor: Processor, version: ProcessingVersion, scan: Scan): Promise<Row> => {
  const { name, path, truth } = scan;
  const file = { fileId: name, label: name, mimeType: 'image/jpeg', path };
  const outcome = await processor.process(version, [file], new AbortController().signal);
  if (outcome.kind !== 'extracted') return { file: name, ended: outcome.reason, fields: [] };
  const fields = version.outputSchema.map((field) => ({
    name: field.name,
    found: comparable(field, String(outcome.extractedData[field.name] ?? '')),
    truth: comparable(field, truth[field.name] ?? ''),
    confidence: outcome.fieldConfidences[field.name] ?? 0,
  }));
  return { file: name, ended: 'extracted', fields };
};

/** Values as they are compared: dates and amounts as such, texts without case, spaces and punctuation. */
const comparable = ({ type }: OutputField, text: string): string => {
  if (type !== 'string') return String(convert(type, text, 'day-first') ?? '');
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
};

const report = ({ file, ended, fields }: Row): string =>
  [
    `${file} ${ended}`,
    ...fields.map(({ name, found, truth, confidence }) => {
      const beside = found === truth ? '' : `  (true: ${truth})`;
      return `  ${found === truth ? 'ok ' : '-- '} ${name.padEnd(8)} ${confidence.toFixed(2)}  ${found}${beside}`;
    }),
  ].join('\n');

const totals = ({ outputSchema }: ProcessingVersion, rows: readonly Row[], ms: number): string => {
  const all = rows.flatMap(({ fields }) => fields);
  const right = (fields: typeof all): number => fields.filter(({ found, truth }) => found === truth).length;
  const share = outputSchema.map(({ name }) => {
    const hits = right(all.filter((field) => field.name === name));
    return `${name} ${percent(hits, rows.length)}`;
  });
  const sure = all.filter(({ confidence }) => confidence >= 0.9);
  return [
    `${rows.length} pages, ${(ms / rows.length / 1_000).toFixed(2)} s a page`,
    `found: ${share.join(', ')}`,
    `of ${sure.length} fields with confidence 0.9 and more, ${percent(right(sure), sure.length)} are right`,
  ].join('\n');
};

const percent = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${Math.round((100 * part) / whole)} % (${part}/${whole})`;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
