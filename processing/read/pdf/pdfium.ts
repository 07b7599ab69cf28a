import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import { once } from '../../../kernel/once.ts';
import { Unreadable } from '../../errors.ts';
import type { Coloured, Size } from '../../picture/pixels.ts';

/**
 * Draws a page (from 1) of a PDF to fill a size as far as its shape allows; null where it has no such page.
 * PDFium has the fonts that every PDF may use without bringing them. Throws Unreadable when it is damaged or
 * protected.
 */
export const pdfPicture = (
  label: string,
  bytes: Buffer,
  number: number,
  limits: Size,
): Promise<Coloured | null> =>
  onPage(label, bytes, number, async (page) => {
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const size = fitted({ width: originalWidth, height: originalHeight }, limits);
    const { data } = await page.render({ ...size, scale: 1, render: 'bitmap' });
    return { colours: data, ...size };
  });

/**
 * The text of a page, line by line: PDFium knows the characters of fonts that a PDF names and does not bring.
 */
export const pdfText = async (label: string, bytes: Buffer, number: number): Promise<string> =>
  (await onPage(label, bytes, number, async (page) => page.getText())) ?? '';

/** A picture as a PDF stores it, and the filters that lead to its pixels, first to last. */
export type Stored = Readonly<{
  data: Uint8Array;
  filters: readonly string[];
  width: number;
  height: number;
}>;

/** The pictures that a page draws, also within forms, as they are stored. */
export const pdfPictures = async (
  label: string,
  bytes: Buffer,
  number: number,
): Promise<readonly Stored[]> => {
  const stored = await onPage(label, bytes, number, async (page) => {
    const pictures: Stored[] = [];
    for (const object of page.objects())
      for (const inner of withinForms(object))
        if (inner.type === 'image') pictures.push(await inner.getImageDataRaw());
    return pictures;
  });
  return stored ?? [];
};

type PageObject = ReturnType<PDFiumPage['getObject']>;

/** What the library keeps to itself of an object, and does not offer of forms. */
type Internals = Readonly<{
  objectIdx: number;
  module: Readonly<{
    _FPDFFormObj_CountObjects: (form: number) => number;
    _FPDFFormObj_GetObject: (form: number, index: number) => number;
  }>;
}>;
type Create = (internals: Internals) => PageObject;

/** A form may have itself within. */
const MAX_DEPTH = 8;
const MAX_OBJECTS = 10_000;

/** An object of a page, or those of a form and the forms within. */
const withinForms = (object: PageObject): readonly PageObject[] => {
  const found: PageObject[] = [];
  const look = (one: PageObject, depth: number): void => {
    if (found.length >= MAX_OBJECTS) return;
    if (one.type !== 'form') {
      found.push(one);
      return;
    }
    const form = one as unknown as Internals;
    const { create } = Object.getPrototypeOf(one.constructor) as { create: Create };
    const count = depth < MAX_DEPTH ? form.module._FPDFFormObj_CountObjects(form.objectIdx) : 0;
    for (let index = 0; index < count && found.length < MAX_OBJECTS; index += 1)
      look(
        create({ ...form, objectIdx: form.module._FPDFFormObj_GetObject(form.objectIdx, index) }),
        depth + 1,
      );
  };
  look(object, 0);
  return found;
};

const onPage = async <T>(
  label: string,
  bytes: Buffer,
  number: number,
  work: (page: PDFiumPage) => Promise<T>,
): Promise<T | null> => {
  const library = await startLibrary();
  try {
    const document = await library.loadDocument(bytes);
    return number > document.getPageCount() ? null : await work(document.getPage(number - 1));
  } catch (error) {
    throw new Unreadable(`Page ${number} of "${label}" can't be drawn: download the file.`, { cause: error });
  }
};

/** For each page anew: nothing that one file does to its memory can show in another's picture. */
const startLibrary = async (): Promise<PDFiumLibrary> => {
  const compiled = await compiledLibrary();
  return PDFiumLibrary.init({
    instantiateWasm: (imports, started) => {
      const instance = new WebAssembly.Instance(compiled, imports);
      started(instance);
      return instance.exports;
    },
  });
};

/** What the types of Node.js leave out. */
declare const WebAssembly: Readonly<{
  compile: (bytes: Uint8Array) => Promise<object>;
  Instance: new (compiled: object, imports: object) => Readonly<{ exports: object }>;
}>;

/** To compile it takes longer than to draw a page. */
const compiledLibrary = once(async () =>
  WebAssembly.compile(await readFile(fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm')))),
);

/** In whole pixels, at least one each way. */
const fitted = (page: Size, limits: Size): Size => {
  if (!(page.width > 0 && page.height > 0)) throw new Error('the page has no size');
  const scale = Math.min(limits.width / page.width, limits.height / page.height);
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  return { width: side(page.width), height: side(page.height) };
};
