import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { DocumentStore, Fence } from '../../../stores/documents/port.ts';
import { rounds } from '../../harness.ts';
import { type Declare, fresh } from './stage.ts';

const taken = async (store: DocumentStore, lease: string, owner: string, ms = 60_000): Promise<Fence> => {
  const held = await store.leases.acquire(lease, owner, ms);
  if (!held) throw new Error(`${lease} was refused to ${owner}`);
  return held;
};

export const leaseTests: Declare = (test, stage) => {
  test('gives a lease to one holder, who may acquire it again', async () => {
    const { one, two } = stage();
    const lease = fresh('lease');
    const held = await taken(one, lease, 'a');
    assert.equal({ ...held, token: 0 }, { lease, owner: 'a', token: 0 });
    assert.is(await two.leases.acquire(lease, 'b', 60_000), null);
    assert.equal(await two.leases.acquire(lease, 'a', 60_000), held);
    assert.is((await taken(two, fresh('lease'), 'b')).owner, 'b');
  });

  test('renews only a lease that lives', async () => {
    const { one, two, pass } = stage();
    const lease = fresh('renewed');
    const held = await taken(one, lease, 'a', 2_000);
    assert.is(await two.leases.renew(held, 60_000), true);
    assert.is(await one.leases.renew({ ...held, token: held.token + 1 }, 60_000), false);
    assert.is(await one.leases.renew({ ...held, owner: 'b' }, 60_000), false);
    assert.is(await one.leases.renew({ ...held, lease: fresh('never') }, 60_000), false);
    await pass(2_500);
    assert.is(await two.leases.acquire(lease, 'b', 60_000), null);
    assert.is(await one.leases.renew(held, 20), true);
    await pass(30);
    assert.is(await one.leases.renew(held, 60_000), false);
    const next = await taken(two, lease, 'b');
    assert.ok(next.token > held.token);
    assert.is(await one.leases.renew(held, 60_000), false);
    assert.is(await two.leases.renew(next, 60_000), true);
  });

  test('lets the holder acquire again to live longer, but under a new token once it has expired', async () => {
    const { one, two, pass } = stage();
    const lease = fresh('again');
    const held = await taken(one, lease, 'a', 1_000);
    assert.equal(await one.leases.acquire(lease, 'a', 60_000), held);
    await pass(1_100);
    assert.is(await two.leases.acquire(lease, 'b', 60_000), null);
    const short = await taken(one, fresh('again'), 'a', 200);
    await pass(250);
    assert.ok((await taken(one, short.lease, 'a')).token > short.token);
  });

  test('is released by its holder alone', async () => {
    const { one, two } = stage();
    const held = await taken(one, fresh('released'), 'a');
    await two.leases.release({ ...held, owner: 'b' });
    await two.leases.release({ ...held, token: held.token - 1 });
    assert.is(await two.leases.acquire(held.lease, 'b', 60_000), null);
    await one.leases.release(held);
    const next = await taken(two, held.lease, 'b');
    assert.ok(next.token > held.token);
    await one.leases.release(held);
    assert.is(await one.leases.renew(next, 60_000), true);
  });

  test('is taken from any holder, also from its taker', async () => {
    const { one, two, pass } = stage();
    const held = await taken(one, fresh('taken'), 'a');
    const next = await two.leases.take(held.lease, 'b', 60_000);
    assert.equal([next.lease, next.owner], [held.lease, 'b']);
    assert.ok(next.token > held.token);
    assert.is(await one.leases.renew(held, 60_000), false);
    await one.leases.release(held);
    assert.is(await one.leases.acquire(held.lease, 'a', 60_000), null);
    const own = await two.leases.take(held.lease, 'b', 500);
    assert.ok(own.token > next.token);
    assert.is(await two.leases.renew(next, 60_000), false);
    await pass(600);
    assert.ok((await one.leases.take(held.lease, 'c', 60_000)).token > own.token);
    assert.is((await one.leases.take(fresh('free'), 'c', 60_000)).owner, 'c');
  });

  test('tells which leases live behind a prefix, who holds them and how long still', async () => {
    const { one, two, pass } = stage();
    const prefix = fresh('held');
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${prefix}/${name}`) as [string, string, string];
    assert.equal(await one.leases.held(prefix), []);
    const first = await taken(one, a, 'ann', 60_000);
    await taken(two, b, 'bob', 500);
    await taken(one, c, 'ann', 30_000);
    await taken(two, `${prefix}0`, 'eve');
    const told = async () => {
      const held = await two.leases.held(`${prefix}/`);
      for (const { remainingMs } of held)
        assert.ok(remainingMs > 0 && remainingMs <= 61_000, `${remainingMs}`);
      return held.map(({ lease, owner }) => [lease, owner]).sort();
    };
    assert.equal(await told(), [
      [a, 'ann'],
      [b, 'bob'],
      [c, 'ann'],
    ]);
    const [longest] = (await one.leases.held(a)).map(({ remainingMs }) => remainingMs);
    const [shorter] = (await one.leases.held(c)).map(({ remainingMs }) => remainingMs);
    assert.ok((longest ?? 0) > (shorter ?? 0));
    await pass(600);
    await one.leases.release(first);
    assert.equal(await told(), [[c, 'ann']]);
    assert.is(await one.leases.renew(await taken(two, c, 'ann'), 20), true);
    await pass(40);
    assert.equal(await told(), []);
  });

  test('lists the leases behind a prefix by name, in pages', async () => {
    const { one, two, pass } = stage();
    const prefix = `${fresh('listed')}/`;
    const names = ['b', 'a', 'ž', 'B', 'a/x'].map((name) => `${prefix}${name}`);
    for (const lease of names) await taken(one, lease, 'a');
    await taken(one, `${prefix}aa`, 'a', 200);
    await pass(250);
    const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const listed = async (...options: Parameters<typeof two.leases.held>) =>
      (await two.leases.held(...options)).map(({ lease }) => lease);
    assert.equal(await listed(prefix, { limit: 3 }), sorted.slice(0, 3));
    assert.equal(await listed(prefix, { after: sorted[2] ?? '', limit: 3 }), sorted.slice(3));
    assert.equal(await listed(prefix, { after: sorted[3] ?? '' }), sorted.slice(4));
    assert.equal(await listed(prefix), sorted);
  });

  test('breaks every lease at once', async () => {
    const { one, two } = stage();
    const held = [await taken(one, fresh('broken'), 'a'), await taken(two, fresh('broken'), 'b')];
    await one.leases.breakAll();
    for (const old of held) {
      assert.is(await two.leases.renew(old, 60_000), false);
      assert.ok((await taken(one, old.lease, 'c')).token > old.token);
    }
  });

  test(
    'raises the token with each grant and has one holder, whatever happens in between',
    async () => {
      const { one, two } = stage();
      const step = fc.constantFrom('acquire a', 'acquire b', 'release', 'stale', 'renew', 'break');
      const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const lease = fresh('tokens');
        let holder: Fence | null = null;
        let last = 0;
        for (const [n, each] of steps.entries()) {
          const { leases } = n % 2 ? one : two;
          if (each === 'break') await leases.breakAll();
          else if (each === 'release' && holder) await leases.release(holder);
          else if (each === 'stale') await leases.release({ lease, owner: 'a', token: last - 1 });
          else if (each === 'renew')
            assert.is(holder !== null && (await leases.renew(holder, 60_000)), holder !== null);
          if (each === 'break' || each === 'release') holder = null;
          if (!each.startsWith('acquire')) continue;
          const owner = each.slice(-1);
          const got: Fence | null = await leases.acquire(lease, owner, 60_000);
          if (holder) assert.equal(got, holder.owner === owner ? holder : null);
          else assert.ok(got && got.token > last, `token ${got?.token} after ${last}`);
          holder = holder ?? got;
          last = holder?.token ?? last;
        }
      });
      await fc.assert(property, { numRuns: rounds(30, 1_000) });
    },
    { timeoutMs: 120_000 },
  );

  test(
    'goes to exactly one of many who ask at once',
    async () => {
      const { one, two } = stage();
      for (let round = 0; round < rounds(25, 10_000); round += 1) {
        const lease = fresh('raced');
        const asked = Array.from({ length: 6 }, (_, n) =>
          (n % 2 ? one : two).leases.acquire(lease, `o${n}`, 60_000),
        );
        assert.is((await Promise.all(asked)).filter(Boolean).length, 1);
      }
      await one.leases.breakAll();
    },
    { timeoutMs: 300_000 },
  );
};
