import * as assert from 'uvu/assert';
import { LeaseLost, StoreUnavailable } from '../../../kernel/errors.ts';
import type { DocumentStore, Fence } from '../../../stores/documents/port.ts';
import { eventually, suite } from '../../harness.ts';
import { failure, fence, fresh, position, put, write } from '../documents/stage.ts';
import { onServer, ownDatabase } from './server.ts';

const NAME = 'documents in MongoDB: what happens in the middle of a commit';

/** What is to be done when a command comes by that fits; it is done once. */
type Trap = Readonly<{ command: string; about: string; act: () => Promise<'pass' | 'cut'> }>;

onServer(NAME, () => {
  const test = suite(NAME);
  const opened: {
    database?: Awaited<ReturnType<typeof ownDatabase>>;
    one?: DocumentStore;
    two?: DocumentStore;
  } = {};
  let trap: Trap | null = null;
  const stage = () => {
    if (!opened.one || !opened.two) throw new Error('the stores are not open yet');
    return { one: opened.one, two: opened.two };
  };

  test.before(async () => {
    opened.database = await ownDatabase(undefined, async (command, message) => {
      const due = trap;
      if (due === null || due.command !== command || !message.includes(due.about)) return 'pass';
      trap = null;
      return due.act();
    });
    opened.one = opened.database.open();
    opened.two = opened.database.open();
  });
  test.after(async () => {
    await opened.one?.close();
    await opened.two?.close();
    await opened.database?.end();
  });

  const lose = async (held: Fence, how: 'released' | 'taken over' | 'broken'): Promise<void> => {
    const { leases } = stage().two;
    if (how === 'broken') return leases.breakAll();
    await leases.release(held);
    if (how === 'taken over') await leases.acquire(held.lease, 'another', 60_000);
  };

  for (const how of ['released', 'taken over', 'broken'] as const)
    test(`a lease that is ${how} after the documents were written lets no checkpoint move`, async () => {
      const { one, two } = stage();
      const name = fresh('fenced');
      const held = await fence(one);
      await one.models.commit([], { [name]: position(1), other: position(1) }, held);
      trap = {
        command: 'update',
        about: `checkpoints.${name}`,
        act: async () => {
          await lose(held, how);
          return 'pass';
        },
      };
      const late = one.models.commit(
        [write(name, 'x', 2, { v: 2 })],
        { [name]: position(2), other: position(2) },
        held,
      );
      assert.instance(await failure(late), LeaseLost);
      assert.is(trap, null);
      assert.is(await two.models.checkpoint(name), position(1));
      assert.ok((await two.models.checkpoint('other')) !== position(2));
      // What was written is what any holder would have written.
      assert.equal(await two.models.get(name, 'x'), { v: 2 });
    });

  test('a writer that moves no checkpoint and is stale writes nothing', async () => {
    const { one } = stage();
    const name = fresh('stale');
    const held = await fence(one);
    await one.leases.release(held);
    assert.instance(await failure(one.models.commit([write(name, 'x', 1, {})], {}, held)), LeaseLost);
    assert.is((await one.models.stored(name, ['x'])).size, 0);
  });

  test('what is folded on is read as the primary itself has it, anything else as a majority has it', async () => {
    const { one } = stage();
    const name = fresh('newest');
    await one.models.commit([write(name, 'x', 1, { v: 1 })], { [name]: position(1) }, await fence(one));
    trap = { command: 'find', about: 'local', act: async () => 'pass' };
    await one.models.get(name, 'x');
    assert.is.not(trap, null);
    assert.is((await one.models.stored(name, ['x'])).size, 1);
    assert.is(trap, null);
  });

  test('a crash between documents and checkpoint leaves the documents ahead, and the same commit again mends it', async () => {
    const { one, two } = stage();
    const name = fresh('crashed');
    const held = await fence(one);
    await one.models.commit([write(name, 'x', 1, { v: 1 })], { [name]: position(1) }, held);
    trap = { command: 'update', about: `checkpoints.${name}`, act: async () => 'cut' };
    const writes = [write(name, 'x', 2, { v: 2 }), write(name, 'y', 2, { v: 2 })];
    const outcome = await one.models
      .commit(writes, { [name]: position(2) }, held)
      .catch((error: unknown) => error);
    // A replica set's client tries once more by itself.
    if (outcome !== undefined) assert.instance(outcome, StoreUnavailable);
    if (outcome !== undefined) assert.is(await two.models.checkpoint(name), position(1));
    assert.equal(await two.models.get(name, 'x'), { v: 2 });
    await one.models.commit([...writes, write(name, 'x', 1, { v: 1 })], { [name]: position(2) }, held);
    assert.is(await two.models.checkpoint(name), position(2));
    assert.equal(await two.models.get(name, 'x'), { v: 2 });
    assert.equal(await two.models.get(name, 'y'), { v: 2 });
  });

  test('a document that another writer wrote first is written again if that one was older', async () => {
    const { one, two } = stage();
    for (const [other, wins] of [
      [3, { v: 5 }],
      [5, { v: 'other' }],
      [7, { v: 'other' }],
    ] as const) {
      const name = fresh('quicker');
      const rest = ['a', 'b', 'c'].map((id) => write(name, id, 5, { v: 5 }));
      trap = {
        command: 'insert',
        about: `model.${name}`,
        act: async () => {
          await two.models.commit([write(name, 'b', other, { v: 'other' })], {}, await fence(two));
          return 'pass';
        },
      };
      await one.models.commit(rest, { [name]: position(5) }, await fence(one));
      assert.is(trap, null);
      assert.equal(await one.models.get(name, 'b'), wins, `the other one wrote at ${other}`);
      assert.equal(await one.models.get(name, 'a'), { v: 5 });
      assert.equal(await one.models.get(name, 'c'), { v: 5 });
      assert.is(await one.models.checkpoint(name), position(5));
    }
  });

  test('a newer document that came between the look and the write stays', async () => {
    const { one, two } = stage();
    const name = fresh('newer');
    await put(one, name, { x: { v: 1 }, y: { v: 1 } });
    trap = {
      command: 'update',
      about: `model.${name}`,
      act: async () => {
        await two.models.commit([write(name, 'x', 9, { v: 9 })], {}, await fence(two));
        return 'pass';
      },
    };
    await one.models.commit(
      [write(name, 'x', 5, { v: 5 }), write(name, 'y', 5, { v: 5 })],
      {},
      await fence(one),
    );
    assert.is(trap, null);
    assert.equal(await one.models.get(name, 'x'), { v: 9 });
    assert.equal(await one.models.get(name, 'y'), { v: 5 });
  });

  test('a document that is done between the search and the claim is not given, and its lease ends', async () => {
    const { one, two } = stage();
    const name = fresh('done');
    await put(one, name, { x: { lane: 'a', dueAt: '2020' }, y: { lane: 'a', dueAt: '2021' } });
    const terms = { collection: name, owner: 'w', leaseMs: 60_000, limit: 5, perLane: 5, skip: [] };
    trap = {
      command: 'insert',
      about: `${name}/x`,
      act: async () => {
        const later = { lane: 'a', dueAt: '9999-12-31T00:00:00.000Z' };
        await two.models.commit([write(name, 'x', 2, later)], {}, await fence(two));
        return 'pass';
      },
    };
    assert.equal(
      (await one.leases.claim(terms)).map(({ id }) => id),
      ['y'],
    );
    assert.is(trap, null);
    assert.ok(await two.leases.acquire(`${name}/x`, 'another', 60_000));
  });

  test('a poll of a queue that does not exist yet makes no collection', async () => {
    const { one } = stage();
    const name = fresh('nothing');
    const terms = { collection: name, owner: 'w', leaseMs: 60_000, limit: 5, perLane: 5, skip: [] };
    assert.equal(await one.leases.claim(terms), []);
    const collections = await opened.database?.client.db().listCollections({}, { nameOnly: true }).toArray();
    assert.not.ok(collections?.some((found) => found.name === `model.${name}`));
  });

  test('a token that was drawn before another grant ended is not given after it', async () => {
    const { one, two } = stage();
    const lease = fresh('tokens');
    let other: Fence | null = null;
    trap = {
      command: 'insert',
      about: lease,
      act: async () => {
        other = await two.leases.acquire(lease, 'quick', 60_000);
        if (other) await two.leases.release(other);
        return 'pass';
      },
    };
    const slow = await one.leases.acquire(lease, 'slow', 60_000);
    const { token = 0 } = (other as Fence | null) ?? {};
    assert.ok(slow && token > 0 && slow.token > token, `${slow?.token} after ${token}`);
  });

  test('a document that MongoDB cannot hold is refused by name, before anything is sent', async () => {
    const { one } = stage();
    const name = fresh('large');
    const commit = (text: string) => async () =>
      one.models.commit([write(name, 'x', 1, { text })], { [name]: position(1) }, await fence(one));
    const error = await failure(commit('é'.repeat(8_500_000))());
    assert.match(error.message, new RegExp(`^the document x of ${name} is larger than the 16 MB`));
    assert.is(await one.models.checkpoint(name), null);
    await commit('é'.repeat(100_000))();
    assert.is((await one.models.get<{ text: string }>(name, 'x'))?.text.length, 100_000);
  });

  test('no row of a lease that has ended is kept, but for checkpoints', async () => {
    const { one } = stage();
    await one.leases.breakAll();
    const all = Array.from({ length: 40 }, (_, n) => [`i${n}`, { lane: 'a', dueAt: '2020' }] as const);
    const name = fresh('queue');
    await put(one, name, Object.fromEntries(all));
    const terms = { collection: name, owner: 'w', leaseMs: 500, limit: 20, perLane: 20, skip: [] };
    const expiring = await one.leases.claim(terms);
    const released = await one.leases.claim({ ...terms, leaseMs: 60_000 });
    for (const { fence } of released) await one.leases.release(fence);
    const rows = opened.database?.client.db().collection('leases');
    const mine = { keeps: { $exists: false }, _id: { $regex: `^${name}/` } as never };
    const again = await eventually('all but a new one have gone', async () => {
      const [claimed] = await one.leases.claim({ ...terms, limit: 1, leaseMs: 60_000 });
      if (!claimed || (await rows?.countDocuments(mine)) === 1) return claimed;
      return void (await one.leases.release(claimed.fence));
    });
    const tokens = [...expiring, ...released].map(({ fence }) => fence.token);
    assert.ok(again.fence.token > Math.max(...tokens));
  });
});
