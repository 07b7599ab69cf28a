import type { Box } from '../../../domain/submission/processingResult.ts';
import { type Affine, boundsOf } from '../../picture/affine.ts';
import { luminance } from '../../picture/pixels.ts';
import type { Drawing } from './drawing.ts';

/** The luminance (0 to 255) of a colour as PDF.js has it: `#rrggbb`; null of anything else. */
export const luminanceOf = (colour: unknown): number | null => {
  const parts = typeof colour === 'string' ? /^#(..)(..)(..)$/.exec(colour) : null;
  if (!parts) return null;
  const [red = 0, green = 0, blue = 0] = parts.slice(1).map((part) => Number.parseInt(part, 16));
  return luminance(red, green, blue);
};

/** Whether after a graphics state, and the one before, what is filled is transparent, masked or blended. */
export const veiled = (state: unknown, before: boolean): boolean =>
  (Array.isArray(state) ? state : []).reduce((isVeiled: boolean, entry: unknown) => {
    const [name, value] = Array.isArray(entry) ? entry : [];
    if (name === 'ca') return isVeiled || Number(value) < 1;
    if (name === 'BM') return isVeiled || value !== 'source-over';
    return isVeiled || (name === 'SMask' && Boolean(value));
  }, before);

/** The box of a path of which PDF.js tells the bounds, in points of the page. */
export const boxOfPath = (bounds: unknown, toPage: Affine): Box | null => {
  if (!ArrayBuffer.isView(bounds) && !Array.isArray(bounds)) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = Object.values(bounds).map(Number);
  return boundsOf(toPage, { left, top, right, bottom });
};

/** Whether an operation fills a path. */
export const isFill = (operation: unknown, named: Drawing['named']): boolean =>
  operation === named.fill || operation === named.eoFill || isBoth(operation, named);

/** Whether it draws its line. */
export const isStroke = (operation: unknown, named: Drawing['named']): boolean =>
  operation === named.stroke || operation === named.closeStroke || isBoth(operation, named);

const isBoth = (operation: unknown, named: Drawing['named']): boolean =>
  [named.fillStroke, named.eoFillStroke, named.closeFillStroke, named.closeEOFillStroke].some(
    (one) => one === operation,
  );

/** How far the box of a word may reach beyond what is seen of it, in points. */
const SLACK = 2;

/** Whether a box is within another one, but for the slack of words. */
export const isWithin = (box: Box, outer: Box): boolean =>
  box.left >= outer.left - SLACK &&
  box.right <= outer.right + SLACK &&
  box.top >= outer.top - SLACK &&
  box.bottom <= outer.bottom + SLACK;

/** Whether two boxes have no place in common. */
export const isApart = (a: Box, b: Box): boolean =>
  a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom;

/** What two boxes have in common. */
export const intersection = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});

/** How many points a unit is. */
export const scaleOf = ([a, b, , d, e]: Affine): number => Math.sqrt(Math.abs(a * e - b * d));

/** A box with so much more at each side. */
export const grown = ({ left, top, right, bottom }: Box, by: number): Box => ({
  ...{ left: left - by, top: top - by },
  ...{ right: right + by, bottom: bottom + by },
});
