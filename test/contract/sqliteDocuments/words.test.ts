import * as assert from 'uvu/assert';
import { searchedTerms } from '../../../kernel/searchRanges.ts';
import { pageStatements } from '../../../stores/documents/sqlite/query.ts';
import { suite } from '../../harness.ts';
import { descending, indexed, inFolder, query } from './folder.ts';

const test = suite('documents in SQLite: how words and ranges are found');

test('seeks ranges in the index of words, in its order, and reads the documents by their numbers', () =>
  inFolder(async (folder, { models }) => {
    const newest = descending('createdAt', 'id');
    const indexes = [{ name: 'all', sort: [...descending('companyId'), ...newest] }];
    const words = { text: () => '', wordsIn: () => [], within: ['companyId'], newest };
    await models.ensure('worded', indexes, { words });
    const worded = { ...indexed('worded', indexes), within: words.within };
    const { terms } = searchedTerms('100.. 2026-03-04..2026-11-17 rechnung');
    for (const after of [null, ['2026-06', 'x']]) {
      const asked = { where: { companyId: 'c' }, sort: newest, limit: 20, after, words: terms };
      const [statement, ...others] = pageStatements(worded, asked, 'body');
      assert.equal(others, []);
      const sql = statement?.sql.replace('MATCH ?', `MATCH '${statement.values[0]}'`);
      const plan = query(folder, `EXPLAIN QUERY PLAN ${sql}`).map((row) => String(row.at(-1)));
      // By what matches, and below a number where a page continues.
      assert.match(plan[0] ?? '', after ? /^SCAN found VIRTUAL TABLE INDEX \d+:M\d+<$/ : /:M\d+$/);
      assert.ok(plan.includes('SEARCH document USING INTEGER PRIMARY KEY (rowid=?)'), plan.join('\n'));
      assert.not.match(plan.join('\n'), /TEMP B-TREE|SCAN (?!found VIRTUAL)/);
    }
  }));
