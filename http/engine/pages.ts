import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from './route.ts';

/**
 * A page, or a file that a page loads, which is no part of the API: GET and HEAD get it, and nobody needs to
 * authenticate. `template` is logged in the place of its path. `read` is told the headers of the request,
 * by which it chooses among the forms of the page.
 */
export type Page = Readonly<{
  name: string;
  template: string;
  read(headers: IncomingHttpHeaders): Answer & Readonly<{ media: string }>;
}>;

/** Finds a page by its path; null for another path. */
export type Pages = (path: string) => Page | null;

/** On every page: none needs what watches the person or reaches devices. */
export const PERMISSIONS = {
  'Permissions-Policy':
    'camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
} as const;

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
