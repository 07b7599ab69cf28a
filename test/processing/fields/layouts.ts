import type { Box } from '../../../domain/submission/processingResult.ts';
import { linesOf, type Page, type Word, wordsOf } from '../../../processing/page.ts';

const LETTER = 10;
const HEIGHT = 14;
const ROW = 20;
/** The page that layouts are drawn on, in units of its boxes. */
const SIZE = { width: 1_000, height: 600 };

/**
 * A page as recognition reads it: each letter of a drawing 10 wide, each of its rows 20 apart; a blank row is
 * a gap.
 */
export const drawn = (rows: readonly string[], over: Partial<Page> = {}): Page => {
  const { fileId = 'f', number = 1 } = over;
  const words = rows.flatMap((row, index) => wordsOf(row, boxOf(row, index)));
  return { fileId, number, lines: linesOf(words, { fileId, page: number, size: SIZE }) };
};

/** A page whose picture came turned: its lines stay, the boxes of its words go round with the picture. */
export const turned = (page: Page, turn: (box: Box) => Box): Page => ({
  ...page,
  lines: page.lines.map((line) => ({
    ...line,
    words: line.words.map((word): Word => ({ ...word, box: word.box && turn(word.box) })),
  })),
});

const spun = (degrees: number) => (x: number, y: number) => {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return [x * cos - y * sin, x * sin + y * cos] as const;
};

/** A turn clockwise by some degrees, in boxes around what was turned. */
export const turnedBy =
  (degrees: number) =>
  ({ left, top, right, bottom }: Box): Box => {
    const spin = spun(degrees);
    const corners = [spin(left, top), spin(right, top), spin(left, bottom), spin(right, bottom)];
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
  };

const boxOf = (row: string, index: number): Box => ({
  left: 0,
  top: index * ROW,
  right: row.length * LETTER,
  bottom: index * ROW + HEIGHT,
});
