import { membersOf } from '../memberPaths.ts';
import type { Collection } from './collections.ts';

/** The condition of every index on documents, and of every query: deletion markers stay out. */
export const LIVE = 'body IS NOT NULL';

/** SQL for the value at a path, spelled as in the indexes. Throws for a path that can't be quoted. */
export const expression = ({ paths }: Collection, path: string): string =>
  paths.includes(path) ? columnOf(path) : extracted(path);

/** The quoted column with the values at a path, so that the JSON need not be read. */
export const columnOf = (path: string): string => `"at_${escaped(membersOf(path).join('.'))}"`;

/** What a document's JSON has at a path. */
export const extracted = (path: string): string => `json_extract(body, '$."${membersOf(path).join('"."')}"')`;

/**
 * A collection's table, in quotes. SQL names ignore case, so capitals are escaped out, like everything else
 * that is not a lower-case letter, a digit or `_`.
 */
export const tableOf = (collection: string): string => `"m_${escaped(collection)}"`;

/** An index's name without quotes. It starts with its table's: names of indexes are unique in SQL. */
export const indexName = (collection: string, index: string): string =>
  `m_${escaped(collection)}.${escaped(index)}`;

const escaped = (name: string): string =>
  name.replace(/[^a-z0-9_]/g, (unit) => `$${unit.charCodeAt(0).toString(16)}$`);
