import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
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
): Promise<Coloured | null> => onPage(label, bytes, number, (page) => drawn(page, limits));

/** A page as it is drawn: all of it, and all but the text of its content; both of one size. */
export type Sight = Readonly<{ all: Coloured; ground: Coloured }>;

/**
 * Draws pages (from 1) of one PDF with and without their text to fill a size; null for one that can't be
 * drawn so. It is opened once, with the first.
 */
export const pdfSights = (bytes: Buffer): ((number: number, limits: Size) => Promise<Sight | null>) => {
  const opened = once(() => openDocument(bytes));
  return async (number, limits) => {
    try {
      const document = await opened();
      const all = await drawn(document.getPage(number - 1), limits);
      const page = document.getPage(number - 1);
      return hideText(page) ? { all, ground: await drawn(page, limits) } : null;
    } catch {
      return null;
    }
  };
};

const drawn = async (page: PDFiumPage, limits: Size): Promise<Coloured> => {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const size = fitted({ width: originalWidth, height: originalHeight }, limits);
  const { data } = await page.render({ ...size, scale: 1, render: 'bitmap', renderFormFields: true });
  return { colours: data, ...size };
};

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

/** What the library does not offer of forms and texts. */
type Module = Readonly<{
  _FPDFPage_CountObjects: (page: number) => number;
  _FPDFPage_GetObject: (page: number, index: number) => number;
  _FPDFPageObj_GetType: (object: number) => number;
  _FPDFPageObj_SetIsActive: (object: number, isActive: 0 | 1) => number;
  _FPDFFormObj_CountObjects: (form: number) => number;
  _FPDFFormObj_GetObject: (form: number, index: number) => number;
}>;
/** What it keeps to itself of an object, and of a page. */
type Internals = Readonly<{ objectIdx: number; module: Module }>;
type PageInternals = Readonly<{ pageIdx: number; module: Module }>;
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

const TEXT = 1;
const FORM = 5;
/** A page of letters that are placed one by one has some thousands. */
const MAX_LOOKED_AT = 200_000;

/** Leaves the text of a page, also within forms, out of what is drawn; false for too many objects. */
const hideText = (page: PDFiumPage): boolean => {
  const { module, pageIdx } = page as unknown as PageInternals;
  let count = 0;
  const hide = (object: number, depth: number): void => {
    count += 1;
    const type = module._FPDFPageObj_GetType(object);
    if (type === TEXT) module._FPDFPageObj_SetIsActive(object, 0);
    const inner = type === FORM && depth < MAX_DEPTH ? module._FPDFFormObj_CountObjects(object) : 0;
    for (let index = 0; index < inner && count < MAX_LOOKED_AT; index += 1)
      hide(module._FPDFFormObj_GetObject(object, index), depth + 1);
  };
  const objects = module._FPDFPage_CountObjects(pageIdx);
  for (let index = 0; index < objects && count < MAX_LOOKED_AT; index += 1)
    hide(module._FPDFPage_GetObject(pageIdx, index), 0);
  return count < MAX_LOOKED_AT;
};

const onPage = async <T>(
  label: string,
  bytes: Buffer,
  number: number,
  work: (page: PDFiumPage) => Promise<T>,
): Promise<T | null> => {
  try {
    const document = await openDocument(bytes);
    return number > document.getPageCount() ? null : await work(document.getPage(number - 1));
  } catch (error) {
    throw new Unreadable(`Page ${number} of "${label}" can't be drawn: download the file.`, { cause: error });
  }
};

/** In a library of its own: nothing that one file does to its memory can show in another's picture. */
const openDocument = async (bytes: Buffer): Promise<PDFiumDocument> => {
  const compiled = await compiledLibrary();
  const library = await PDFiumLibrary.init({
    instantiateWasm: (imports, started) => {
      const instance = new WebAssembly.Instance(compiled, imports);
      started(instance);
      return instance.exports;
    },
  });
  return library.loadDocument(bytes);
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
