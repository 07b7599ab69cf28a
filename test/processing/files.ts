import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usualQuality } from '../../domain/pictureQuality.ts';
import type { OutputField, PictureQuality } from '../../domain/workflow.ts';
import { createProcessor, type Processor } from '../../processing/engine/processor.ts';
import type { InputFile, ProcessingVersion } from '../../processing/types.ts';
import { outputField } from '../controls/workflow.ts';
import { atEnd } from '../harness.ts';

/** The sample documents that are committed with the project. */
export const SAMPLES = join(import.meta.dirname, '../../../scripts/samples');

let shared: Processor | undefined;

/**
 * One processor, with one child, for the test files of this process that end no child: to start what
 * recognises text takes longer than to read a page. It closes by itself at the end.
 */
export const sharedProcessor = (): Processor => {
  if (shared) return shared;
  const processor = createProcessor({ concurrency: 1 });
  atEnd(() => processor.close());
  shared = processor;
  return processor;
};

/** A folder for a test's files, to be removed after it. */
export const fileFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'intake-processing-'));
  let count = 0;
  return {
    /** A file with these bytes, labelled "front". */
    file: async (bytes: Buffer | string, mimeType: string | null): Promise<InputFile> => {
      count += 1;
      const path = join(folder, String(count));
      await writeFile(path, bytes);
      return { fileId: `fil_${count}`, label: 'front', mimeType, content: path };
    },
    remove: () => rm(folder, { recursive: true }),
  };
};

const receipt = [
  outputField('company', { label: 'Company' }),
  outputField('date', { label: 'Date', type: 'date' }),
  outputField('address', { label: 'Address', required: false }),
  outputField('total', { label: 'Total', type: 'number' }),
];

/** For documents without pictures. */
export const noRecogniser = {
  recognise: () => Promise.reject(new Error('there is nothing to recognise')),
};

/** How the tests' documents are read, where they don't tell. */
export const notation = {
  order: 'day-first',
  decimalMark: null,
  decimals: null,
  today: '2026-11-28',
} as const;

/** A version that asks for the fields of a receipt, or for others. */
export const versionOf = (
  outputSchema: readonly OutputField[] = receipt,
  extractor: 'document' | 'json' = 'document',
  quality: Partial<PictureQuality> = {},
): ProcessingVersion => ({
  outputSchema,
  outputJsonSchema: {
    type: 'object',
    properties: Object.fromEntries(
      outputSchema.map(({ name, validation }) => [
        name,
        validation?.pattern ? { pattern: validation.pattern } : {},
      ]),
    ),
  },
  acceptedFormats: ['image/jpeg', 'image/png', 'application/pdf', 'text/plain', 'application/json'],
  extractor,
  today: notation.today,
  quality: { ...usualQuality, ...quality },
});

/**
 * A PDF of one page whose content stream holds these bytes, stored by a filter when one is named; `page` is
 * what else its page says, its font is one that every reader has; `more` objects have the numbers from 6 on.
 */
export const pdfWith = (
  content: Buffer,
  filter = '',
  page = '',
  font = 'Courier',
  more: readonly string[] = [],
  catalogue = '<< /Type /Catalog /Pages 2 0 R >>',
): Buffer => {
  const objects = [
    Buffer.from(catalogue),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 500] ${page} /Contents 5 0 R ${page.includes('/Resources') ? '' : RESOURCES} >>`,
    ),
    Buffer.from(`<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`),
    pdfStream(filter, content),
    ...more.map((object) => Buffer.from(object)),
  ];
  return pdfOfObjects(objects);
};

const RESOURCES = '/Resources << /Font << /F1 4 0 R >> >>';

/** A stream of a PDF: what its dictionary says, and its data. */
export const pdfStream = (about: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${data.length} ${about} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);

/** A PDF of these objects, of which the first is the catalogue. */
export const pdfOfObjects = (objects: readonly Buffer[]): Buffer => {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(Buffer.concat(parts).length);
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
  }
  const start = Buffer.concat(parts).length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
};
