import * as assert from 'uvu/assert';
import type {
  DocumentStore,
  Query,
  ResultPage,
  Scalar,
  Words,
  Write,
} from '../../../stores/documents/port.ts';
import { type Declare, failure, fence, fresh, write } from './stage.ts';

type Item = Readonly<{ id: string; tenant: string; kind: string | null; text: string }>;

const words: Words = {
  text: (item) => (item as Item).text,
  wordsIn: (text) => text.split(' ').filter(Boolean),
  within: ['tenant'],
  newest: [{ path: 'id', direction: 'descending' }],
};
const answers = { id: (item: object) => JSON.stringify({ id: (item as Item).id }) };

const item = (id: string, text: string, tenant = 'a', kind: string | null = null): Item => ({
  ...{ id, tenant, kind, text },
});
const worded = (name: string, n: number, document: Item, before?: Item): Write => ({
  ...write(name, document.id, n, document),
  ...{ answers, words },
  ...(before && {
    before: { id: before.id, position: write('', '', n - 1, null).position, document: before },
  }),
});
const made = async ({ models }: DocumentStore): Promise<string> => {
  const name = fresh('words');
  const index = {
    name: 'newest',
    sort: [{ path: 'tenant', direction: 'ascending' as const }, ...words.newest],
  };
  await models.ensure(name, [index], { answers, words });
  return name;
};
const filled = async (store: DocumentStore, all: readonly Item[]): Promise<string> => {
  const name = await made(store);
  const writes = all.map((one) => worded(name, 1, one));
  await store.models.commit(writes, {}, await fence(store));
  return name;
};
const query = (text: string, where: Query['where'] = {}): Query => ({
  ...{ where: { tenant: 'a', ...where }, sort: words.newest, limit: 100, after: null },
  words: text.split(' ').map((term) => term.split('|')),
});
const found = async ({ models }: DocumentStore, name: string, ...asked: Parameters<typeof query>) => {
  const pages = [
    (await models.page<Item>(name, query(...asked))).items.map(({ id }) => id),
    (await models.answerPage(name, 'id', query(...asked)))?.items.map((text) => JSON.parse(text).id),
  ];
  assert.equal(pages[0], pages[1]);
  return pages[0]?.join(' ');
};

export const wordsTests: Declare = (test, stage) => {
  test('finds by the beginnings of words, of which all must be there', async () => {
    const { one, two } = stage();
    const name = await filled(one, [
      item('1', 'rechnung acme 20260304'),
      item('2', 'rechnungen 20260311 длинное 請求書'),
      item('3', 'quittung acmeltd 12p5 averyverylongword'),
      item('4', ''),
    ]);
    const cases: Readonly<Record<string, string>> = {
      rechnung: '2 1',
      r: '2 1',
      'rechnung acme': '1',
      'acme rechnung': '1',
      acme: '3 1',
      '202603': '2 1',
      '12p': '3',
      дли: '2',
      請求: '2',
      averyverylongw: '3',
      averyverylongx: '',
      chnung: '',
      'acme nothing': '',
    };
    for (const store of [one, two])
      for (const [text, ids] of Object.entries(cases)) assert.is(await found(store, name, text), ids, text);
  });

  test('finds by one of several beginnings, each document once, newest first [search-6]', async () => {
    const { one, two } = stage();
    const name = await filled(one, [
      item('1', 'Σ0100 Δ20260304 kept'),
      item('2', 'Σ0101 Σ0102 Σ0150'),
      item('3', 'Σ0200 Δ20260401 kept'),
      item('4', 'σ0100 δ20260304'),
      item('5', 'Σ0101', 'b'),
    ]);
    const cases: Readonly<Record<string, string>> = {
      'Σ0100|Σ0101': '2 1',
      'Σ01|Σ0200': '3 2 1',
      'Σ01|Σ02 kept': '3 1',
      'Σ01|Σ0200 Δ202604|Δ202605': '3',
      'Σ01|Σ02 nothing': '',
    };
    for (const store of [one, two])
      for (const [text, ids] of Object.entries(cases)) assert.is(await found(store, name, text), ids, text);
  });

  test('finds none of another group, and keeps the other conditions', async () => {
    const { one } = stage();
    const name = await filled(one, [
      item('1', 'same', 'a', 'x'),
      item('2', 'same', 'b', 'x'),
      item('3', 'same', 'a', 'y'),
      item('4', 'same', 'a'),
    ]);
    assert.is(await found(one, name, 'same'), '4 3 1');
    assert.is(await found(one, name, 'same', { tenant: 'b' }), '2');
    assert.is(await found(one, name, 'same', { kind: 'x' }), '1');
    assert.is(await found(one, name, 'same', { kind: null }), '4');
    assert.is(await found(one, name, 'same', { id: { from: '2', before: '4' } }), '3');
  });

  test('follows what is written: changed words, moved documents, markers, older writes', async () => {
    const { one, two } = stage();
    const name = await filled(one, [item('1', 'old kept'), item('2', 'old')]);
    const held = await fence(two);
    await two.models.commit([worded(name, 2, item('1', 'new kept'), item('1', 'old kept'))], {}, held);
    assert.is(await found(one, name, 'old'), '2');
    assert.is(await found(one, name, 'new kept'), '1');
    await two.models.commit([worded(name, 1, item('1', 'late'))], {}, held);
    assert.is(await found(one, name, 'late'), '');
    await two.models.commit([worded(name, 3, item('1', 'new kept', 'b'), item('1', 'new kept'))], {}, held);
    assert.is(await found(one, name, 'new'), '');
    assert.is(await found(one, name, 'new', { tenant: 'b' }), '1');
    await two.models.commit([write(name, '2', 2, null), write(name, '3', 2, null)], {}, held);
    assert.is(await found(one, name, 'old'), '');
    await two.models.commit([worded(name, 3, item('2', 'again'))], {}, held);
    assert.is(await found(one, name, 'again'), '2');
    assert.is(await found(one, name, 'old'), '');
  });

  test('what was read and is no longer so does not keep its words', async () => {
    const { one } = stage();
    const name = await filled(one, [item('1', 'first')]);
    const held = await fence(one);
    await one.models.commit([worded(name, 2, item('1', 'second'))], {}, held);
    // Made from the first, not from the second.
    await one.models.commit([{ ...worded(name, 4, item('1', 'first'), item('1', 'first')) }], {}, held);
    assert.is(await found(one, name, 'first'), '1');
    assert.is(await found(one, name, 'second'), '');
  });

  test('pages give each document once, newest first', async () => {
    const { one } = stage();
    const ids = Array.from({ length: 11 }, (_, n) => String(100 + n));
    const name = await filled(
      one,
      ids.map((id, n) => item(id, n % 4 === 0 ? 'other' : 'wanted')),
    );
    const seen: string[] = [];
    let after: readonly Scalar[] | null = null;
    do {
      const page: ResultPage<Item> = await one.models.page(name, { ...query('want'), limit: 3, after });
      seen.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after);
    assert.equal(seen, ids.filter((_, n) => n % 4 !== 0).toReversed());
  });

  test('no words are no condition; a collection that was made without them is not asked', async () => {
    const { one } = stage();
    const name = await filled(one, [item('1', 'x'), item('2', 'y')]);
    const all = await one.models.page<Item>(name, { ...query('x'), words: [] });
    assert.equal(
      all.items.map(({ id }) => id),
      ['2', '1'],
    );
    const without = fresh('without');
    await one.models.commit([write(without, '1', 1, item('1', 'x'))], {}, await fence(one));
    assert.is((await failure(one.models.page(without, query('x')))).name, 'ReadModelNotBuilt');
    assert.equal((await one.models.page(fresh('none'), query('x'))).items, []);
  });

  test('a query that fixes no group is refused', async () => {
    const { one } = stage();
    const name = await filled(one, [item('1', 'x')]);
    const asked = { ...query('x'), where: {} };
    assert.match((await failure(one.models.page(name, asked))).message, 'fixes no value at tenant');
  });

  test('words go with their collection', async () => {
    const { one } = stage();
    const name = await filled(one, [item('1', 'x')]);
    await one.models.drop(name);
    assert.equal((await one.models.page(name, query('x'))).items, []);
    await one.models.ensure(name, [], { answers, words });
    await one.models.commit([worded(name, 1, item('2', 'x'))], {}, await fence(one));
    assert.is(await found(one, name, 'x'), '2');
  });
};
