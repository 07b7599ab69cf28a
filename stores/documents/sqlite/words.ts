import { ReadModelNotBuilt } from '../../../kernel/errors.ts';
import type { Statement, Value } from '../../sqlite/database.ts';
import type { Query, Scalar, Write } from '../port.ts';
import { fixedAt, valuesAt, wordsOf } from '../words.ts';
import { type Collection, tableOf, wordsTable } from './collections.ts';

type Prepare = (sql: string) => Statement<readonly unknown[]>;

/** Writes the words of documents that have just been written. To be called in the same transaction. */
export const wordsWriter =
  (statement: Prepare) =>
  ({ name, within }: Collection, write: Write): void => {
    const { id, position, document, words } = write;
    if (!within) return;
    const find = statement(`SELECT rowid FROM ${tableOf(name)} WHERE id = ? AND position = ?`);
    const [row] = find.get(id, position) ?? [];
    if (row === undefined) return; // what is stored is newer
    if (document && words)
      statement(`INSERT OR REPLACE INTO ${wordsTable(name)} (rowid, within, words) VALUES (?, ?, ?)`).run(
        row as Value,
        groupOf(valuesAt(within, document)),
        wordsOf(words, document).join(' '),
      );
    else statement(`DELETE FROM ${wordsTable(name)} WHERE rowid = ?`).run(row as Value);
  };

/** Whether a document has other words than the one that it replaces. */
export const changesWords = ({ words, document, before }: Write): boolean => {
  if (!words) return false;
  const [now, then] = [document, before?.document].map(
    (one) => one && words.text(one) + groupOf(valuesAt(words.within, one)),
  );
  return now !== then;
};

/** The part of a statement that finds documents by words, and its values; null for a query without. */
export const wordsCondition = ({ name, within }: Collection, { words = [], where }: Query) => {
  if (words.length === 0) return null;
  if (within === null) throw new ReadModelNotBuilt(name);
  const beginnings = words
    .map((any) => ` AND words : (${any.map((word) => `"${plain(word)}" *`).join(' OR ')})`)
    .join('');
  return {
    from: `${wordsTable(name)} AS found CROSS JOIN ${tableOf(name)} AS document ON document.rowid = found.rowid`,
    match: `within : "${groupOf(fixedAt(within, where))}"${beginnings}`,
  };
};

/** One word for the documents that have the same values. */
const groupOf = (values: readonly Scalar[]): string => Buffer.from(JSON.stringify(values)).toString('hex');

const plain = (word: string): string => {
  if (!/^[\p{L}\p{N}]+$/u.test(word)) throw new Error(`not a word: ${word}`);
  return word;
};
