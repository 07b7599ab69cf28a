import { once } from '../../kernel/once.ts';
import { consoleFiles, ORIGINAL } from '../console/files.ts';
import { languageOf, VARIES } from '../console/language.ts';
import { consolePage } from '../console/page.ts';
import { FILE_HEADERS, type Files, pageAt } from '../engine/files.ts';
import { noPages, type Page, type Pages, PERMISSIONS } from '../engine/pages.ts';

/**
 * `folder` is what the console was compiled to; `publicUrl` the address under which browsers reach the
 * service, null for one without a path of its own; `missing` is called where nothing was compiled.
 */
type ConsolePorts = Readonly<{ folder: string; publicUrl: string | null; missing(): void }>;

/**
 * The console (console-1): its files, and its page, in the language of its reader, under `/invite`,
 * `/console` and every path below that is no file's. It is no part of the API, and so of no document: it
 * calls the API as every client does.
 */
export const consolePages = ({ folder, publicUrl, missing }: ConsolePorts): Pages => {
  const compiled = consoleFiles(folder);
  if (compiled === null) {
    missing();
    return noPages;
  }
  const { files, texts } = compiled;
  const pageIn = (language: string): Page =>
    pageAt(
      NAME,
      '/console',
      once(() => consolePage(compiled, baseOf(publicUrl), language)),
      PAGE_HEADERS,
    );
  const languages = [...texts.keys()];
  const original = pageIn(ORIGINAL);
  const pages = new Map(languages.map((one) => [one, one === ORIGINAL ? original : pageIn(one)]));
  const page: Page = {
    ...original,
    read: (headers) => (pages.get(languageOf(headers, languages)) ?? original).read(headers),
  };
  const invite = { ...page, template: '/invite' };
  return (path) => {
    if (path === '/invite') return invite;
    if (path === '/console') return page;
    if (!path.startsWith('/console/')) return null;
    return fileOf(files, path.slice('/console/'.length)) ?? (isFileName(path) ? null : page);
  };
};

/** What is counted as a request for the console. */
const NAME = 'getConsole';

const baseOf = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');

/** A path of a file that is missing is not a screen: a page of an older release asks for it. */
const isFileName = (path: string): boolean => /\.(js|css|svg|map)$|\/texts\.[\w-]+\.json$/.test(path);

const fileOf = (files: Files, path: string): Page | null => {
  const read = files.get(path);
  return read ? pageAt(NAME, `/console/${path}`, read) : null;
};

/**
 * What the page may load: scripts, styles and answers of this service, and pictures that a script has made of
 * them.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // What console/app/workers.ts makes.
  'trusted-types workers',
].join('; ');

const PAGE_HEADERS = {
  ...FILE_HEADERS,
  Vary: VARIES,
  ...PERMISSIONS,
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;
