import type { Box } from './fields.ts';
import type { Words } from './pages.ts';

/** The smallest box around others. */
export const around = (boxes: readonly Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  top: Math.min(...boxes.map(({ top }) => top)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
});

const middle = ({ left, top, right, bottom }: Box) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

const isIn = (outer: Box, inner: Box): boolean => {
  const { x, y } = middle(inner);
  return outer.left <= x && x <= outer.right && outer.top <= y && y <= outer.bottom;
};

/** The words in the box around some of them: a column beside it is not meant. */
export const between = (words: Words, ends: readonly number[]): Words => {
  const outer = around(ends.flatMap((end) => words[end]?.box ?? []));
  return words.filter(({ box }) => isIn(outer, box));
};

/** What a person takes of a page: the text of words, and the box around them. */
export const taken = (words: Words) => ({
  text: words.map(({ text }) => text).join(' '),
  box: around(words.map(({ box }) => box)),
});

/** Words as they are copied: blanks between them, and line feeds between their lines. */
export const asLines = (words: Words): string =>
  words.reduce((text, { text: word, box }, index) => {
    const before = words[index - 1]?.box;
    const { y } = middle(box);
    const isSameLine = before && before.top <= y && y <= before.bottom && before.left <= box.left;
    return before ? `${text}${isSameLine ? ' ' : '\n'}${word}` : word;
  }, '');

/**
 * A walk over the words of a page: those that were gone over, the current one last, and where it stands
 * across the page as long as it goes up and down.
 */
export type Walk = Readonly<{ path: readonly number[]; x: number | null }>;

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/** Where a walk begins: the words of a box, else the first one. There must be one. */
export const walkFrom = (words: Words, box: Box | null): Walk => {
  const own = words.flatMap((word, index) => (box && isIn(box, word.box) ? [index] : []));
  return { path: own.length > 0 ? own : [0], x: null };
};

/** The walk after an arrow; with Shift it takes the words on the way, or gives them back. */
export const walkOn = (words: Words, { path, x }: Walk, arrow: Arrow, isLonger: boolean): Walk => {
  const isBack = arrow === 'ArrowLeft' || arrow === 'ArrowUp';
  const now = (isBack && !isLonger ? path[0] : path.at(-1)) ?? 0;
  const isAcross = arrow === 'ArrowLeft' || arrow === 'ArrowRight';
  const from = words[now]?.box;
  if (!from) return { path, x };
  const column = x ?? middle(from).x;
  const next = isAcross ? now + (isBack ? -1 : 1) : lineWord(words, from, column, isBack);
  const to = words[next] ? next : now;
  const known = path.indexOf(to);
  const longer = known < 0 ? [...path, to] : path.slice(0, known + 1);
  return { path: isLonger ? longer : [to], x: isAcross ? null : column };
};

/** The word of the next line above or below a box that is nearest to a column; -1 for none. */
const lineWord = (words: Words, from: Box, column: number, isUp: boolean): number => {
  const apart = ({ box }: Words[number]): number => (middle(box).y - middle(from).y) * (isUp ? -1 : 1);
  const others = words
    .filter(({ box }) => (isUp ? middle(box).y < from.top : middle(box).y > from.bottom))
    .toSorted((one, other) => apart(one) - apart(other));
  const [nearest] = others;
  const line = others.filter(
    (word) => nearest && apart(word) - apart(nearest) < (word.box.bottom - word.box.top) / 2,
  );
  const away = ({ box }: Words[number]): number => Math.max(box.left - column, column - box.right, 0);
  const [first] = line.toSorted((one, other) => away(one) - away(other));
  return first ? words.indexOf(first) : -1;
};
