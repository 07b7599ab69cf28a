import type { Box } from '../../domain/submission/processingResult.ts';
import { type Affine, after, moved, stretched, turnedBack } from './affine.ts';
import { contentBox, cropped, paperBox } from './crop.ts';
import { contrasted, evenlyLit, inverted, isNegative, withoutDots } from './enhance.ts';
import { type Measures, measure } from './measure.ts';
import {
  decode,
  type Grey,
  quantile,
  resized,
  rotated,
  type Size,
  type Source,
  sizeOf,
  turnedRound as turnedPicture,
} from './pixels.ts';
import { skewOf } from './skew.ts';

/**
 * A straightened page: upright or upside down (only its words show which), deskewed, grey, evenly lit, in
 * good contrast and cropped to its content. `toPage` maps its pixels to those of the page as its uploader
 * sees it, whose size is `page`; `measures` are those of the picture as it was taken.
 */
export type Straight = Readonly<{ picture: Grey; toPage: Affine; page: Size; measures: Measures }>;

const MAX_SIZE: Size = { width: 3_600, height: 4_800 };
const SMALL = 800;
const THUMBNAIL = 200;
const PAPER = 0.75;

/** Straightens a page. Throws the errors of sharp when it is damaged, cut off or over MAX_PIXELS. */
export const straighten = async (source: Source): Promise<Straight> => {
  const { width, height } = await sizeOf(source);
  const grey = await blackOnWhite(await withoutDots(await decode(source, MAX_SIZE)));
  const toPage = stretched(width / grey.width, height / grey.height);
  const paper = await croppedTo(grey, toPage, SMALL, paperBox);
  const measures = await measure(paper.picture);
  const level = await deskewed(paper);
  const lit = await evenlyLit(level.picture);
  const clear = contrasted(lit, await shrunk(lit, SMALL));
  const content = await croppedTo(clear, level.toPage, THUMBNAIL, contentBox);
  return { ...content, page: { width, height }, measures };
};

/** The same, turned by 180 degrees. */
export const turnedRound = ({ picture, toPage, ...rest }: Straight): Straight => ({
  ...rest,
  picture: turnedPicture(picture),
  toPage: after(toPage, [-1, 0, picture.width, 0, -1, picture.height]),
});

const blackOnWhite = async (picture: Grey): Promise<Grey> =>
  isNegative(await shrunk(picture, SMALL)) ? inverted(picture) : picture;

type Mapped = Pick<Straight, 'picture' | 'toPage'>;

const deskewed = async ({ picture, toPage }: Mapped): Promise<Mapped> => {
  const small = await shrunk(picture, SMALL);
  const { degrees, sideways } = skewOf(contrasted(small, small));
  const turn = degrees + (sideways ? 90 : 0);
  if (turn === 0) return { picture, toPage };
  const turned = await rotated(picture, turn, quantile(picture.data, PAPER));
  return { picture: turned, toPage: after(toPage, turnedBack(turn, picture, turned)) };
};

/** Crops a picture to a box that is found on a small copy of it, `side` pixels at most. */
const croppedTo = async (
  picture: Grey,
  toPage: Affine,
  side: number,
  find: (small: Grey) => Box,
): Promise<Mapped> => {
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
