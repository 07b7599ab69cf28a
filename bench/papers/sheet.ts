import type { Font, Mark, PdfPage } from '../../scripts/samples/pdf.ts';

const TOP = 60;
const BOTTOM = 60;
const LINE = 14;
const SIZE = 9.5;

type Look = Readonly<{ size?: number; isBold?: boolean; isRight?: boolean }>;

/** Pages that are written from top to bottom; a typed font has no bold. */
export const createSheet = (font: Font = 'plain', width = 595, height = 842) => {
  const pages: Mark[][] = [[]];
  let y = TOP;
  const add = (mark: Mark): void => void pages.at(-1)?.push(mark);
  return {
    width,
    /** A text in the current line. */
    text: (x: number, text: string, { size = SIZE, isBold = false, isRight = false }: Look = {}): void =>
      add({ text, x, y, size, font: isBold && font === 'plain' ? 'bold' : font, right: isRight }),
    rule: (left: number, right: number): void => add({ line: [left, right], y: y + 4 }),
    shade: (left: number, right: number): void =>
      add({ box: [left, y - LINE + 4, right - left, LINE], grey: 0.9 }),
    down: (points = LINE): void => {
      y += points;
    },
    y: (): number => y,
    /** Goes to a height in the page. */
    to: (points: number): void => {
      y = points;
    },
    hasRoom: (points: number): boolean => y + points < height - BOTTOM,
    turn: (): void => {
      pages.push([]);
      y = TOP;
    },
    pages: (): readonly PdfPage[] => pages.map((marks) => ({ width, height, marks })),
  };
};

export type Sheet = ReturnType<typeof createSheet>;

/** Lines below each other. */
export const stack = (sheet: Sheet, x: number, lines: readonly string[], look: Look = {}): void => {
  for (const line of lines) {
    sheet.text(x, line, look);
    sheet.down();
  }
};
