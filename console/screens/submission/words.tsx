import { useMemo, useRef, useState } from 'preact/hooks';
import type { Box, Place } from './fields.ts';
import type { Words } from './pages.ts';

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

/** The words of a page, which lie unseen on its picture. */
export const WordMarks = ({ words, size }: Readonly<{ words: Words; size: Size }>) =>
  useMemo(
    () => (
      <div class="words">
        {words.map(({ box }, index) => (
          <span key={index} data-word={index} style={placeOn(box, size)} />
        ))}
      </div>
    ),
    [words, size.width, size.height],
  );

const around = (boxes: readonly Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  top: Math.min(...boxes.map(({ top }) => top)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
});

/** The words between two of them, which are corners of what is meant: a column beside it is not. */
const between = (words: Words, one: number, other: number): Words => {
  const corners = [words[one], words[other]].flatMap((word) => word ?? []);
  const { left, top, right, bottom } = around(corners.map(({ box }) => box));
  return words.filter(({ box }) => {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return left <= x && x <= right && top <= y && y <= bottom;
  });
};

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

/**
 * Takes the word that is clicked, or those that are dragged over; the focus stays where it is. `reach` is
 * around them as long as the pointer is down. Fingers that drag scroll.
 */
export const useTaking = (at: PageAt, words: Words, take: Take | null) => {
  const held = useRef<Held | null>(null);
  const [reach, setReach] = useState<Box | null>(null);
  const hold = (now: Held | null): void => {
    held.current = now;
    const isShown = now && (now.isMoved || !now.isBox);
    setReach(isShown ? around(between(words, now.from, now.to).map(({ box }) => box)) : null);
  };
  if (!take) return { reach: null };
  return {
    reach,
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onPointerDown: (event: Pointed) => {
      const from = event.button === 0 ? wordAt(event.currentTarget, event) : null;
      if (from === null) return;
      event.stopPropagation();
      const isBox = (event.target as Element).closest('button') !== null;
      hold({ from, to: from, x: event.clientX, y: event.clientY, isMoved: false, isBox });
    },
    onPointerMove: (event: Pointed) => {
      const { current: now } = held;
      if (!now || event.pointerType === 'touch') return;
      const isMoved = now.isMoved || Math.hypot(event.clientX - now.x, event.clientY - now.y) > STILL;
      if (isMoved && !now.isMoved) event.currentTarget.setPointerCapture(event.pointerId);
      if (isMoved) hold({ ...now, isMoved, to: wordAt(event.currentTarget, event) ?? now.to });
    },
    onPointerUp: () => {
      const { current: now } = held;
      hold(null);
      if (!now || (now.isBox && !now.isMoved)) return;
      const run = between(words, now.from, now.to);
      take(run.map(({ text }) => text).join(' '), { ...at, box: around(run.map(({ box }) => box)) });
    },
    onPointerCancel: () => hold(null),
  };
};
