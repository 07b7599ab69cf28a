import type { PictureQuality } from './workflow.ts';

/** The default minimum quality of pictures: only what can't be read is blocked. */
export const usualQuality: PictureQuality = {
  minSide: 100,
  minSharpness: 0.18,
  minBrightness: 0.15,
  maxGlare: 0.35,
  legible: 0.6,
  cutOff: 'allow',
  blank: 'block',
};

/** No minimum: for pictures that are read elsewhere and only compared here. */
export const anyQuality: PictureQuality = {
  ...usualQuality,
  minSharpness: 0,
  minBrightness: 0,
  maxGlare: 1,
  legible: 0,
  blank: 'allow',
};
