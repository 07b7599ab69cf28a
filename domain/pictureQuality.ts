/**
 * What pictures must be so that they are read. Shares are from 0 to 1. `minSide` is the shorter side in pixels,
 * `minBrightness` that of the paper, `maxGlare` the share of the picture that is burnt out. Blur, darkness and glare block
 * only a picture whose letters were read less surely than `legible` in the mean. 0 turns a least one off, 1 `maxGlare`.
 */
export type PictureQuality = Readonly<{
  minSide: number;
  minSharpness: number;
  minBrightness: number;
  maxGlare: number;
  legible: number;
  cutOff: 'allow' | 'block';
  blank: 'allow' | 'block';
}>;

/** What is asked of pictures unless a version asks otherwise: only what can't be read anyway is blocked. */
export const usualQuality: PictureQuality = {
  minSide: 100,
  minSharpness: 0.18,
  minBrightness: 0.15,
  maxGlare: 0.35,
  legible: 0.6,
  cutOff: 'allow',
  blank: 'block',
};

/** What is asked of pictures that are read elsewhere and only compared here: nothing. */
export const anyQuality: PictureQuality = {
  ...usualQuality,
  minSharpness: 0,
  minBrightness: 0,
  maxGlare: 1,
  legible: 0,
  blank: 'allow',
};
