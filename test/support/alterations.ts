import sharp, { type Sharp } from 'sharp';

type Alteration = Readonly<{ name: string; of(picture: Buffer): Promise<Buffer> }>;

const jpeg = (picture: Sharp, quality = 85): Promise<Buffer> => picture.jpeg({ quality }).toBuffer();

const scaled = async (picture: Buffer, by: number, quality?: number): Promise<Buffer> => {
  const { width } = await sharp(picture).metadata();
  return jpeg(sharp(picture).resize({ width: Math.min(4_000, Math.round(width * by)) }), quality);
};

/** Cuts shares of the width (left, right) and the height (top, bottom) off. */
const cropped = async (
  picture: Buffer,
  [left, top, right, bottom]: readonly [number, number, number, number],
): Promise<Buffer> => {
  const { width, height } = await sharp(picture).metadata();
  return jpeg(
    sharp(picture).extract({
      left: Math.round(left * width),
      top: Math.round(top * height),
      width: Math.round(width * (1 - left - right)),
      height: Math.round(height * (1 - top - bottom)),
    }),
  );
};

const turned = (picture: Buffer, degrees: number, background = '#fff'): Promise<Buffer> =>
  jpeg(sharp(picture).rotate(degrees, { background }));
const lit = (picture: Buffer, brightness: number, quality?: number): Promise<Buffer> =>
  jpeg(sharp(picture).modulate({ brightness }), quality);

/** The upper third of a picture. */
export const upperPart = (picture: Buffer): Promise<Buffer> => cropped(picture, [0, 0, 0, 0.66]);

const one = (name: string, of: Alteration['of']): Alteration => ({ name, of });

/** What a copy of a picture may have gone through: ten ways of one kind or several, the same at each run. */
export const alterations: readonly Alteration[] = [
  one('saved at quality 40', (picture) => jpeg(sharp(picture), 40)),
  one('half as large', (picture) => scaled(picture, 0.5)),
  one('half as large again', (picture) => scaled(picture, 1.5)),
  one('cropped by 5 % a side', (picture) => cropped(picture, [0.05, 0.05, 0.05, 0.05])),
  one('cropped by 5 % at the left and the top', (picture) => cropped(picture, [0.05, 0.05, 0, 0])),
  one('turned by 3 degrees', (picture) => turned(picture, 3)),
  one('turned back by 2 degrees on black', (picture) => turned(picture, -2, '#000')),
  one('brightened by a fifth', (picture) => lit(picture, 1.2)),
  one('darkened by a quarter', (picture) => lit(picture, 0.75)),
  one('turned, cropped, shrunk, brightened and saved at quality 50', async (picture) => {
    const part = await cropped(await turned(picture, 2), [0.03, 0.03, 0.03, 0.03]);
    return lit(await scaled(part, 0.7), 1.1, 50);
  }),
];
