import type { OpenApi } from '../../openapi/types.ts';
import { operationsOf } from '../operations.ts';
import type { Guide, Shelf } from './guide.ts';

/** A section of a guide: its address from /docs, and its title. */
export type Mention = Readonly<{ href: string; title: string }>;

/** Finds the operations that a text names by method and path, by their `operationId`. */
type Namer = (text: string) => readonly string[];

const CALLS = /\b(?:GET|POST|PUT|DELETE) (?:…|\.\.\.)?\/[^\s,;)]+/g;

/**
 * A path may be cut at its beginning (`POST …/submit`) where only one operation ends so, and have a query.
 */
export const namerOf = (document: OpenApi): Namer => {
  const known = operationsOf(document).map(({ method, path, operation }) => ({
    method: method.toUpperCase(),
    path: plain(path),
    id: operation.operationId,
  }));
  return (text) =>
    [...text.matchAll(CALLS)].flatMap(([call]) => {
      const [method = '', path = ''] = call.split(' ');
      const end = plain(path.replace(/^(…|\.\.\.)/, '').replace(/\?.*$|[.:]+$/, ''));
      const found = known.filter((one) => one.method === method && one.path.endsWith(end));
      const exact = found.find((one) => one.path === end || one.path === `/api/v1${end}`);
      return exact ? [exact.id] : found.length === 1 ? found.map(({ id }) => id) : [];
    });
};

const plain = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');

const CALL = /<code>((?:GET|POST|PUT|DELETE) [^<]+)<\/code>(?!<\/a>)/g;

/** HTML in which the operations that it names are links. `page` is the address of /docs. */
export const withLinks = (html: string, namer: Namer, page: string): string =>
  html.replaceAll(CALL, (code, call: string) => {
    const [named] = namer(call);
    return named === undefined ? code : `<a href="${page}#${named}">${code}</a>`;
  });

/** Where guides name each operation, by its `operationId`; in the order of the guides. */
export const mentionsOf = (
  namer: Namer,
  shelves: readonly Shelf[],
): ReadonlyMap<string, readonly Mention[]> => {
  const mentions = new Map<string, readonly Mention[]>();
  for (const guide of shelves.flatMap(({ guides }) => guides))
    for (const [id, mention] of mentionsIn(namer, guide)) {
      const before = mentions.get(id) ?? [];
      if (!before.some(({ href }) => href === mention.href)) mentions.set(id, [...before, mention]);
    }
  return mentions;
};

const mentionsIn = (namer: Namer, { name, title, sections }: Guide) =>
  sections.flatMap((section, index) => {
    const mention =
      index === 0
        ? { href: `docs/guides/${name}`, title }
        : { href: `docs/guides/${name}#${section.id}`, title: `${title}: ${section.title}` };
    return namer(section.text).map((id) => [id, mention] as const);
  });
