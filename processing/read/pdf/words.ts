import { type Word, wordsOf } from '../../page.ts';
import { type Affine, affineOf, after, boundsOf, type Matrix } from '../../picture/affine.ts';
import type { Box } from '../../types.ts';

/** A run of text in the coordinates of a page's content, before the viewer turns it. */
export type Run = Readonly<{ str: string; transform: Matrix; width: number; height: number }>;

const MAX_GAP = 1;
const SAME_LINE = 0.01;

/** The words of runs of text, with boxes in points of the displayed page, where `toPage` maps to. */
export const wordsOfRuns = (runs: readonly Run[], toPage: Affine): readonly Word[] =>
  joined(runs.map((run) => ({ text: run.str, box: boxOf(run, toPage) }))).flatMap(({ text, box }) =>
    wordsOf(text, 1, box),
  );

const boxOf = ({ transform, width, height }: Run, toPage: Affine): Box => {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
  const [along, up] = [Math.hypot(a, b) || 1, Math.hypot(c, d) || 1];
  const own = affineOf([a / along, b / along, c / up, d / up, x, y]);
  return boundsOf(after(toPage, own), { left: 0, top: 0, right: width, bottom: height });
};

type Placed = Readonly<{ text: string; box: Box }>;

/** Some programs place each letter by itself: runs on one baseline that touch are one run. */
const joined = (runs: readonly Placed[]): readonly Placed[] => {
  const whole: Placed[] = [];
  for (const { text, box } of runs) {
    const last = whole.at(-1);
    const touches =
      last &&
      Math.abs(box.bottom - last.box.bottom) < SAME_LINE &&
      Math.abs(box.left - last.box.right) < MAX_GAP;
    if (touches) whole[whole.length - 1] = { text: last.text + text, box: { ...last.box, right: box.right } };
    else whole.push({ text, box });
  }
  return whole;
};
