import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Line, lineOf, type Page, type Sheet, type Word } from '../page.ts';
import { type Affine, mapBox } from '../picture/affine.ts';
import type { Size } from '../picture/pixels.ts';

/** A PNG prepared for recognition; `back` maps its pixels to those of its original, of this size. */
export type Prepared = Readonly<{ png: Buffer; back: Affine; size: Size }>;

/** Recognises the text of prepared pictures, one at a time; its engine starts with the first. */
export type Recogniser = Readonly<{
  /** The lines of a picture, with boxes in the pixels of its original; none without text. */
  recognise(picture: Prepared, fileId: string, page: number): Promise<Page>;
}>;

/** A recogniser with its own engine, in a thread that ends with the process. */
export const createRecogniser = (): Recogniser => {
  let engine: ReturnType<typeof startEngine> | null = null;
  return {
    recognise: async (picture, fileId, number) => {
      engine ??= startEngine();
      const { data } = await (await engine).recognize(picture.png, {}, { blocks: true, text: false });
      const sheet = { fileId, page: number, size: picture.size };
      const lines = (data.blocks ?? []).flatMap(({ paragraphs }, block) =>
        paragraphs.flatMap((paragraph) =>
          paragraph.lines.map(({ words }) => readLine(words, picture, sheet, block)),
        ),
      );
      return { fileId, number, lines };
    },
  };
};

/** The engine's language data. Without langPath it requests them over the network, or hangs for ever. */
export const LANGUAGE_DATA = {
  langPath: join(
    dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
    '4.0.0_best_int',
  ),
  gzip: true,
  cacheMethod: 'none',
} as const;

/**
 * V8 optimises the engine's code after five times as many runs as by default: to optimise what a page hardly
 * uses costs more than it saves. Each page takes a seventh less processor time.
 */
const FEWER_OPTIMISATIONS = '--wasm-tiering-budget=10000000';

const startEngine = async () => {
  setFlagsFromString(FEWER_OPTIMISATIONS);
  const { createWorker, OEM, PSM } = await import('tesseract.js');
  const worker = await createWorker('eng', OEM.LSTM_ONLY, LANGUAGE_DATA);
  await worker.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_BLOCK });
  return worker;
};

type Recognised = Readonly<{
  text: string;
  confidence: number;
  bbox: Readonly<{ x0: number; y0: number; x1: number; y1: number }>;
}>;

const readLine = (
  words: readonly Recognised[],
  { back, size }: Prepared,
  sheet: Sheet,
  block: number,
): Line => {
  const read = ({ text, confidence, bbox: { x0, y0, x1, y1 } }: Recognised): Word => ({
    text,
    confidence: Math.min(1, Math.max(0, confidence / 100)),
    box: mapBox(back, { left: x0, top: y0, right: x1, bottom: y1 }, size),
  });
  return lineOf(words.map(read), sheet, block);
};
