import { useEffect, useState } from 'preact/hooks';
import type { FilePages, PageWords } from '../../../schemas/filePages.ts';
import { api } from '../../app/api.ts';
import { type Resource, useRead, useResource } from '../../app/resource.ts';
import { PATH, type Read } from './read.ts';

/** A page as it is shown: the address of its picture, or its text. */
export type Shown = Readonly<{ picture: string }> | Readonly<{ text: string }>;

/** From when on no page draws a picture that is no longer shown. */
const LATE_MS = 5_000;

const PAGES = `${PATH}/files/{fileId}/pages` as const;

/** The pages of a file. */
export const usePagesOf = (submissionId: string, fileId: string): Resource<FilePages> =>
  useRead(PAGES, { path: { submissionId, fileId } });

/**
 * A page, as a picture of that width at least where it has one. By script: a picture's own request has no
 * headers.
 */
export const usePage = (
  submissionId: string,
  fileId: string,
  page: number | null,
  width: number,
): Resource<Shown> => {
  const read = useResource(
    page === null ? null : `${submissionId} ${fileId} ${page} ${width}`,
    async (signal) => {
      const path = { submissionId, fileId, page: page ?? 0 };
      const body = await api.get(`${PAGES}/{page}`, { path, query: { width }, signal });
      return body.type.startsWith('image/') ? { blob: body } : { text: await body.text() };
    },
  );
  // Beside what it was made of: until the next page is there, the last one would stand under its number.
  const [shown, setShown] = useState<Readonly<{ of: object; page: Shown }> | null>(null);
  const found = read.value;
  useEffect(() => {
    if (!found) return;
    if (found.blob === undefined) return setShown({ of: found, page: found });
    const picture = URL.createObjectURL(found.blob);
    setShown({ of: found, page: { picture } });
    // A page that is scrolled past may be about to draw it.
    return () => void setTimeout(() => URL.revokeObjectURL(picture), LATE_MS);
  }, [found]);
  return { ...read, value: shown?.of === found ? (shown?.page ?? null) : null };
};

/** The words of a page, line by line. */
export type Words = PageWords['words'];

/** Of a page that has none. */
export const NONE: Words = [];

/**
 * The words of a page, read once for as long as `kept` lasts; null while they are read, none where they
 * can't be: values are typed.
 */
export const useWords = (
  kept: Map<string, Words>,
  { id, submissionStatus }: Read['detail'],
  fileId: string,
  page: number | null,
): Words | null => {
  // Another round of processing may read others.
  const key = `${id} ${submissionStatus} ${fileId} ${page}`;
  const read = useResource(page === null ? null : key, async (signal) => {
    const path = { submissionId: id, fileId, page: page ?? 0 };
    const words = kept.get(key) ?? (await api.get(`${PAGES}/{page}/words`, { path, signal })).words;
    kept.set(key, words);
    return words;
  });
  return read.value ?? (read.problem ? NONE : null);
};

/** Whether an element is in view, or nearly so, in the part that scrolls around it. */
export const useNear = (inner: Readonly<{ current: HTMLElement | null }>, around: string): boolean => {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = inner.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      root: element.closest(around),
      rootMargin: '100% 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isNear;
};
