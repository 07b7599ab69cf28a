import * as assert from 'uvu/assert';
import { LeaseLost } from '../../../kernel/errors.ts';
import type { Claim, Claimed, DocumentStore } from '../../../stores/documents/port.ts';
import { eventually, rounds } from '../../harness.ts';
import { type Declare, failure, fence, fresh, position, put, write } from './stage.ts';

type Work = Readonly<{ lane: string; dueAt: string | null }>;

const due = (minute: number): string => `2020-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

const claim = (store: DocumentStore, collection: string, terms: Partial<Claim> = {}) =>
  store.leases.claim<Work>({
    collection,
    owner: 'worker',
    leaseMs: 60_000,
    limit: 100,
    perLane: 100,
    skip: [],
    ...terms,
  });

const ids = (claimed: readonly Claimed<Work>[]): string => claimed.map(({ id }) => id).join(' ');

/** Work named by its lane and number: `a0`, `a1`, … due one minute after the other. */
const lanes = (counts: Readonly<Record<string, number>>): Record<string, Work> =>
  Object.fromEntries(
    Object.entries(counts).flatMap(([lane, count]) =>
      Array.from(
        { length: count },
        (_, n) => [`${lane}${n}`, { lane, dueAt: due(Math.min(n, 59)) }] as const,
      ),
    ),
  );

export const claimTests: Declare = (test, stage) => {
  test('gives what is due, each under its own lease', async () => {
    const { one, two } = stage();
    const name = fresh('queue');
    assert.equal(await claim(one, name), []);
    await put(one, name, {
      past: { lane: 'a', dueAt: due(1) },
      future: { lane: 'a', dueAt: '9999-12-31T00:00:00.000Z' },
      done: { lane: 'a', dueAt: null },
      never: { lane: 'a' },
      gone: { lane: 'a', dueAt: due(1) },
      'odd 鍵/🦉': { lane: '鍵 "', dueAt: due(1) },
    });
    await two.models.commit([write(name, 'gone', 2, null)], {}, await fence(two));
    const [past, odd, ...rest] = await claim(one, name);
    assert.equal(rest, []);
    const { token = 0 } = past?.fence ?? {};
    assert.equal(past, {
      id: 'past',
      position: position(1),
      document: { lane: 'a', dueAt: due(1) },
      fence: { lease: `${name}/past`, owner: 'worker', token },
    });
    assert.is(odd?.fence.lease, `${name}/odd 鍵/🦉`);
    assert.equal(await claim(two, name), []);
    assert.is(await two.leases.acquire(`${name}/past`, 'another', 60_000), null);
  });

  test('gives a document when its time has come', async () => {
    const { one, pass, now } = stage();
    const name = fresh('later');
    const soon = new Date(now() + 2_000).toISOString();
    await put(one, name, { x: { lane: 'a', dueAt: soon } });
    assert.is(ids(await claim(one, name)), '');
    await pass(2_050);
    assert.is(ids(await claim(one, name)), 'x');
  });

  test('gives again what was released, broken or has expired, under a greater token', async () => {
    const { one, two, pass } = stage();
    const name = fresh('again');
    await put(one, name, { x: { lane: 'a', dueAt: due(1) } });
    const tokens: number[] = [];
    const again = async (store: DocumentStore, leaseMs: number) => {
      const [claimed] = await claim(store, name, { leaseMs });
      if (!claimed) throw new Error('it was not given');
      assert.is(await store.leases.renew(claimed.fence, leaseMs), true);
      assert.equal(await claim(one, name), []);
      tokens.push(claimed.fence.token);
      return claimed.fence;
    };
    await one.leases.release(await again(one, 60_000));
    const expired = await again(two, 2_000);
    await pass(2_050);
    assert.is(await two.leases.renew(expired, 60_000), false);
    await again(one, 60_000);
    assert.is(await two.leases.renew(expired, 60_000), false);
    await two.leases.breakAll();
    const last = await again(two, 60_000);
    assert.equal(
      tokens,
      [...new Set(tokens)].sort((a, b) => a - b),
    );
    assert.instance(await failure(one.models.commit([], { [name]: position(1) }, expired)), LeaseLost);
    await one.models.commit([], { [name]: position(1) }, last);
  });

  test('takes turns over the lanes, earliest first within one', async () => {
    const { one } = stage();
    const name = fresh('turns');
    await put(one, name, lanes({ a: 4, b: 2, c: 1 }));
    assert.is(ids(await claim(one, name, { limit: 5 })), 'a0 b0 c0 a1 b1');
    assert.is(ids(await claim(one, name, { limit: 5 })), 'a2 a3');
  });

  test('takes no more than perLane of one lane at once, and none of the lanes to skip', async () => {
    const { one } = stage();
    const name = fresh('limits');
    await put(one, name, lanes({ a: 5, b: 5, c: 5, 'd "': 1 }));
    assert.is(ids(await claim(one, name, { perLane: 2, skip: ['b', 'd "', 'absent'] })), 'a0 c0 a1 c1');
    assert.is(ids(await claim(one, name, { perLane: 1, limit: 2, skip: ['a', 'c'] })), 'd "0 b0');
    assert.is(ids(await claim(one, name, { skip: ['a', 'b', 'c', 'd "'] })), '');
  });

  test('takes no more than perTenant of one tenant at once, and none of the tenants to skip', async () => {
    const { one } = stage();
    const name = fresh('tenants');
    await put(one, name, lanes({ 'a x': 3, 'a y': 3, 'ab z': 1, b: 3, 'c "': 2 }));
    assert.is(ids(await claim(one, name, { perTenant: 1, skipTenants: ['b', 'none'] })), 'a x0 ab z0 c "0');
    assert.is(ids(await claim(one, name, { skipTenants: ['a', 'c'] })), 'b0 b1 b2');
    assert.is(ids(await claim(one, name, { perTenant: 3 })), 'c "1 a x1 a y0 a x2');
    assert.is(ids(await claim(one, name, { skipTenants: ['a'] })), '');
    assert.is(ids(await claim(one, name)), 'a y1 a y2');
  });

  test(
    'goes on with the next lane, so that a long one keeps nobody waiting',
    async () => {
      const { one } = stage();
      const name = fresh('starving');
      await put(one, name, lanes({ a: rounds(500, 20_000), b: 3, c: 1, d: 1, e: 1 }));
      const order: string[] = [];
      for (let n = 0; n < 8; n += 1) order.push(ids(await claim(one, name, { limit: 1 })));
      assert.is(order.join(' '), 'a0 b0 c0 d0 e0 a1 b1 a2');
      assert.is(ids(await claim(one, name, { limit: 2, perLane: 1 })), 'b2 a3');
      await put(one, name, lanes({ f: 1 }));
      assert.is(ids(await claim(one, name, { limit: 2, perLane: 1 })), 'f0 a4');
    },
    { timeoutMs: 60_000 },
  );

  test('claims through an alias, under the name in the claim', async () => {
    const { one, two } = stage();
    const [name, first, second] = [fresh('alias'), fresh('first'), fresh('second')];
    await put(one, first, lanes({ a: 1 }));
    await put(one, second, lanes({ a: 2 }));
    await one.models.alias(name, first);
    assert.is((await claim(one, name))[0]?.fence.lease, `${name}/a0`);
    await one.models.alias(name, second);
    assert.is(ids(await claim(two, name)), 'a1');
  });

  test('claims nothing of a collection that its name no longer points at, and finds what is due in the new one', async () => {
    const { one, two } = stage();
    const [name, first, second] = [fresh('moved'), fresh('first'), fresh('second')];
    await put(one, first, { done: { lane: 'a', dueAt: null } });
    await one.models.alias(name, first);
    assert.equal(await claim(one, name), []);
    await put(two, second, lanes({ b: 1 }));
    await two.models.alias(name, second);
    const claimed = await eventually('it is found', async () => {
      const found = await claim(one, name);
      return found.length > 0 ? found : null;
    });
    assert.is(ids(claimed), 'b0');
    // By now it is known where to look, and again something is due there that nobody means.
    const third = fresh('third');
    await put(two, second, lanes({ stale: 1 }));
    await put(two, third, lanes({ c: 1 }));
    await two.models.alias(name, third);
    assert.is(ids(await claim(one, name)), 'c0');
  });

  test('finds a queue again that was dropped and filled anew', async () => {
    const { one, two } = stage();
    const name = fresh('refilled');
    await put(one, name, lanes({ a: 1 }));
    assert.is(ids(await claim(two, name)), 'a0');
    await one.models.drop(name);
    await put(one, name, lanes({ b: 1 }));
    assert.is(ids(await claim(two, name)), 'b0');
  });

  test(
    'gives each document to exactly one of many who claim at once',
    async () => {
      const { one, two } = stage();
      const races = rounds(100, 10_000);
      const name = fresh('raced');
      const winners = new Map<string, number>();
      for (let first = 0; first < races; first += 100) {
        const batch = Array.from(
          { length: 100 },
          (_, n) => [`i${first + n}`, { lane: `l${n % 7}`, dueAt: due(1) }] as const,
        );
        await put(one, name, Object.fromEntries(batch));
        const claimed = await Promise.all(
          Array.from({ length: 14 }, (_, n) => claim(n % 2 ? one : two, name, { limit: 10, owner: `w${n}` })),
        );
        for (const { id } of claimed.flat()) winners.set(id, (winners.get(id) ?? 0) + 1);
        assert.is(claimed.flat().length, 100);
        await one.models.drop(name);
      }
      assert.is(winners.size, races);
      assert.ok([...winners.values()].every((count) => count === 1));
    },
    { timeoutMs: 300_000 },
  );
};
