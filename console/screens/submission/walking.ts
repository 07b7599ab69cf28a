import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { FilePages } from '../../../schemas/filePages.ts';
import { announce } from '../../app/announce.tsx';
import { useKeys } from '../../app/keys.ts';
import { texts } from '../../texts.ts';
import type { Place } from './fields.ts';
import { NONE, useWords } from './pages.ts';
import type { Read } from './read.ts';
import type { File, View } from './viewing.ts';
import { type Arrow, between, taken, type Walk, walkFrom, walkOn } from './wordRange.ts';
import type { Take } from './words.tsx';

const own = texts.document;

/** Where a walk is: a page, and the words there; null before the first step. */
type At = Readonly<{ page: number; walk: Walk | null }>;

/** What is walked over: its page, its text and place. */
export type Walked = Readonly<{ page: number; text: string; place: Place }>;

const isArrow = (key: string): key is Arrow => /^Arrow(Left|Right|Up|Down)$/.test(key);

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
  const size = pages.find(({ page }) => page === at?.page)?.size ?? null;
  const found = useWords(view.words, read.detail, file.id, at && size ? at.page : null);
  const words = size ? found : NONE;
  const place = read.fields.find(({ name }) => name === focused)?.place ?? null;
  const isThere = place?.fileId === file.id && place.page === at?.page;
  const walk = words?.length ? (at?.walk ?? walkFrom(words, isThere ? place.box : null)) : null;
  const run = at && walk && words ? taken(between(words, walk.path)) : null;
  useKeys(
    props.take === undefined
      ? []
      : [{ key: 'Alt+ArrowDown', text: own.walk, run: () => take && go({ page: view.page, walk: null }) }],
  );
  useEffect(() => go(null), [focused, file.id]);
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
    if (at && run && size) take?.(run.text, { fileId: file.id, page: at.page, size, box: run.box });
    go(null);
  };
  useOwnKeys(at !== null && take !== null, () => go(null), { step, turn, fill });
  if (!at || !take) return null;
  const text = run?.text ?? (words ? own.noWords : '');
  return { page: at.page, text, place: { fileId: file.id, page: at.page, size, box: run?.box ?? null } };
};

type Does = Readonly<{
  step(arrow: Arrow, isLonger: boolean): void;
  turn(by: number): void;
  fill(): void;
}>;

/** The keys of a walk, before the field with the focus gets them; any other key ends it. */
const useOwnKeys = (isOn: boolean, end: () => void, { step, turn, fill }: Does): void =>
  // A key may follow before the browser paints.
  useLayoutEffect(() => {
    if (!isOn) return;
    const pressed = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (/^(Shift|Control|Alt|Meta)$/.test(key)) return;
      const isOwn = /^(Arrow\w+|Page(Up|Down)|Enter|Escape)$/.test(key) && !ctrlKey && !metaKey && !altKey;
      if (!isOwn) {
        end();
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      if (isArrow(key)) step(key, shiftKey);
      else if (key === 'Enter') fill();
      else if (key === 'Escape') end();
      else turn(key === 'PageUp' ? -1 : 1);
    };
    document.addEventListener('keydown', pressed, { capture: true });
    return () => document.removeEventListener('keydown', pressed, { capture: true });
  });
