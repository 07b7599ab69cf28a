import { useMemo, useRef, useState } from 'preact/hooks';
import type { Box, Place } from './fields.ts';
import type { Words } from './pages.ts';
import { asLines, between, taken } from './wordRange.ts';

type Size = NonNullable<Place['size']>;

/** A page with its size. */
export type PageAt = Readonly<{ fileId: string; page: number; size: Size }>;

/** Takes a text of a page for a field. */
export type Take = (text: string, place: Place) => void;

/** A part of a whole, as styles have it. */
export const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`;

/** Where a box is on a picture of its page, however large and turned that is. */
export const placeOn = (box: Box, size: Size) => ({
  left: percent(box.left, size.width),
  top: percent(box.top, size.height),
  width: percent(box.right - box.left, size.width),
  height: percent(box.bottom - box.top, size.height),
});

/** How wide a letter of a monospaced font is, in its size. */
const LETTER = 0.6;

/** The size of letters that are as wide as a word, in parts of the width of the page. */
const lettersOf = ({ text, box }: Words[number], { width }: Size): string =>
  `${(100 * (box.right - box.left)) / (LETTER * text.length * width)}cqw`;

/** The words of a page, which lie unseen on its picture. */
export const WordMarks = ({ words, size }: Readonly<{ words: Words; size: Size }>) =>
  useMemo(
    () => (
      <div class="words">
        {words.map((word, index) => (
          <span
            key={index}
            data-word={index}
            style={{ ...placeOn(word.box, size), fontSize: lettersOf(word, size) }}
          >
            {word.text}
          </span>
        ))}
      </div>
    ),
    [words, size.width, size.height],
  );

/** The word at a point of the window, also below the box of a field. */
const wordAt = (sheet: Element, { clientX, clientY }: PointerEvent): number | null => {
  const marks = document.elementsFromPoint(clientX, clientY);
  const mark = marks.find((one) => one instanceof HTMLElement && one.dataset.word && sheet.contains(one));
  return mark ? Number((mark as HTMLElement).dataset.word) : null;
};

/** What a pointer has gone over. `isBox`: without a move it is a click on the box of another field. */
type Held = Readonly<{ from: number; to: number; x: number; y: number; isMoved: boolean; isBox: boolean }>;
type Pointed = PointerEvent & Readonly<{ currentTarget: HTMLElement }>;

/** A hand that clicks moves by less, in pixels. */
const STILL = 4;

/** Selects the words from one to another, whichever comes first, as a text is. */
const select = (sheet: Element, from: number, to: number): void => {
  const [start, end] = [from, to].map((index) => sheet.querySelector(`[data-word="${index}"]`));
  if (!start || !end) return;
  // What is copied is what is selected where the focus is.
  (document.activeElement as HTMLElement | null)?.blur();
  const isBack = to < from;
  getSelection()?.setBaseAndExtent(start, Number(isBack), end, Number(!isBack));
};

const copy = (words: Words) => (event: ClipboardEvent) => {
  const marks = (event.currentTarget as Element).querySelectorAll('[data-word]');
  const chosen = words.filter((_, index) => marks[index] && getSelection()?.containsNode(marks[index], true));
  event.clipboardData?.setData('text/plain', asLines(chosen));
  event.preventDefault();
};

/**
 * Takes the word that is clicked, or those that are dragged over; the focus stays where it is. `reach` is
 * around them as long as the pointer is down. Where nothing takes them, words are selected, to be copied.
 * Fingers that drag scroll.
 */
export const useTaking = (at: PageAt, words: Words, take: Take | null) => {
  const held = useRef<Held | null>(null);
  const [reach, setReach] = useState<Box | null>(null);
  const hold = (now: Held | null): void => {
    held.current = now;
    const isShown = take && now && (now.isMoved || !now.isBox);
    setReach(isShown ? taken(between(words, [now.from, now.to])).box : null);
  };
  return {
    reach,
    onCopy: copy(words),
    onMouseDown: (event: MouseEvent) => {
      // A second click selects a word.
      if (take || (held.current && event.detail < 2)) event.preventDefault();
    },
    onPointerDown: (event: Pointed) => {
      const isMeant = event.button === 0 && (take !== null || event.pointerType === 'mouse');
      const from = isMeant ? wordAt(event.currentTarget, event) : null;
      if (from === null) return;
      event.stopPropagation();
      if (!take) getSelection()?.removeAllRanges();
      const isBox = (event.target as Element).closest('button') !== null;
      hold({ from, to: from, x: event.clientX, y: event.clientY, isMoved: false, isBox });
    },
    onPointerMove: (event: Pointed) => {
      const { current: now } = held;
      if (!now || event.pointerType === 'touch') return;
      const isMoved = now.isMoved || Math.hypot(event.clientX - now.x, event.clientY - now.y) > STILL;
      if (isMoved && !now.isMoved) event.currentTarget.setPointerCapture(event.pointerId);
      if (!isMoved) return;
      const to = wordAt(event.currentTarget, event) ?? now.to;
      hold({ ...now, isMoved, to });
      if (!take) select(event.currentTarget, now.from, to);
    },
    onPointerUp: () => {
      const { current: now } = held;
      hold(null);
      if (!take || !now || (now.isBox && !now.isMoved)) return;
      const { text, box } = taken(between(words, [now.from, now.to]));
      take(text, { ...at, box });
    },
    onPointerCancel: () => hold(null),
  };
};
