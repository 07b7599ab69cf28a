import type { Box } from '../types.ts';
import { type Affine, after, moved, stretched, turnedBack } from './affine.ts';
import { contentBox } from './contentBox.ts';
import { contrasted } from './contrast.ts';
import { withoutDots } from './dots.ts';
import { type Grey, quantile } from './grey.ts';
import { evenlyLit } from './light.ts';
import { paperBox } from './margins.ts';
import { type Measures, measure } from './measure.ts';
import { inverted, isNegative } from './negative.ts';
import { decode, resized, rotated, type Size, type Source, sizeOf } from './pixels.ts';
import { skewOf } from './skew.ts';

/**
 * A page's picture made straight: upright (or on its head, where only its words would tell), level, grey, evenly lit,
 * in good contrast and trimmed to its content. `toPage` maps its pixels to those of the page as its uploader sees it, whose size is `page`; `measures` tell how it was taken.
 */
export type Straight = Readonly<{ picture: Grey; toPage: Affine; page: Size; measures: Measures }>;

const LARGEST: Size = { width: 3_600, height: 4_800 };
const SMALL = 800;
const THUMBNAIL = 200;

/**
 * Makes a page of a picture straight. Up and down is told by EXIF alone: see turnedRound. Throws what sharp throws for
 * a picture that is damaged, cut off or larger than MOST_PIXELS.
 */
export const straighten = async (source: Source): Promise<Straight> => {
  const { width, height } = await sizeOf(source);
  const grey = await blackOnWhite(await withoutDots(await decode(source, LARGEST)));
  const toPage = stretched(width / grey.width, height / grey.height);
  const paper = await onSmall(grey, toPage, SMALL, paperBox);
  const measures = await measure(paper.picture);
  const level = await levelled({ ...paper, page: { width, height }, measures });
  const lit = await evenlyLit(level.picture);
  const clear = contrasted(lit, await shrunk(lit, SMALL));
  return { ...(await onSmall(clear, level.toPage, THUMBNAIL, contentBox)), page: level.page, measures };
};

/** The same, upside down. */
export const turnedRound = ({ picture, toPage, ...rest }: Straight): Straight => ({
  ...rest,
  picture: { ...picture, data: picture.data.slice().reverse() },
  toPage: after(toPage, [-1, 0, picture.width, 0, -1, picture.height]),
});

const blackOnWhite = async (picture: Grey): Promise<Grey> =>
  isNegative(await shrunk(picture, SMALL)) ? inverted(picture) : picture;

const levelled = async ({ picture, toPage, ...rest }: Straight): Promise<Straight> => {
  const small = await shrunk(picture, SMALL);
  const { degrees, sideways } = skewOf(contrasted(small, small));
  const turn = degrees + (sideways ? 90 : 0);
  if (turn === 0) return { picture, toPage, ...rest };
  const turned = await rotated(picture, turn, quantile(picture.data, PAPER));
  return { picture: turned, toPage: after(toPage, turnedBack(turn, picture, turned)), ...rest };
};

const PAPER = 0.75;

/** Cuts a picture to a box that is found on a small copy of it. */
const onSmall = async (picture: Grey, toPage: Affine, side: number, find: (small: Grey) => Box) => {
  const small = await shrunk(picture, side);
  const box = find(small);
  const [x, y] = [picture.width / small.width, picture.height / small.height];
  const left = Math.floor(box.left * x);
  const top = Math.floor(box.top * y);
  const right = Math.min(picture.width, Math.ceil(box.right * x));
  const bottom = Math.min(picture.height, Math.ceil(box.bottom * y));
  return { picture: cropped(picture, { left, top, right, bottom }), toPage: after(toPage, moved(left, top)) };
};

const shrunk = async (picture: Grey, side: number): Promise<Grey> => {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  return resized(picture, { width: picture.width * scale, height: picture.height * scale });
};

/** A part of a picture. */
export const cropped = (picture: Grey, { left, top, right, bottom }: Box): Grey => {
  const [width, height] = [right - left, bottom - top];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const start = (top + y) * picture.width + left;
    data.set(picture.data.subarray(start, start + width), y * width);
  }
  return { data, width, height };
};
