import type { Answer } from './route.ts';

/**
 * A page, or a file that a page loads, which is no part of the API: GET and HEAD get it, and nobody needs to
 * authenticate. `template` is logged in the place of its path.
 */
export type Page = Readonly<{
  name: string;
  template: string;
  read(): Answer & Readonly<{ media: string }>;
}>;

/** Finds a page by its path; null for another path. */
export type Pages = (path: string) => Page | null;

/** What pages answer. */
export const PAGE_METHODS = ['GET', 'HEAD'] as const;

/** Of a process that serves none. */
export const noPages: Pages = () => null;

/** Those of several: of two with one path, the first. */
export const joinedPages =
  (...all: readonly Pages[]): Pages =>
  (path) => {
    for (const pages of all) {
      const page = pages(path);
      if (page) return page;
    }
    return null;
  };
