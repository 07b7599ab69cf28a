import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { convert } from '../processing/fields/convert.ts';
import { createProcessor } from '../processing/process.ts';
import type { OutputField, ProcessingVersion } from '../processing/types.ts';

const FIELDS: readonly OutputField[] = [
  { name: 'company', label: 'Company', required: true, type: 'string' },
  { name: 'date', label: 'Date', required: true, type: 'date' },
  { name: 'address', label: 'Address', required: false, type: 'string' },
  { name: 'total', label: 'Total', required: true, type: 'number' },
];

const VERSION: ProcessingVersion = {
  outputSchema: FIELDS,
  outputJsonSchema: { type: 'object' },
  acceptedFormats: ['image/jpeg'],
  processing: { extractor: 'document', review: 'auto', reviewBelow: 0.8 },
};

type Truth = Readonly<Record<string, string>>;
type Row = Readonly<{
  file: string;
  ms: number;
  ended: string;
  fields: readonly Readonly<{ name: string; found: string; truth: string; confidence: number }>[];
}>;

/**
 * Reads every picture of a folder (`PATH/003.jpg` with its truth in `PATH/003.json`) and prints what was found beside
 * what is true, the share found a field, and how often a confidence of 0.9 or more was right.
 */
export const run = async ([folder]: readonly string[]): Promise<void> => {
  if (!folder) throw new Error('which folder? npm run bench -- extraction PATH');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).sort();
  const processor = createProcessor();
  try {
    const start = performance.now();
    const rows = await Promise.all(names.map((name) => measure(processor, folder, basename(name, '.jpg'))));
    for (const row of rows) print(report(row));
    print(summary(rows, performance.now() - start));
  } finally {
    await processor.close();
  }
};

type Processor = ReturnType<typeof createProcessor>;

const measure = async (processor: Processor, folder: string, name: string): Promise<Row> => {
  const truth: Truth = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
  const path = join(folder, `${name}.jpg`);
  const file = { fileId: name, fileIndex: 0, label: name, mimeType: 'image/jpeg', path };
  const start = performance.now();
  const outcome = await processor.process(VERSION, [file], new AbortController().signal);
  const ms = performance.now() - start;
  if (outcome.kind !== 'extracted') return { file: name, ms, ended: outcome.reason, fields: [] };
  const fields = FIELDS.map((field) => ({
    name: field.name,
    found: comparable(field, String(outcome.extractedData[field.name] ?? '')),
    truth: comparable(field, truth[field.name] ?? ''),
    confidence: outcome.fieldConfidences[field.name] ?? 0,
  }));
  return { file: name, ms, ended: 'extracted', fields };
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

const summary = (rows: readonly Row[], ms: number): string => {
  const all = rows.flatMap(({ fields }) => fields);
  const right = (fields: typeof all): number => fields.filter(({ found, truth }) => found === truth).length;
  const share = FIELDS.map(({ name }) => {
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
