import { readerOf } from './memberPaths.ts';
import type { AnswerPage, Answers, Query } from './port.ts';

/** The answers of a document, as they are stored. */
export const answersOf = (answers: Answers, document: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(answers).map(([which, make]) => [which, make(document)]));

/** Stands between two answers of a page. JSON itself has no line feeds: so the last answer can be found. */
export const SEPARATOR = ',\n';

const BETWEEN = Buffer.from(SEPARATOR);

/** The page that these begin with: `texts` are joined answers, `count` is how many there are in all. */
export const joinedPage = (texts: readonly Buffer[], count: number, { sort, limit }: Query): AnswerPage => {
  const all = Buffer.concat(texts.flatMap((text, n) => (n > 0 ? [BETWEEN, text] : [text])));
  if (count <= limit) return { joined: all, next: null };
  const joined = all.subarray(0, all.lastIndexOf(SEPARATOR));
  const last: unknown = JSON.parse(joined.subarray(joined.lastIndexOf('\n') + 1).toString());
  return { joined, next: sort.map(({ path }) => readerOf(path)(last)) };
};
