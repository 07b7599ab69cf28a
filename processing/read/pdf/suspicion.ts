import type { Box } from '../../../domain/submission/processingResult.ts';
import { type Affine, affineOf, after, boundsOf, moved } from '../../picture/affine.ts';
import type { Size } from '../../picture/pixels.ts';
import { createBoxIndex } from './boxIndex.ts';
import { type Drawing, isMatrix, steps, UNIT_SQUARE } from './drawing.ts';
import { isAnyUpon, isTiny } from './hidden.ts';
import {
  boxOfPath,
  grown,
  intersection,
  isApart,
  isFill,
  isStroke,
  isWithin,
  luminanceOf,
  scaleOf,
  veiled,
} from './paint.ts';
import type { Held } from './words.ts';

/** Text that is lighter (0 to 255) may be white on white. */
const LIGHT = 200;
/** Between text and what is below it, in luminance, where nobody doubts that it is seen. */
const CLEAR = 80;
/** In points: thinner lines hide no letter. */
const THICK = 3;
/** What is painted below words on a page, as far as it is compared with the words. */
const MAX_FILLS = 500;

/**
 * Whether a page may hold words that it does not show: in a layer, off the page, tiny or upon each other, in
 * an unusual mode or a font of drawings, light, veiled or in a pattern, clipped, on a picture, under what was
 * painted later, or of about the luminance of what is below. Only the page as it is drawn tells.
 */
export const mayHide = (
  held: readonly Held[],
  drawing: Drawing,
  hasFontOfDrawings: boolean,
  toPage: Affine,
  size: Size,
): boolean => {
  if (held.length === 0) return false;
  const { named } = drawing;
  const sheet = { left: 0, top: 0, right: size.width, bottom: size.height };
  const isOdd = ({ word, letters }: Held): boolean =>
    isTiny(letters, word.text, size) || !isWithin(letters, sheet);
  if (hasFontOfDrawings || held.some(isOdd) || isAnyUpon(held)) return true;
  const words = createBoxIndex<Box>();
  for (const { letters } of held) words.add(letters, letters);
  const isOver = (painted: Box): boolean => words.someNear(painted, (box) => !isApart(painted, box));
  const cuts = (clip: Box): boolean =>
    words.someNear(clip, (box) => !isWithin(box, clip) && !isApart(box, clip));
  const fills: Readonly<{ box: Box; luminance: number }>[] = [];
  const texts: Box[] = [];
  /** Nothing is painted over words but before them, and in one colour. */
  const isSuspect = (painted: Box, luminance: number | null): boolean => {
    if (!isOver(painted)) return false;
    if (luminance === null || fills.length === MAX_FILLS) return true;
    if (texts.some((text) => !isApart(text, painted))) return true;
    fills.push({ box: painted, luminance });
    return false;
  };
  const kept: State[] = [];
  let state: State = { ...STATE, clip: sheet };
  let [clips, line, leading] = [false, IDENTITY, 0];
  for (const { operation, given, map } of steps(drawing, toPage)) {
    const [first, second] = given;
    switch (operation) {
      case named.save:
      case named.paintFormXObjectBegin:
        kept.push(state);
        break;
      case named.restore:
      case named.paintFormXObjectEnd:
        state = kept.pop() ?? state;
        break;
      case named.beginMarkedContentProps:
        // A layer that may be switched off.
        if (first === 'OC') return true;
        break;
      case named.setTextRenderingMode:
        state = { ...state, isUnusual: first !== 0 };
        break;
      case named.setFont:
        state = { ...state, fontSize: Number(second) };
        break;
      case named.setLineWidth:
        state = { ...state, lineWidth: Number(first) };
        break;
      case named.setFillRGBColor:
        state = { ...state, luminance: luminanceOf(first) };
        break;
      case named.setFillColorN:
      case named.setFillTransparent:
        state = { ...state, luminance: null };
        break;
      case named.setGState:
        state = { ...state, isVeiled: veiled(first, state.isVeiled) };
        break;
      case named.clip:
      case named.eoClip:
        clips = true;
        break;
      case named.constructPath: {
        const path = boxOfPath(given[2], map);
        const width = state.lineWidth * scaleOf(map);
        if (path && clips) {
          const clip = intersection(state.clip, path);
          state = { ...state, clip, cuts: cuts(clip) };
        }
        clips = false;
        if (path && isFill(first, named) && isSuspect(path, state.isVeiled ? null : state.luminance))
          return true;
        if (path && isStroke(first, named) && width > THICK && isOver(grown(path, width / 2))) return true;
        break;
      }
      case named.shadingFill:
        if (isOver(state.clip)) return true;
        break;
      case named.paintImageXObject:
      case named.paintInlineImageXObject:
      case named.paintImageMaskXObject:
      case named.paintSolidColorImageMask:
        if (isOver(boundsOf(map, UNIT_SQUARE))) return true;
        break;
      case named.paintInlineImageXObjectGroup:
      case named.paintImageMaskXObjectGroup:
      case named.paintImageXObjectRepeat:
      case named.paintImageMaskXObjectRepeat:
        return true;
      case named.beginText:
        line = IDENTITY;
        break;
      case named.setTextMatrix:
        if (isMatrix(first)) line = affineOf(first);
        break;
      case named.setLeading:
        leading = Number(first);
        break;
      case named.setLeadingMoveText:
        leading = -Number(second);
        line = after(line, moved(Number(first), Number(second)));
        break;
      case named.moveText:
        line = after(line, moved(Number(first), Number(second)));
        break;
      case named.nextLine:
        line = after(line, moved(0, -leading));
        break;
      case named.showText:
      case named.showSpacedText: {
        const { luminance, isUnusual, isVeiled, clip } = state;
        if (isUnusual || isVeiled || state.cuts || luminance === null || luminance > LIGHT) return true;
        const own = after(map, line);
        if (!isWithin(boundsOf(own, POINT), clip)) return true;
        const text = reachOf(own, state.fontSize, sheet);
        if (fills.some((fill) => Math.abs(fill.luminance - luminance) < CLEAR && !isApart(fill.box, text)))
          return true;
        texts.push(text);
        break;
      }
    }
  }
  return false;
};

const IDENTITY = moved(0, 0);
/** Where a text begins, in its own coordinates. */
const POINT: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** What decides how text shows, as it is kept and restored while a page is drawn. */
type State = Readonly<{
  clip: Box;
  /** Whether the clip cuts through words. */
  cuts: boolean;
  isUnusual: boolean;
  isVeiled: boolean;
  /** Of what is filled; null where it has no single one. */
  luminance: number | null;
  fontSize: number;
  lineWidth: number;
}>;

const STATE: Omit<State, 'clip'> = {
  ...{ cuts: false, isUnusual: false, isVeiled: false },
  ...{ luminance: 0, fontSize: 0, lineWidth: 1 },
};

/** Of the size of a font, what letters reach below their line. */
const BELOW = 0.3;

/** Where a text may be that begins somewhere: how far it goes is not known. */
const reachOf = (own: Affine, fontSize: number, sheet: Box): Box => {
  const size = Math.abs(fontSize);
  const far = (sheet.right + sheet.bottom) / (scaleOf(own) || 1);
  return boundsOf(own, { left: 0, top: -BELOW * size, right: far, bottom: size });
};
