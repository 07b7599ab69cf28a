import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type {
  DocumentStore,
  Query,
  Range,
  ResultPage,
  Scalar,
  Sort,
  Where,
} from '../../../stores/documents/port.ts';
import { rounds } from '../../harness.ts';
import { compareBy, conditions, equalities, type Item, items, matches, order } from './lists.ts';
import { type Declare, fence, fresh, put, write } from './stage.ts';

const byId: Sort = [{ path: 'id', direction: 'ascending' }];
const newest: Sort = [
  { path: 'createdAt', direction: 'descending' },
  { path: 'id', direction: 'descending' },
];

const walk = async <D>(store: DocumentStore, name: string, query: Omit<Query, 'after'>): Promise<D[]> => {
  const all: D[] = [];
  let after: readonly Scalar[] | null = null;
  do {
    const page: ResultPage<D> = await store.models.page(name, {
      ...query,
      after,
    });
    assert.ok(page.items.length <= query.limit && (page.next === null || page.items.length === query.limit));
    all.push(...page.items);
    after = page.next && JSON.parse(JSON.stringify(page.next));
  } while (after);
  return all;
};

const found = async (store: DocumentStore, name: string, where: Where): Promise<string> =>
  (await walk<Item>(store, name, { where, sort: byId, limit: 2 })).map(({ id }) => id).join(' ');

export const pageTests: Declare = (test, stage) => {
  test('finds by equality and by ranges of one type', async () => {
    const { one } = stage();
    const name = fresh('where');
    await put(one, name, {
      a: { id: 'a', n: 1, text: 'apple', flag: true, at: { deep: 'x' } },
      b: { id: 'b', n: 2.5, text: 'Banana', flag: false, at: { deep: null } },
      c: { id: 'c', n: -7, text: 'apple pie', flag: null, at: null },
      d: { id: 'd', n: null, text: null },
      e: { id: 'e', n: 1e12, text: 'ž🦉' },
    });
    const cases: readonly (readonly [Where, string])[] = [
      [{}, 'a b c d e'],
      [{ text: 'apple' }, 'a'],
      [{ n: 2.5 }, 'b'],
      [{ n: 1, text: 'Banana' }, ''],
      [{ flag: true }, 'a'],
      [{ flag: false }, 'b'],
      [{ flag: null }, 'c d e'],
      [{ 'at.deep': 'x' }, 'a'],
      [{ 'at.deep': null }, 'b c d e'],
      [{ 'at.deep': null, text: 'ž🦉' }, 'e'],
      [{ n: { from: 1 } }, 'a b e'],
      [{ n: { before: 2.5 } }, 'a c'],
      [{ n: { from: -7, before: 1 } }, 'c'],
      [{ n: { from: 3, before: 2 } }, ''],
      [{ text: { from: 'apple' } }, 'a c e'],
      [{ text: { before: 'apple' } }, 'b'],
      [{ text: { from: 'apple', before: 'apple pie' } }, 'a'],
      [{ text: { from: '' } }, 'a b c e'],
      [{ text: {} }, 'a b c d e'],
      [{ text: { before: '~' }, n: { from: 0 }, flag: true }, 'a'],
    ];
    for (const [where, ids] of cases) {
      assert.is(await found(one, name, where), ids, JSON.stringify(where));
      const count = ids.split(' ').filter(Boolean).length;
      assert.is(await one.models.count(name, where), count, JSON.stringify(where));
      assert.is(await one.models.count(name, where, 2), Math.min(2, count), JSON.stringify(where));
    }
  });

  test('keeps numbers out of a range of text, and text out of one of numbers', async () => {
    const { one } = stage();
    const name = fresh('types');
    await put(one, name, { a: { id: 'a', v: 5 }, b: { id: 'b', v: '5' }, c: { id: 'c', v: null } });
    const cases: readonly (readonly [Range, string])[] = [
      [{ from: 0 }, 'a'],
      [{ before: 9 }, 'a'],
      [{ from: '' }, 'b'],
      [{ before: '9' }, 'b'],
    ];
    for (const [range, ids] of cases)
      assert.is(await found(one, name, { v: range }), ids, JSON.stringify(range));
  });

  test('ends with next null, also when the last page is full', async () => {
    const { one } = stage();
    const name = fresh('ends');
    await put(one, name, Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, { id }])));
    const query = { where: {}, sort: byId, limit: 2 };
    const first = await one.models.page<Item>(name, { ...query, after: null });
    assert.equal(first.next, ['b']);
    assert.equal(await one.models.page(name, { ...query, after: ['b'] }), {
      items: [{ id: 'c' }, { id: 'd' }],
      next: null,
    });
    assert.equal(await one.models.page(name, { ...query, after: ['d'] }), { items: [], next: null });
  });

  for (const indexed of [false, true])
    test(
      `pages as a sorted list would be cut, ${indexed ? 'with' : 'without'} indexes`,
      async () => {
        const { one } = stage();
        const property = fc.asyncProperty(
          items,
          order,
          conditions,
          fc.integer({ min: 1, max: 7 }),
          async (all, sort, where, limit) => {
            const name = fresh('sorted');
            if (indexed)
              await one.models.ensure(name, [{ name: 'index', sort: [...equalities(where), ...sort] }]);
            await put(one, name, Object.fromEntries(all.map((item) => [item.id, item])));
            const wanted = all.filter((item) => matches(item, where)).sort((a, b) => compareBy(sort, a, b));
            assert.equal(await walk(one, name, { where, sort, limit }), wanted);
            await one.models.drop(name);
          },
        );
        await fc.assert(property, { numRuns: rounds(100, 3_000) });
      },
      { timeoutMs: 120_000 },
    );

  test('finds the next value of a path behind a given one, by one document of each', async () => {
    const { one } = stage();
    const name = fresh('values');
    const sort: Sort = ['slug', 'isHeld', 'endedAt', 'id'].map((path) => ({ path, direction: 'ascending' }));
    await one.models.ensure(name, [{ name: 'due', sort: [{ path: 'of', direction: 'ascending' }, ...sort] }]);
    const row = (n: number, of: string, slug: string, endedAt: string | null) => {
      const id = `${of}${n}`;
      return [id, { id, of, slug, isHeld: n % 2 === 0, endedAt }] as const;
    };
    const rows = ['a', 'a-b', 'a0', 'ab', 'b'].flatMap((slug, n) => [
      ...[row(4 * n, 'x', slug, null), row(4 * n + 1, 'x', slug, '2026-11-21T10:00:00.000Z')],
      ...[row(4 * n + 2, 'x', slug, '2026-11-20T10:00:00.000Z'), row(4 * n + 3, 'y', `z${slug}`, null)],
    ]);
    await put(one, name, Object.fromEntries(rows));
    const next = async (slug: Range) => {
      const query = { where: { of: 'x', slug }, sort, limit: 1, after: null };
      return (await one.models.page<{ slug: string }>(name, query)).items[0]?.slug;
    };
    const found: (string | undefined)[] = [await next({})];
    while (found.at(-1) !== undefined) found.push(await next({ from: `${found.at(-1)} ` }));
    assert.equal(found, ['a', 'a-b', 'a0', 'ab', 'b', undefined]);
    const due = { of: 'x', slug: 'a', isHeld: false, endedAt: { before: '2026-11-21T10:00:00.001Z' } };
    assert.is(await one.models.count(name, due), 1);
  });

  test('never repeats or skips a document while others write', async () => {
    const { one, two } = stage();
    for (let round = 0; round < rounds(3, 40); round += 1) {
      const name = fresh('moving');
      await one.models.ensure(name, [{ name: 'newest', sort: newest }]);
      const moment = (n: number) => new Date(1.7e12 + Math.floor(n / 3) * 1_000).toISOString();
      const item = (n: number) => ({
        id: `i${String(n).padStart(4, '0')}`,
        createdAt: n % 10 ? moment(n) : null,
      });
      const before = Array.from({ length: 60 }, (_, n) => item(n * 2));
      await put(one, name, Object.fromEntries(before.map((each) => [each.id, each])));
      const held = await fence(two);
      const seen: string[] = [];
      let after: readonly Scalar[] | null = null;
      do {
        const page: ResultPage<Item> = await one.models.page(name, {
          where: {},
          sort: newest,
          limit: 7,
          after,
        });
        seen.push(...page.items.map(({ id }) => id));
        after = page.next;
        const others = Array.from({ length: 5 }, () => item(Math.floor(Math.random() * 70) * 2 + 1));
        await two.models.commit(
          others.map((each) => write(name, each.id, 2, each)),
          {},
          held,
        );
      } while (after);
      assert.is(new Set(seen).size, seen.length);
      assert.equal(
        before.map(({ id }) => id).filter((id) => !seen.includes(id)),
        [],
      );
    }
  });

  test('refuses a page that goes on after something else than its sort values', async () => {
    const { one } = stage();
    const name = fresh('cursor');
    await put(one, name, { a: { id: 'a' } });
    const query = { where: {}, sort: newest, limit: 2, after: ['a'] };
    await one.models.page(name, query).then(
      () => assert.unreachable('it was accepted'),
      (error: Error) => assert.match(error.message, '2 sort values'),
    );
  });
};
