import sharp, { type Sharp, type SharpOptions } from 'sharp';
import type { Box } from '../../domain/submission/processingResult.ts';

/** A grey picture as raw pixels: row by row from the top left corner, a byte each, 0 is black. */
export type Grey = Readonly<{ data: Uint8Array; width: number; height: number }>;

/** A picture to be read: a page (from 0) of a file's bytes, or its pixels. */
export type Source = Readonly<{ bytes: Buffer; page: number }> | Grey;

export type Size = Readonly<{ width: number; height: number }>;

/** The most pixels that a picture may have. */
export const MAX_PIXELS = 80_000_000;

// One thread and no cache: pictures are read beside the service, on its cores and in its memory.
sharp.concurrency(1);
sharp.cache(false);

/** The value below which a share (0..1) of the pixels lie. */
export const quantile = (pixels: Uint8Array, share: number): number => {
  const counts = new Uint32Array(256);
  for (const value of pixels) counts[value] = (counts[value] ?? 0) + 1;
  let below = 0;
  for (let value = 0; value < 256; value += 1) {
    below += counts[value] ?? 0;
    if (below > share * pixels.length) return value;
  }
  return 255;
};

/** The size of a picture turned by its EXIF data, and its file's number of pages. */
export const sizeOf = async (source: Source): Promise<Size & Readonly<{ pages: number }>> => {
  if ('data' in source) return { ...source, pages: 1 };
  const { autoOrient, pages = 1 } = await sharp(source.bytes, options(source.page)).metadata();
  return { ...autoOrient, pages };
};

/** A picture in grey, turned by its EXIF data, its transparent parts white, shrunk to fit into a size. */
export const decode = (source: Source, { width, height }: Size): Promise<Grey> =>
  rendered(
    ('data' in source ? ofPixels(source) : sharp(source.bytes, options(source.page)).autoOrient())
      .flatten({ background: '#fff' })
      .greyscale()
      .resize({ width, height, fit: 'inside', withoutEnlargement: true }),
  );

/** How bright a colour looks, from 0 to 255 as its parts. */
export const luminance = (red: number, green: number, blue: number): number =>
  0.299 * red + 0.587 * green + 0.114 * blue;

/** A picture in colour as raw pixels: row by row from the top left corner, red, green, blue and opacity. */
export type Coloured = Readonly<{ colours: Uint8Array }> & Size;

/** A picture in colour, without transparent parts, in grey. */
export const greyOf = ({ colours, width, height }: Coloured): Grey => {
  const data = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < data.length; at += 1, from += 4)
    data[at] = luminance(colours[from] ?? 0, colours[from + 1] ?? 0, colours[from + 2] ?? 0);
  return { data, width, height };
};

/** Between the darkest and the lightest pixel of what is empty. */
const EMPTY = 24;

/** Whether nothing is to be seen in a box of a picture, which may reach beyond it. */
export const isEmpty = ({ data, width, height }: Grey, { left, top, right, bottom }: Box): boolean => {
  let [least, most] = [255, 0];
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y += 1)
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, right); x += 1) {
      const value = data[y * width + x] ?? 0;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  return most - least <= EMPTY;
};

/**
 * A picture for people: turned by its EXIF data, its transparent parts white, shrunk to fit into a size, as a
 * JPEG without metadata. Letters stay clear: colours are as fine as brightness.
 */
export const jpegOf = (
  source: Coloured | Extract<Source, { bytes: Buffer }>,
  { width, height }: Size,
): Promise<Buffer> => {
  const opened =
    'colours' in source
      ? sharp(source.colours, { raw: { width: source.width, height: source.height, channels: 4 } })
      : sharp(source.bytes, options(source.page)).autoOrient();
  return opened
    .flatten({ background: '#fff' })
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .jpeg({ quality: 85, chromaSubsampling: '4:4:4' })
    .toBuffer();
};

/** The picture in another size. */
export const resized = (picture: Grey, { width, height }: Size): Promise<Grey> =>
  rendered(
    ofPixels(picture).resize({
      width: Math.max(1, Math.round(width)),
      height: Math.max(1, Math.round(height)),
      fit: 'fill',
      kernel: 'cubic',
    }),
  );

/** The median of each pixel's surroundings, a square of `side` pixels. */
export const medianOf = (picture: Grey, side: number): Promise<Grey> =>
  rendered(ofPixels(picture).median(side));

/** The picture blurred over a radius in pixels. */
export const blurred = (picture: Grey, radius: number): Promise<Grey> =>
  rendered(ofPixels(picture).blur(radius));

/** The picture turned clockwise by some degrees about its centre, on a canvas that grows with it. */
export const rotated = (picture: Grey, degrees: number, background: number): Promise<Grey> => {
  if (degrees % 90 === 0) return rendered(ofPixels(picture).rotate(degrees));
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const turn = [
    [cos, -sin],
    [sin, cos],
  ] as [[number, number], [number, number]];
  const shade = { r: background, g: background, b: background };
  return rendered(
    ofPixels(picture).affine(turn, { background: shade, interpolator: sharp.interpolators.bicubic }),
  );
};

/** The picture turned by 180 degrees. */
export const turnedRound = (picture: Grey): Grey => ({ ...picture, data: picture.data.slice().reverse() });

const options = (page: number): SharpOptions => ({ limitInputPixels: MAX_PIXELS, failOn: 'error', page });

const rendered = async (pipeline: Sharp): Promise<Grey> => {
  const { data, info } = await pipeline.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

const ofPixels = ({ data, width, height }: Grey): Sharp =>
  sharp(data, { raw: { width, height, channels: 1 } }).toColourspace('b-w');
