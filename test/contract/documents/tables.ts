import * as assert from 'uvu/assert';
import type { Tables } from '../../../stores/documents/port.ts';
import { rounds } from '../../harness.ts';
import { type Declare, fresh } from './stage.ts';

const wins = async (tries: readonly Promise<boolean>[]): Promise<number> =>
  (await Promise.all(tries)).filter(Boolean).length;

export const tableTests: Declare = (test, stage) => {
  test('inserts once, replaces and removes only at the version that was read', async () => {
    const { tables } = stage().one;
    const other = stage().two.tables;
    const name = fresh('rows');
    assert.is(await tables.read(name, 'k'), null);
    assert.is(await tables.insert(name, 'k', { v: 1 }), true);
    assert.is(await other.insert(name, 'k', { v: 2 }), false);
    assert.equal(await other.read(name, 'k'), { row: { v: 1 }, version: 1 });
    assert.is(await other.replace(name, 'k', 1, { v: 2 }), true);
    assert.is(await tables.replace(name, 'k', 1, { v: 3 }), false);
    assert.equal(await tables.read(name, 'k'), { row: { v: 2 }, version: 2 });
    assert.is(await tables.remove(name, 'k', 1), false);
    assert.is(await tables.remove(name, 'k', 2), true);
    assert.is(await tables.remove(name, 'k', 2), false);
    assert.is(await tables.replace(name, 'k', 2, { v: 4 }), false);
    assert.is(await other.read(name, 'k'), null);
    assert.is(await other.insert(name, 'k', { v: 5 }), true);
    assert.equal(await tables.read(name, 'k'), { row: { v: 5 }, version: 1 });
  });

  test('keeps tables and keys apart and gives rows back as they were', async () => {
    const { tables } = stage().one;
    const [a, b] = [fresh('Rows'), fresh('rows')];
    const row = { text: '鍵 🦉 "\'', nested: { list: [1, null, {}] }, large: 'x'.repeat(500_000) };
    assert.is(await tables.insert(a, 'K 鍵🦉', row), true);
    assert.is(await tables.insert(a, 'k 鍵🦉', {}), true);
    assert.is(await tables.insert(b, 'K 鍵🦉', {}), true);
    assert.equal(await stage().two.tables.read(a, 'K 鍵🦉'), { row, version: 1 });
    assert.equal(await tables.read(b, 'K 鍵🦉'), { row: {}, version: 1 });
  });

  test('reads many in one call, and leaves out absent keys', async () => {
    const { tables } = stage().one;
    const name = fresh('many');
    assert.is((await tables.readMany(name, ['k'])).size, 0);
    for (const key of ['k', 'K 鍵🦉', '"\'%', 'other']) await tables.insert(name, key, { key });
    await tables.insert(`${name}x`, 'absent', {});
    await tables.replace(name, 'k', 1, { key: 'k2' });
    const found = await stage().two.tables.readMany(name, ['K 鍵🦉', 'absent', 'k', '"\'%', 'k']);
    assert.equal([...found].sort(), [
      ['"\'%', { row: { key: '"\'%' }, version: 1 }],
      ['K 鍵🦉', { row: { key: 'K 鍵🦉' }, version: 1 }],
      ['k', { row: { key: 'k2' }, version: 2 }],
    ]);
    assert.is((await tables.readMany(name, [])).size, 0);
  });

  test('lists by key, from behind a key, up to a limit', async () => {
    const { tables } = stage().one;
    const name = fresh('listed');
    assert.equal(await tables.list(name), []);
    const keys = ['b', 'a', 'B', 'ž', 'aa', '🦉', '\uffee', '1'];
    for (const key of keys) await tables.insert(name, key, { key });
    await tables.insert(`${name}x`, 'between', {});
    await tables.replace(name, 'b', 1, { key: 'b2' });
    const sorted = ['1', 'B', 'a', 'aa', 'b', 'ž', '\uffee', '🦉'];
    const listed = async (options?: Parameters<Tables['list']>[1]) =>
      (await stage().two.tables.list(name, options)).map(({ key }) => key);
    assert.equal(await listed(), sorted);
    assert.equal(await listed({ limit: 3 }), sorted.slice(0, 3));
    assert.equal(await listed({ after: 'a' }), sorted.slice(3));
    assert.equal(await listed({ after: 'absent', limit: 1 }), ['b']);
    assert.equal(await listed({ after: '🦉' }), []);
    assert.equal((await tables.list(name))[4], { key: 'b', row: { key: 'b2' }, version: 2 });
  });

  test(
    'lets exactly one of many win',
    async () => {
      const { one, two } = stage();
      const name = fresh('raced');
      for (let round = 0; round < rounds(20, 1_000); round += 1) {
        const key = `k${round}`;
        const contenders = Array.from({ length: 10 }, (_, n) => (n % 2 ? one : two).tables);
        assert.is(await wins(contenders.map((tables, n) => tables.insert(name, key, { n }))), 1);
        assert.is(await wins(contenders.map((tables, n) => tables.replace(name, key, 1, { n }))), 1);
        assert.is((await one.tables.read(name, key))?.version, 2);
        assert.is(await wins(contenders.map((tables) => tables.remove(name, key, 2))), 1);
      }
    },
    { timeoutMs: 120_000 },
  );

  test('counts every change of many writers', async () => {
    const { one, two } = stage();
    const name = fresh('counted');
    await one.tables.insert(name, 'k', { count: 0 });
    const add = async (tables: Tables): Promise<void> => {
      for (;;) {
        const read = await tables.read<{ count: number }>(name, 'k');
        if (!read) throw new Error('the row has gone');
        if (await tables.replace(name, 'k', read.version, { count: read.row.count + 1 })) return;
      }
    };
    await Promise.all(Array.from({ length: 30 }, (_, n) => add((n % 2 ? one : two).tables)));
    assert.equal(await two.tables.read(name, 'k'), { row: { count: 30 }, version: 31 });
  });
};
