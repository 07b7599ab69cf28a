import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { PoorPicture, Unreadable } from '../errors.ts';
import { contentBox } from './contentBox.ts';
import type { RawPicture } from './pdf.ts';

const MOST_PIXELS = 80_000_000;
const MOST_PAGES = 30;
const SMALLEST_SIDE = 100;
const WIDTH = 1_200;
const PIXELS_FOR_OCR = 6_000_000;
const THUMBNAIL = 200;
const SHRINK = 8;
const MEDIAN = 9;
const PAPER = 215;
// Letters that touch the edge are misread.
const BORDER = 20;

// One thread and no cache: pictures are read beside the service, on its cores and in its memory.
sharp.concurrency(1);
sharp.cache(false);

/** How many pages a picture file has. Throws Unreadable when it can't be opened, PoorPicture when it is tiny. */
export const countPages = async (label: string, bytes: Buffer): Promise<number> => {
  const { width, height, pages = 1 } = await guarded(label, () => sharp(bytes, options(0)).metadata());
  if (width * height > MOST_PIXELS) throw tooLarge(label);
  if (Math.min(width, height) < SMALLEST_SIDE)
    throw new PoorPicture(
      `"${label}" is only ${width} x ${height} pixels: take a larger picture of the document.`,
    );
  if (pages > MOST_PAGES)
    throw new Unreadable(`"${label}" has ${pages} pages, at most ${MOST_PAGES} are read: split it up.`);
  return pages;
};

/**
 * One page (from 0) of a picture made ready for recognition: upright, grey, trimmed to its content, evenly lit and
 * scaled to 1,200 pixels wide, as a PNG. Throws Unreadable when it is damaged, cut off or too large.
 */
export const preparePicture = (label: string, bytes: Buffer, page: number): Promise<Buffer> =>
  guarded(label, () => prepare(sharp(bytes, options(page)).autoOrient()));

/** As preparePicture, for a picture that was embedded in a PDF. */
export const prepareRaw = (label: string, { data, width, height, channels }: RawPicture): Promise<Buffer> => {
  if (width * height > MOST_PIXELS) throw tooLarge(label);
  return guarded(label, () => prepare(sharp(data, { raw: { width, height, channels } })));
};

const options = (page: number): SharpOptions => ({ limitInputPixels: MOST_PIXELS, failOn: 'error', page });

const prepare = async (picture: Sharp): Promise<Buffer> => {
  const grey = await rendered(
    picture
      .flatten({ background: '#fff' })
      .greyscale()
      .resize({ width: 3 * WIDTH, height: 4 * WIDTH, fit: 'inside', withoutEnlargement: true }),
  );
  const { left, top, width, height } = await contentOf(grey);
  const scale = Math.min(WIDTH / width, Math.sqrt(PIXELS_FOR_OCR / (width * height)));
  const content = await rendered(
    grey.picture
      .extract({ left, top, width, height })
      .resize({ width: Math.max(1, Math.round(width * scale)) }),
  );
  return (await evenlyLit(content))
    .extend({ top: BORDER, bottom: BORDER, left: BORDER, right: BORDER, background: '#fff' })
    .png({ compressionLevel: 1 })
    .toBuffer();
};

/** A picture divided by its paper: what a median over a small copy leaves. Shadows and dark paper become white. */
const evenlyLit = async ({ picture, data, width, height }: Rendered): Promise<Sharp> => {
  const small = await rendered(
    picture
      .clone()
      .resize({ width: Math.max(1, Math.round(width / SHRINK)) })
      .median(MEDIAN),
  );
  const paper = await rendered(small.picture.resize({ width, height, fit: 'fill', kernel: 'cubic' }));
  const lit = data.map((value, index) =>
    Math.min(255, (value * PAPER) / Math.max(1, paper.data[index] ?? 0)),
  );
  return ofPixels(lit, width, height);
};

type Rendered = Readonly<{ picture: Sharp; data: Uint8Array; width: number; height: number }>;

/** Where a picture's content is, found on a thumbnail of it. */
const contentOf = async ({ picture, width, height }: Rendered) => {
  const small = await rendered(
    picture.clone().resize({ width: THUMBNAIL, height: THUMBNAIL, fit: 'inside', withoutEnlargement: true }),
  );
  const box = contentBox(small.data, small.width, small.height);
  const scale = Math.max(width / small.width, height / small.height);
  const left = Math.floor(box.left * scale);
  const top = Math.floor(box.top * scale);
  return {
    left,
    top,
    width: Math.min(width, Math.ceil(box.right * scale)) - left,
    height: Math.min(height, Math.ceil(box.bottom * scale)) - top,
  };
};

/** Carries out what is asked of a grey picture so far, as its size or its pixels are needed for what follows. */
const rendered = async (asked: Sharp): Promise<Rendered> => {
  const { data, info } = await asked.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { picture: ofPixels(data, info.width, info.height), data, width: info.width, height: info.height };
};

const ofPixels = (data: Uint8Array, width: number, height: number): Sharp =>
  sharp(data, { raw: { width, height, channels: 1 } }).toColourspace('b-w');

const guarded = async <T>(label: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if ((error as Error).message.includes('pixel limit')) throw tooLarge(label);
    throw new Unreadable(`"${label}" is a damaged or cut off picture: take or upload it again.`, {
      cause: error,
    });
  }
};

const tooLarge = (label: string): Unreadable =>
  new Unreadable(`"${label}" has more than ${MOST_PIXELS / 1e6} million pixels: upload a smaller picture.`);
