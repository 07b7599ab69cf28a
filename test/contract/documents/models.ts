import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { LeaseLost } from '../../../kernel/errors.ts';
import type { Position } from '../../../kernel/event.ts';
import { rounds } from '../../harness.ts';
import { type Declare, failure, fence, fresh, position, put, write } from './stage.ts';

const HARD = {
  text: 'Žluťoučký 🦉 \u0000 "quoted" \\ \u2028 \' %',
  'a key, 鍵': { deep: { deeper: [{ list: [1, [2, []]] }, null, {}] } },
  numbers: [0, -1, 0.1, 1e-300, Number.MAX_SAFE_INTEGER, 1e300],
  truth: [true, false],
  nothing: null,
};

export const modelTests: Declare = (test, stage) => {
  test('reads as empty what nothing was ever written to', async () => {
    const { models } = stage().one;
    const name = fresh('nothing');
    assert.is(await models.get(name, 'x'), null);
    assert.is((await models.getMany(name, ['x'])).size, 0);
    assert.is((await models.stored(name, ['x'])).size, 0);
    assert.is(await models.count(name), 0);
    assert.is(await models.checkpoint(name), null);
    const query = {
      where: {},
      sort: [{ path: 'id', direction: 'ascending' }],
      limit: 5,
      after: null,
    } as const;
    assert.equal(await models.page(name, query), { items: [], next: null });
    await models.drop(name);
  });

  test('gives documents back as they were, through any store', async () => {
    const { one, two } = stage();
    const name = fresh('documents');
    const large = {
      id: 'large',
      body: 'é🦉x'.repeat(80_000),
      list: Array.from({ length: 5_000 }, (_, i) => ({ i })),
    };
    await put(one, name, { hard: HARD, large, 'id 鍵 🦉 "\'%/': { odd: true }, empty: {} });
    for (const { models } of [one, two]) {
      assert.equal(await models.get(name, 'hard'), HARD);
      assert.equal(await models.get(name, 'large'), large);
      assert.equal(await models.get(name, 'empty'), {});
      assert.equal(await models.get(name, 'id 鍵 🦉 "\'%/'), { odd: true });
      assert.is(await models.get(name, 'HARD'), null);
      assert.is(await models.count(name), 4);
      const ids = ['hard', 'absent', 'id 鍵 🦉 "\'%/', 'hard'];
      const many = await models.getMany(name, ids);
      assert.equal([...many.keys()].sort(), ['hard', 'id 鍵 🦉 "\'%/']);
      assert.equal(many.get('hard'), HARD);
      const stored = await models.stored(name, ids);
      assert.equal([...stored.keys()].sort(), [...many.keys()].sort());
      assert.equal(stored.get('hard'), { id: 'hard', position: position(1), document: HARD });
    }
  });

  test(
    'gives any JSON back exactly: members in their order, odd keys, half surrogates, lists in lists, great depth',
    async () => {
      const { one, two } = stage();
      const name = fresh('exact');
      const key = fc.oneof(
        fc.constantFrom(
          'a.b',
          '$set',
          '$',
          '',
          '__proto__',
          '1',
          '0',
          'toJSON',
          '_bsontype',
          '_id',
          'lane',
          'é 鍵',
          '%',
          'length',
        ),
        fc.string(),
      );
      const text = fc.oneof(
        fc.string(),
        fc.constantFrom('\ud800', 'x\udc00y', '\u0000', '2026-01-01T00:00:00.000Z'),
      );
      const number = fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(2 ** 31, 2 ** 53),
      );
      const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
        value: fc.oneof(
          { maxDepth: 4 },
          text,
          number,
          fc.boolean(),
          fc.constant(null),
          fc.array(tie('value')),
          tie('object'),
        ),
        object: fc.dictionary(key, tie('value'), { maxKeys: 6 }),
      }));
      const deep = JSON.parse(`${'{"a":['.repeat(120)}1${']}'.repeat(120)}`);
      const property = fc.asyncProperty(fc.array(object, { maxLength: 8 }), async (drawn) => {
        const all = [...drawn, { drawn }, { lane: 1, _id: null }, deep].map(
          (one, n) => [`x${n}`, JSON.stringify(one)] as const,
        );
        const collection = fresh(name);
        await put(one, collection, Object.fromEntries(all.map(([id, json]) => [id, JSON.parse(json)])));
        const found = await two.models.stored(
          collection,
          all.map(([id]) => id),
        );
        for (const [id, json] of all) {
          assert.is(JSON.stringify(found.get(id)?.document), json);
          assert.is(JSON.stringify(await two.models.get(collection, id)), json);
        }
        await one.models.drop(collection);
      });
      await fc.assert(property, { numRuns: rounds(15, 1_000) });
    },
    { timeoutMs: 120_000 },
  );

  test('writes a document only where the stored position is older', async () => {
    const { one } = stage();
    const name = fresh('guarded');
    const held = await fence(one);
    const at = async (n: number, v: string) => {
      await one.models.commit([write(name, 'x', n, { v })], {}, held);
      return (await one.models.stored<{ v: string }>(name, ['x'])).get('x');
    };
    assert.equal(await at(5, 'five'), { id: 'x', position: position(5), document: { v: 'five' } });
    assert.is((await at(4, 'older'))?.document?.v, 'five');
    assert.is((await at(5, 'again'))?.document?.v, 'five');
    assert.equal(await at(6, 'six'), { id: 'x', position: position(6), document: { v: 'six' } });
    await one.models.commit([write(name, 'y', 9, { v: 9 }), write(name, 'y', 8, { v: 8 })], {}, held);
    assert.equal(await one.models.get(name, 'y'), { v: 9 });
  });

  test('finds a document by what it holds now, also where what it was made from is not what is stored', async () => {
    const { one } = stage();
    const name = fresh('changed');
    const sort = [{ path: 'id', direction: 'ascending' }] as const;
    const byState = [{ path: 'state', direction: 'ascending' } as const, ...sort];
    await one.models.ensure(name, [{ name: 'state', sort: byState }]);
    const stored = (id: string, n: number, document: object | null) => ({
      id,
      position: position(n),
      document,
    });
    const held = await fence(one);
    const save = (n: number, document: { id: string; state: string }, before?: ReturnType<typeof stored>) =>
      one.models.commit([{ ...write(name, document.id, n, document), before }], {}, held);
    const inState = async (state: string) =>
      (await one.models.page(name, { where: { state }, sort, limit: 9, after: null })).items;
    const open = { id: 'x', state: 'open', words: 1 };
    await save(1, open);
    await save(2, { ...open, state: 'ended' }, stored('x', 1, open));
    assert.equal(await inState('ended'), [{ ...open, state: 'ended' }]);
    assert.equal(await inState('open'), []);
    // It was made from the first version, while the second is stored.
    await save(3, open, stored('x', 1, open));
    assert.equal(await inState('open'), [open]);
    await save(2, { ...open, state: 'late' }, stored('x', 3, open));
    assert.equal([await inState('late'), (await inState('open')).length], [[], 1]);
    await save(4, { ...open, id: 'y' }, stored('y', 2, null));
    assert.is((await inState('open')).length, 2);
  });

  test('leaves a marker for a deleted document', async () => {
    const { one } = stage();
    const name = fresh('deleted');
    const held = await fence(one);
    await put(one, name, { x: { v: 1 }, y: { v: 1 } });
    await one.models.commit([write(name, 'x', 5, null), write(name, 'never', 5, null)], {}, held);
    await one.models.commit([write(name, 'x', 4, { v: 4 })], {}, held);
    assert.is(await one.models.get(name, 'x'), null);
    assert.equal((await one.models.stored(name, ['x'])).get('x'), {
      id: 'x',
      position: position(5),
      document: null,
    });
    assert.ok((await one.models.stored(name, ['never'])).has('never'));
    assert.equal([...(await one.models.getMany(name, ['x', 'y', 'never'])).keys()], ['y']);
    assert.is(await one.models.count(name), 1);
    await one.models.commit([write(name, 'x', 6, { v: 6 })], {}, held);
    assert.equal(await one.models.get(name, 'x'), { v: 6 });
    assert.is(await one.models.count(name), 2);
  });

  test(
    'gives equal documents however the writes are cut, repeated and mixed',
    async () => {
      const { one, two } = stage();
      const held = await fence(one);
      const ids = ['a', 'b', 'c'];
      const event = fc.record({ id: fc.constantFrom(...ids), n: fc.nat(30), gone: fc.boolean() });
      const deliveries = fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 8 });
      const property = fc.asyncProperty(deliveries, async (commits) => {
        const name = fresh('mixed');
        const document = ({ id, n, gone }: { id: string; n: number; gone: boolean }) =>
          write(name, id, n, gone ? null : { id, n });
        for (const [index, events] of commits.entries())
          await (index % 2 ? one : two).models.commit(events.map(document), {}, held);
        const stored = await one.models.stored(name, ids);
        for (const id of ids) {
          const own = commits.flat().filter((one) => one.id === id);
          const newest = own.find(({ n }) => n === Math.max(...own.map((other) => other.n)));
          assert.equal(stored.get(id)?.position, newest && position(newest.n));
          assert.equal(stored.get(id)?.document, newest && document(newest).document);
        }
        await one.models.drop(name);
      });
      await fc.assert(property, { numRuns: rounds(40, 1_000) });
    },
    { timeoutMs: 120_000 },
  );

  test('never moves a checkpoint back', async () => {
    const { one, two } = stage();
    const held = await fence(one);
    const [a, b] = [fresh('checkpoint'), fresh('checkpoint')];
    const move = (to: Record<string, Position>) => one.models.commit([], to, held);
    await move({ [a]: position(5), [b]: position(7) });
    await move({ [a]: position(4), [b]: position(8) });
    assert.is(await two.models.checkpoint(a), position(5));
    assert.is(await two.models.checkpoint(b), position(8));
    await move({ [a]: position(5) });
    assert.is(await one.models.checkpoint(a), position(5));
    const both = await two.models.checkpoints([b, fresh('never'), a]);
    assert.equal(both, [position(8), null, position(5)]);
    assert.equal(await two.models.checkpoints([]), []);
  });

  test('refuses a stale fence alone, whatever comes in the same turn', async () => {
    const { one } = stage();
    const name = fresh('turn');
    const [held, lost] = [await fence(one), await fence(one)];
    await one.leases.release(lost);
    const ends = await Promise.allSettled([
      one.models.commit([write(name, 'a', 1, { id: 'a' })], { [name]: position(1) }, held),
      one.models.commit([write(name, 'b', 2, { id: 'b' })], { [`${name} b`]: position(2) }, lost),
      one.leases.renew(held, 60_000),
    ]);
    assert.equal(
      ends.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.ok(ends[1]?.status === 'rejected' && ends[1].reason instanceof LeaseLost);
    assert.equal(await one.models.get(name, 'a'), { id: 'a' });
    assert.is(await one.models.checkpoint(name), position(1));
    assert.is(await one.models.checkpoint(`${name} b`), null);
  });

  test('moves no checkpoint under a stale fence', async () => {
    const { one, two, pass } = stage();
    const name = fresh('fenced');
    const refused = async (held: Parameters<typeof one.models.commit>[2]) => {
      const error = await failure(
        one.models.commit([write(name, 'x', 9, {})], { [name]: position(9) }, held),
      );
      assert.instance(error, LeaseLost);
      assert.is(await two.models.checkpoint(name), null);
    };
    const held = await fence(one);
    await refused({ ...held, token: held.token - 1 });
    await refused({ ...held, token: held.token + 1 });
    await refused({ ...held, owner: 'another' });
    await refused({ ...held, lease: fresh('never') });
    await one.leases.release(held);
    await refused(held);
    const taken = await two.leases.acquire(held.lease, 'another', 60_000);
    await refused(held);
    if (!taken) throw new Error('a released lease was refused');
    await one.leases.breakAll();
    await refused(taken);
    const short = await one.leases.acquire(fresh('short'), 'test', 20);
    if (!short) throw new Error('a new lease was refused');
    await pass(30);
    await refused(short);
    await one.models.commit([], { [name]: position(1) }, await fence(one));
    assert.is(await two.models.checkpoint(name), position(1));
  });
};
