import * as assert from 'uvu/assert';
import type { DocumentStore } from '../../../stores/documents/port.ts';
import { rounds } from '../../harness.ts';
import { type Declare, fence, fresh, put, write } from './stage.ts';

export const collectionTests: Declare = (test, stage) => {
  test('keeps collections of any name apart', async () => {
    const { one } = stage();
    const base = fresh('names');
    const names = [
      'jobs',
      'Jobs',
      'JOBS',
      'jobs_v1',
      'jobs v1',
      'jobs.v1',
      'jobs-v1',
      'jöbs',
      '職"\'[]`',
      '1',
      '',
    ];
    for (const name of names) {
      await one.models.ensure(base + name, [
        { name: 'byId', sort: [{ path: 'id', direction: 'ascending' }] },
      ]);
      await put(one, base + name, { x: { id: 'x', name } });
    }
    for (const name of names) {
      assert.equal(await one.models.get(base + name, 'x'), { id: 'x', name });
      assert.is(await one.models.count(base + name), 1);
    }
  });

  test('reads through an alias what it points at, from the moment it is flipped', async () => {
    const { one, two } = stage();
    const [name, first, second] = [fresh('alias'), fresh('first'), fresh('second')];
    assert.is(await one.models.alias(name), name);
    await put(one, first, { x: { v: 1 } });
    await put(one, second, { x: { v: 2 }, y: { v: 2 } });
    assert.is(await one.models.alias(name, first), first);
    assert.equal(await two.models.get(name, 'x'), { v: 1 });
    assert.is(await two.models.alias(name, second), second);
    assert.is(await one.models.alias(name), second);
    const fence = await one.leases.acquire(fresh('flip'), 'a', 60_000);
    if (!fence) throw new Error('refused');
    const stale = { ...fence, token: fence.token - 1 };
    const refused = await one.models.alias(name, first, stale).catch((error: Error) => error.name);
    assert.is(refused, 'LeaseLost');
    assert.is(await two.models.alias(name, second, fence), second);
    const free = fresh('free');
    assert.equal(await one.models.aliases([free, name]), [free, second]);
    assert.equal(await one.models.get(name, 'x'), { v: 2 });
    assert.equal((await one.models.getMany(name, ['x', 'y'])).get('x'), { v: 2 });
    assert.is(await one.models.count(name), 2);
    await put(one, second, { z: { v: 3 } });
    assert.equal(await one.models.get(name, 'z'), { v: 3 });
    const query = {
      where: {},
      sort: [{ path: 'v', direction: 'descending' }],
      limit: 1,
      after: null,
    } as const;
    assert.equal((await one.models.page(name, query)).items, [{ v: 3 }]);
  });

  test('writes, folds on and drops the collection of a name, whatever the name points at', async () => {
    const { one, two } = stage();
    const [name, target] = [fresh('own'), fresh('target')];
    const sort = [{ path: 'v', direction: 'ascending' }] as const;
    await put(one, target, { x: { v: 1 } });
    await one.models.alias(name, target);
    await two.models.ensure(name, [{ name: 'byV', sort }]);
    await put(two, name, { x: { v: 'own' }, y: { v: 'own' } });
    assert.equal((await two.models.stored(name, ['x'])).get('x')?.document, { v: 'own' });
    assert.equal(await one.models.get(name, 'x'), { v: 1 });
    assert.is(await one.models.get(name, 'y'), null);
    await one.models.drop(name);
    assert.is((await two.models.stored(name, ['x', 'y'])).size, 0);
    assert.equal(await two.models.get(name, 'x'), { v: 1 });
    assert.is(await one.models.alias(name), target);
  });

  test('takes an alias for the collection itself, never for another alias', async () => {
    const { models } = stage().one;
    const [outer, inner, target] = [fresh('outer'), fresh('inner'), fresh('target')];
    await models.alias(inner, target);
    await models.alias(outer, inner);
    await put(stage().one, inner, { x: { v: 1 } });
    assert.is(await models.get(target, 'x'), null);
    assert.is(await models.get(inner, 'x'), null);
    assert.equal(await models.get(outer, 'x'), { v: 1 });
  });

  test('forgets a dropped collection with its positions, in every store', async () => {
    const { one, two } = stage();
    const [name, other] = [fresh('dropped'), fresh('other')];
    await put(one, other, { x: { v: 1 } });
    for (const n of [9, 3]) {
      await two.models.commit([write(name, 'x', n, { n })], {}, await fence(two));
      assert.equal(await one.models.get(name, 'x'), { n });
      await one.models.drop(name);
      assert.is(await two.models.get(name, 'x'), null);
      assert.is((await two.models.stored(name, ['x'])).size, 0);
    }
    assert.is(await one.models.count(other), 1);
  });

  test('several nodes that make the same collections at once do each other no harm', async () => {
    const { one, two } = stage();
    const indexes = ['a', 'b', 'c'].map((path) => ({
      name: `by_${path}`,
      sort: [{ path, direction: 'ascending' as const }],
    }));
    for (let round = 0; round < rounds(5, 200); round += 1) {
      const [name, target] = [fresh('shared'), fresh('target')];
      const prepare = async ({ models }: DocumentStore): Promise<void> => {
        await models.ensure(target, indexes);
        await models.alias(name, target);
      };
      await Promise.all([prepare(one), prepare(two), prepare(one), put(two, target, { x: { a: 1 } })]);
      assert.equal(await one.models.get(name, 'x'), { a: 1 });
    }
  });

  test('ensures indexes again and again, also when one has changed, and lets none refuse a write', async () => {
    const { one, two } = stage();
    const name = fresh('indexed');
    const sort = [{ path: 'email', direction: 'ascending' }] as const;
    await one.models.ensure(name, [{ name: 'byEmail', sort }]);
    await put(one, name, { a: { email: 'x' }, b: { email: 'x' } });
    await two.models.ensure(name, [{ name: 'byEmail', sort }]);
    const changed = [{ path: 'other.member', direction: 'descending' }] as const;
    await two.models.ensure(name, [
      { name: 'byEmail', sort: changed },
      { name: 'Other', sort },
    ]);
    await put(one, name, { c: { email: 'x' }, d: { email: null }, e: {} });
    const query = { where: { email: 'x' }, sort, limit: 10, after: null };
    assert.is((await one.models.page(name, query)).items.length, 3);
  });
};
