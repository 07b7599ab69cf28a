import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { createWorker } from 'tesseract.js';
import type { OutputField } from '../../domain/workflow.ts';
import { comparable, type Judged, judge } from './judge.ts';
import type { Scan } from './scans.ts';

/** The engine's language data. Without langPath it requests them over the network, or hangs for ever. */
const LANGUAGE_DATA = {
  langPath: join(
    dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
    '4.0.0_best_int',
  ),
  gzip: true,
  cacheMethod: 'none',
} as const;
const WIDTH = 1_200;
const DATE = /\d{1,4}[/.-](?:\d{1,2}|[A-Za-z]{3})[/.-]\d{2,4}/;
const AMOUNT = /\d+[.,]\d{2}/g;

/**
 * What plain recognition and the first match of a naive rule make of a scan; `present` are the fields whose
 * true value is in the text at all.
 */
export type Plain = Readonly<{ judged: readonly Judged[]; present: readonly string[]; seconds: number }>;

/** Recognition by Tesseract (grey, 1,200 pixels wide, nothing else done); `close` ends its engine. */
export const createYardstick = async () => {
  const worker = await createWorker('eng', undefined, LANGUAGE_DATA);
  return {
    read: async ({ path, truth }: Scan, fields: readonly OutputField[]): Promise<Plain> => {
      const started = performance.now();
      const picture = await sharp(path).flatten().greyscale().resize({ width: WIDTH }).png().toBuffer();
      const { text } = (await worker.recognize(picture)).data;
      const seconds = (performance.now() - started) / 1_000;
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      const named = fields.filter(({ name }) => truth[name] !== undefined);
      return {
        judged: named.map((field) => judge(field, firstMatch(field, lines), truth[field.name] ?? '', 0)),
        present: named
          .filter((field) => holds(field, lines, truth[field.name] ?? ''))
          .map(({ name }) => name),
        seconds,
      };
    },
    close: async (): Promise<void> => void (await worker.terminate()),
  };
};

/**
 * The first line, the two after it, the first date, the amount of the first line with the field's name.
 */
const firstMatch = ({ name, type }: OutputField, lines: readonly string[]): string | null => {
  if (type === 'date') return lines.join('\n').match(DATE)?.[0] ?? null;
  const matching = lines.filter((line) => line.toLowerCase().includes(name.toLowerCase()));
  if (type !== 'string') return matching.flatMap((line) => line.match(AMOUNT)?.at(-1) ?? [])[0] ?? null;
  if (name === 'company') return lines[0] ?? null;
  if (name === 'address') return lines.slice(1, 3).join(' ');
  return matching[0]?.slice(matching[0].toLowerCase().indexOf(name.toLowerCase()) + name.length) ?? null;
};

const holds = (field: OutputField, lines: readonly string[], truth: string): boolean => {
  const value = comparable(field, truth);
  if (field.type === 'string') return comparable(field, lines.join('')).includes(value);
  const candidates = lines.flatMap(
    (line) => line.match(field.type === 'date' ? /\S+(?: \S+ \S+)?/g : /[\d.,]+/g) ?? [],
  );
  return candidates.some((candidate) => comparable(field, candidate) === value);
};
