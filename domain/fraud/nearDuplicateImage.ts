import type { FraudCheck } from './check.ts';

const LEAST_SCORE = 0.6;
const MAX_SCORE = 0.85;
const CERTAIN_SCORE = 0.95;

/**
 * The same picture, altered (fraud-2; docs/decisions/0034-near-duplicates.md). By default it is flagged, the
 * more of the sure numbers stand on both pages the higher: copies are misread, and documents of a template
 * look alike. Only what is certain to be one picture blocks.
 */
export const nearDuplicateImage = {
  type: 'near_duplicate_image',
  docs: {
    matches:
      'a page of a picture, or a scan in a PDF, that is the same picture saved anew, scaled, cropped by up to 5 % a side, turned by a few degrees, brightened or darkened',
    score: '0.6 to 0.85, by how many of the sure numbers stand on both; 0.95 where it is certain',
    result: 'flagged; blocked where it is certain',
  },
  phrases: /\bnear[- ]duplicates?\b|\b(?:similar|look(?:s|ing)? alike)\b/i,
  needsBusinessKey: false,
  traits: ({ pages }) =>
    [...new Set(pages.flatMap(({ keys }) => keys.map(({ text }) => text)))].map((text) => ({
      text,
      files: [],
    })),
  // A page has a dozen keys, and an equal one alone proves nothing.
  digits: 32,
  score: LEAST_SCORE,
  match: {
    by: 'pages',
    scoreOf: ({ certain, numbers: { compared, same } }) => {
      if (certain) return CERTAIN_SCORE;
      const share = compared === 0 ? 0 : same / compared;
      return Math.round(1_000 * (LEAST_SCORE + share * (MAX_SCORE - LEAST_SCORE))) / 1_000;
    },
  },
} as const satisfies FraudCheck;
