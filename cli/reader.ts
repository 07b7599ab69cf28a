import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { share } from './arguments.ts';
import { type Command, type Common, group, leaf } from './commandLine.ts';
import { evaluateFolder } from './evaluateFolder.ts';
import { CommandFailed } from './failure.ts';
import { type Columns, createOutput, table } from './output.ts';
import type { PageReading, ReadFile, Runtime } from './runtime.ts';

/** `intake reader …`: the models that pages are read with. */
export const addReaderCommands = (program: Command, runtime: Runtime): void => {
  const reader = group(program, 'reader', 'the models that pages are read with');
  leaf(reader, 'check', 'read a page with the shipped models, and with those of READER_MODELS', [
    'intake reader check',
    'READER_MODELS=./models intake reader check receipt.jpg --json',
  ])
    .argument('[file]', 'a picture or PDF, whose first page is read; without it a page that is made')
    .action(async (path: string | undefined, { json }: Common) => {
      const file = path === undefined ? { label: 'the sample page', content: samplePage() } : fileAt(path);
      const readings = await runtime.checkReader(file);
      await createOutput(json).answer({ file: path ?? null, readings }, () => table(readings, columns));
    });
  leaf(
    reader,
    'evaluate',
    'try a definition on a folder of documents whose truth is known, without a service',
    [
      'intake reader evaluate ./receipts receipt.json',
      'intake reader evaluate ./receipts draft.json --beside receipt.json --json',
    ],
  )
    .argument('<folder>', 'documents, each with its truth beside it: receipt.jpg and receipt.json')
    .argument('<definition>', 'a workflow definition: docs/workflows.md')
    .option('--beside <definition>', 'another one, which it is compared with')
    .option('--max-wrong <share>', 'how much may be wrong of what no person sees', share)
    .action(evaluateFolder(runtime));
};

const columns: Columns<PageReading> = {
  MODELS: ({ models }) => models ?? 'shipped',
  WORDS: ({ words }) => words,
  CONFIDENCE: ({ confidence }) => confidence.toFixed(3),
  MS: ({ durationMs }) => durationMs,
  'PROCESSOR MS': ({ cpuMs }) => cpuMs,
};

const fileAt = (path: string): ReadFile => {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return { label: basename(path), content: path };
  throw new CommandFailed('no-file', `There is no file ${path}.`);
};

/** An invoice of 16 rows, as a PDF in a font that needs no file. */
const samplePage = (): Uint8Array => {
  const rows = Array.from({ length: 16 }, (_, index) => {
    const count = index + 2;
    return `${count} x Article ${1_000 + 37 * index} at 12.50 EUR`.padEnd(42) + (12.5 * count).toFixed(2);
  });
  const lines = ['Northgate Trading Ltd', '88 Mill Road, Leeds LS9 8EQ', 'Invoice 2026-0417', ...rows];
  const text = lines.map((line) => `(${line}) Tj T*`).join(' ');
  const content = `BT /F 12 Tf 22 TL 60 780 Td ${text} ET`;
  return Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj',
      `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
      '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Courier>>endobj',
      'trailer<</Root 1 0 R>>',
      '%%EOF\n',
    ].join('\n'),
  );
};
