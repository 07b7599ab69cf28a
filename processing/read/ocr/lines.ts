import { type Line, lineOf, overlap, type Sheet, type Word } from '../../page.ts';
import { mapBox, stretched } from '../../picture/affine.ts';
import { boxOf, type Rectangle } from '../../picture/rectangle.ts';
import type { Character } from './ctc.ts';
import type { Transcript } from './transcribe.ts';

/** A region of a picture and what it says. */
export type Text = Transcript & Readonly<{ region: Rectangle }>;

/** Texts side by side as lines of words, from top to bottom. */
export const linesIn = (texts: readonly Text[], sheet: Sheet): readonly Line[] => {
  const rows: Word[][] = [];
  for (const text of texts.toSorted((a, b) => a.region.middle.y - b.region.middle.y)) {
    const words = wordsIn(text, sheet);
    if (words.length === 0) continue;
    const row = rows.findLast((one) => isBeside(words, one));
    if (row) row.push(...words);
    else rows.push(words);
  }
  return rows
    .map((words) =>
      lineOf(
        words.toSorted((a, b) => left(a) - left(b)),
        sheet,
        0,
      ),
    )
    .toSorted((a, b) => (a.place.box?.top ?? 0) - (b.place.box?.top ?? 0));
};

const left = ({ box }: Word): number => box?.left ?? 0;

/** Of the lower of two texts; lines bend. */
const MIN_OVERLAP = 0.4;

/** Whether words stand beside those of a row that are nearest. */
const isBeside = ([word]: readonly Word[], row: readonly Word[]): boolean => {
  const box = word?.box;
  if (!box) return false;
  const gap = (other: Word): number =>
    other.box ? Math.max(other.box.left - box.right, box.left - other.box.right) : Infinity;
  const nearest = row.reduce((best, other) => (gap(other) < gap(best) ? other : best));
  return nearest.box !== null && overlap(box, nearest.box, 'top', 'bottom') > MIN_OVERLAP;
};

/** The share of a region's height that its letters have: regions reach beyond them. */
const LETTERS = 0.75;

/** The words of a text, whose boxes end between its characters. */
const wordsIn = ({ region, characters, pitch }: Text, { size }: Sheet): Word[] => {
  const at = ({ step }: Character): number => (step + 0.5) * pitch;
  const half = halfWidth(characters) * pitch;
  const letters = { ...region, height: region.height * LETTERS };
  return groupsOf(characters).flatMap((group): Word[] => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last || !size) return [];
    const from = Math.max(0, at(first) - half);
    const box = boxOf(letters, from, Math.max(from, Math.min(region.width, at(last) + half)));
    return [
      {
        text: spelt(
          group
            .map(({ text }) => text)
            .join('')
            .normalize('NFKC'),
        ),
        confidence: group.reduce((sum, { confidence }) => sum + confidence, 0) / group.length,
        box: mapBox(stretched(1, 1), box, size),
      },
    ];
  });
};

/**
 * A zero among nothing but letters is the letter that looks like it, a one among small ones too; the models
 * write a Greek letter for ß.
 */
const spelt = (read: string): string => {
  const word = read.replace(/(?<=\p{Script=Latin})β/gu, 'ß');
  if (/^(?:\p{L}+0\p{L}+|0\p{Ll}{2,})\P{N}*$/u.test(word))
    return word.replace('0', /\p{Ll}0/u.test(word) ? 'o' : 'O');
  return /^\p{L}*\p{L}\p{Ll}1\p{Ll}+(?:\W[\p{L}\W]*)?$/u.test(word) && !/[@./]\p{L}/u.test(word)
    ? word.replace('1', 'l')
    : word;
};

const groupsOf = (characters: readonly Character[]): readonly (readonly Character[])[] => {
  const groups: Character[][] = [[]];
  for (const character of characters) {
    if (/\s/.test(character.text)) groups.push([]);
    else groups.at(-1)?.push(character);
  }
  return groups.filter((group) => group.length > 0);
};

/** Half of the usual distance between two characters, in steps. */
const halfWidth = (characters: readonly Character[]): number => {
  const steps = characters.slice(1).map(({ step }, index) => step - (characters[index]?.step ?? 0));
  return (steps.sort((a, b) => a - b)[steps.length >> 1] ?? 2) / 2;
};
