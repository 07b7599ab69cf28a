import * as assert from 'uvu/assert';
import type { DocumentStore, Query, Scalar, Write } from '../../../stores/documents/port.ts';
import { type Declare, fence, fresh, write } from './stage.ts';

type Item = Readonly<{ id: string; n: number; text: string }>;

const answers = {
  row: (item: object) => JSON.stringify({ ...item, shown: true }),
  lines: (item: object) => `${(item as Item).id}\n${JSON.stringify(item)}`,
};
const query: Omit<Query, 'after'> = { where: {}, sort: [{ path: 'id', direction: 'descending' }], limit: 2 };
const HARD = 'Ž 🦉 \u0000 \ud800 "quoted" \n,\n';

const item = (id: string, n: number, text = HARD): Item => ({ id, n, text });
const answered = (collection: string, n: number, document: Item): Write => ({
  ...write(collection, document.id, n, document),
  answers,
});
const filled = async (store: DocumentStore, name: string, documents: readonly Item[]): Promise<void> => {
  await store.models.ensure(name, [{ name: 'id', sort: query.sort }], { answers });
  const writes = documents.map((document) => answered(name, 1, document));
  await store.models.commit(writes, {}, await fence(store));
};
const textsOf = ({ models }: DocumentStore, name: string, ids: readonly string[], which: string) =>
  models.answers(name, ids, which);

export const answerTests: Declare = (test, stage) => {
  test('gives answers as they were made, by id and through any store', async () => {
    const { one, two } = stage();
    const name = fresh('answers');
    const [a, b] = [item('a', 1), item('b', 2)];
    await filled(one, name, [a, b]);
    for (const store of [one, two]) {
      assert.equal(await textsOf(store, name, ['b', 'none', 'a'], 'lines'), [
        answers.lines(b),
        null,
        answers.lines(a),
      ]);
      assert.equal(await textsOf(store, name, ['a'], 'row'), [answers.row(a)]);
      assert.equal(await textsOf(store, name, ['a'], 'unknown'), [null]);
      assert.equal(await store.models.get(name, 'a'), a);
    }
  });

  test('makes them anew with each write that counts, and removes them with the document', async () => {
    const { one, two } = stage();
    const name = fresh('changed');
    await filled(one, name, [item('a', 1)]);
    await two.models.commit([answered(name, 3, item('a', 3))], {}, await fence(two));
    await one.models.commit([answered(name, 2, item('a', 2))], {}, await fence(one));
    assert.equal(await textsOf(one, name, ['a'], 'row'), [answers.row(item('a', 3))]);
    await two.models.commit([write(name, 'a', 4, null)], {}, await fence(two));
    assert.equal(await textsOf(one, name, ['a'], 'row'), [null]);
    assert.equal(await one.models.answerPage(name, 'row', { ...query, after: null }), {
      items: [],
      next: null,
    });
  });

  test('pages give them once each, and where to continue', async () => {
    const { one } = stage();
    const name = fresh('paged');
    const all = Array.from({ length: 7 }, (_, n) => item(`id${n}`, n));
    await filled(one, name, all);
    const seen: unknown[] = [];
    let after: readonly Scalar[] | null = null;
    do {
      const page = await one.models.answerPage(name, 'row', { ...query, after });
      seen.push(...(page?.items ?? []).map((text) => JSON.parse(text)));
      after = page?.next ?? null;
    } while (after);
    assert.equal(
      seen,
      all.toReversed().map((one) => ({ ...one, shown: true })),
    );
  });

  test('a page with a document that has no answer is null, an empty one is not', async () => {
    const { one } = stage();
    const name = fresh('without');
    await filled(one, name, [item('a', 1)]);
    await one.models.commit([write(name, 'b', 2, item('b', 2))], {}, await fence(one));
    assert.is(await one.models.answerPage(name, 'row', { ...query, after: null }), null);
    assert.equal(await textsOf(one, name, ['b'], 'row'), [null]);
    const empty = { ...query, where: { id: 'none' }, after: null };
    assert.equal(await one.models.answerPage(name, 'row', empty), { items: [], next: null });
  });

  test('follows an alias that another store points elsewhere, also when the old collection is dropped', async () => {
    const { one, two } = stage();
    const name = fresh('aliased');
    await filled(two, `${name}_1`, [item('a', 1, 'old')]);
    await filled(two, `${name}_2`, [item('a', 1, 'new')]);
    await two.models.alias(name, `${name}_1`);
    assert.equal(await textsOf(one, name, ['a'], 'row'), [answers.row(item('a', 1, 'old'))]);
    await two.models.alias(name, `${name}_2`);
    assert.equal(await textsOf(one, name, ['a'], 'row'), [answers.row(item('a', 1, 'new'))]);
    const page = await one.models.answerPage(name, 'row', { ...query, after: null });
    assert.is(page?.items[0], answers.row(item('a', 1, 'new')));
    await filled(two, `${name}_3`, [item('a', 1, 'third')]);
    await two.models.alias(name, `${name}_3`);
    await two.models.drop(`${name}_2`);
    assert.equal(await textsOf(one, name, ['a'], 'row'), [answers.row(item('a', 1, 'third'))]);
  });
};
