import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { FilePages } from '../../../schemas/filePages.ts';
import { announce } from '../../app/announce.tsx';
import { useKeys } from '../../app/keys.ts';
import { texts } from '../../texts.ts';
import type { Box } from './fields.ts';
import { useWords } from './pages.ts';
import type { Read } from './read.ts';
import type { File, View } from './viewing.ts';
import { type Arrow, between, taken, type Walk, walkFrom, walkOn } from './wordRange.ts';
import type { Take } from './words.tsx';

const own = texts.document;

/** Where a walk is: a page, and the words there; null before the first step. */
type At = Readonly<{ page: number; walk: Walk | null }>;

/** What is walked over: its page, its text, and the box around it; null for none. */
export type Walked = Readonly<{ page: number; text: string; box: Box | null }>;

const isArrow = (key: string): key is Arrow => key.startsWith('Arrow');

type WalkProps = Readonly<{
  read: Read;
  view: View;
  file: File;
  pages: FilePages['pages'];
  focused: string | null;
  /** Null where no field has the focus, absent where nobody may take words. */
  take?: Take | null;
}>;

/**
 * Words of a page by keys: the field with the focus keeps it, arrows go from word to word, Enter takes,
 * Escape ends. Null where nobody walks.
 */
export const useWalk = (props: WalkProps): Walked | null => {
  const { read, view, file, pages, focused, take = null } = props;
  const [at, go] = useState<At | null>(null);
  const words = useWords(view.words, read.detail, file.id, at?.page ?? null);
  const place = read.fields.find(({ name }) => name === focused)?.place ?? null;
  const isThere = place?.fileId === file.id && place.page === at?.page;
  const walk = words?.length ? (at?.walk ?? walkFrom(words, isThere ? place.box : null)) : null;
  const run = at && walk && words ? taken(between(words, walk.path)) : null;
  useKeys(
    props.take === undefined
      ? []
      : [{ key: 'Alt+ArrowDown', text: own.walk, run: () => take && go({ page: view.page, walk: null }) }],
  );
  // Before the next key, which may begin a walk.
  useLayoutEffect(() => go(null), [focused, file.id]);
  useEffect(() => {
    if (at) announce(own.walkKeys);
  }, [at !== null]);
  const turn = (by: number): void => {
    const page = (at?.page ?? 0) + by;
    if (!pages.some((one) => one.page === page)) return;
    view.show(file.id, page);
    go({ page, walk: null });
  };
  const step = (arrow: Arrow, isLonger: boolean): void => {
    if (at && walk && words) go({ ...at, walk: walkOn(words, walk, arrow, isLonger) });
  };
  const fill = (): void => {
    const size = pages.find(({ page }) => page === at?.page)?.size;
    if (at && run && size) take?.(run.text, { fileId: file.id, page: at.page, size, box: run.box });
    go(null);
  };
  useOwnKeys(at !== null && take !== null, () => go(null), { step, turn, fill });
  if (!at || !take) return null;
  return { page: at.page, text: run?.text ?? (words ? own.noWords : ''), box: run?.box ?? null };
};

type Does = Readonly<{
  step(arrow: Arrow, isLonger: boolean): void;
  turn(by: number): void;
  fill(): void;
}>;

/** The keys of a walk, before the field with the focus gets them; what is typed ends it. */
const useOwnKeys = (isOn: boolean, end: () => void, { step, turn, fill }: Does): void =>
  // A key may follow before the browser paints.
  useLayoutEffect(() => {
    if (!isOn) return;
    const pressed = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      const isOwn = /^(Arrow|Page|Enter|Escape)/.test(key) && !ctrlKey && !metaKey && !altKey;
      if (isOwn) {
        event.preventDefault();
        event.stopPropagation();
        if (isArrow(key)) step(key, shiftKey);
        else if (key === 'Enter') fill();
        else if (key === 'Escape') end();
        else turn(key === 'PageUp' ? -1 : 1);
      } else if (!/^(Shift|Control|Alt|Meta)$/.test(key)) end();
    };
    document.addEventListener('keydown', pressed, true);
    return () => document.removeEventListener('keydown', pressed, true);
  });
