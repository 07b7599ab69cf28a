import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Line, lineOf, type Page, type Sheet, type Word } from '../page.ts';
import { mapBox } from '../picture/affine.ts';
import type { Prepared } from './image.ts';

/** Recognises the text of prepared pictures, one at a time; its engine starts with the first. */
export type Recogniser = Readonly<{
  /** The lines of a picture, with boxes in the pixels of the picture that it was made of; a picture without text gives no lines. */
  recognise(picture: Prepared, fileId: string, page: number): Promise<Page>;
}>;

/** A recogniser with an engine of its own, in a thread that ends with the process. */
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

/** Where the engine finds its language data. Without langPath it asks the network for them, and waits for ever where there is none. */
export const LANGUAGE_DATA = {
  langPath: join(
    dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
    '4.0.0_best_int',
  ),
  gzip: true,
  cacheMethod: 'none',
} as const;

/**
 * Code of the engine is optimised once it has run five times as much as V8 waits for by default: what a page hardly needs is not worth it. A page takes a
 * seventh less processor time, the first as the eighth.
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
