import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { createLanes, LANE_LIMITS, type LaneLimits } from '../../outbound/lanes.ts';
import type { Capacity } from '../../stores/documents/port.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('webhook lanes');
const limits: LaneLimits = {
  ...{ total: 20, lane: 8, unproven: 4, perClaim: 2, crowd: 20, crowded: 2 },
  ...{ slow: 4, slowAfter: 3, remembered: 50 },
  ...{ company: 12, perCompanyClaim: 5 },
};
const free = { limit: 20, perLane: 2, skip: [], perTenant: 5, skipTenants: [] };

const failing = (lane: string, times: number, lanes = createLanes(limits)) => {
  for (let count = 0; count < times; count += 1) {
    lanes.started(lane);
    lanes.finished(lane, false);
  }
  return lanes;
};

/** Takes `count` deliveries of a lane under way. */
const take = (lanes: ReturnType<typeof createLanes>, lane: string, count: number): void => {
  for (let taken = 0; taken < count; taken += 1) lanes.started(lane);
};

test('at first everything is free', () => assert.equal(createLanes(limits).nextClaim(), free));

test('attempts in flight count against the total of all lanes', () => {
  const lanes = createLanes(limits);
  for (let lane = 0; lane < 10; lane += 1) take(lanes, `lane ${lane}`, 2);
  assert.is(lanes.nextClaim().limit, 0);
  lanes.finished('lane 3', true);
  assert.is(lanes.nextClaim().limit, 1);
});

test('an unproven lane gets few places, a proven one up to its limit [webhooks-26]', () => {
  const lanes = createLanes(limits);
  take(lanes, 'a', 2);
  assert.equal(lanes.nextClaim().skip, [], 'those that hang leave room for others');
  take(lanes, 'a', 1);
  assert.equal(lanes.nextClaim().skip, ['a'], 'another claim might pass 4');
  lanes.finished('a', true);
  assert.equal(lanes.nextClaim().skip, []);
  take(lanes, 'a', 4);
  assert.equal(lanes.nextClaim().skip, []);
  take(lanes, 'a', 1);
  assert.equal(lanes.nextClaim().skip, ['a']);
});

test('a receiver that has answered well waits for none of its deliveries that hang [webhooks-25]', () => {
  const lanes = createLanes(limits);
  lanes.started('a');
  lanes.finished('a', true);
  take(lanes, 'a', 6);
  assert.equal(lanes.nextClaim().skip, []);
  lanes.finished('a', false);
  assert.equal(lanes.nextClaim().skip, ['a'], 'it has to prove itself anew');
});

test('three failures in a row make a lane slow, a success makes it fast again [webhooks-24]', () => {
  const lanes = failing('dead', 2);
  lanes.started('dead');
  lanes.finished('dead', true);
  failing('dead', 3, lanes);
  failing('other', 3, lanes);
  failing('third', 3, lanes);
  // Room for four attempts of slow lanes: two lanes of two.
  assert.is(lanes.nextClaim().skip.length, 1);
  lanes.started('dead');
  lanes.finished('dead', true);
  assert.equal(lanes.nextClaim().skip, []);
});

test('two failures make no lane slow', () => {
  const lanes = createLanes(limits);
  for (const lane of ['a', 'b', 'c', 'd']) failing(lane, 2, lanes);
  assert.equal(lanes.nextClaim().skip, []);
});

test('an aborted attempt has no outcome', () => {
  const lanes = createLanes(limits);
  for (const lane of ['a', 'b', 'c']) {
    failing(lane, 2, lanes);
    lanes.started(lane);
    lanes.finished(lane, null);
  }
  assert.equal(lanes.nextClaim().skip, []);
  for (const lane of ['a', 'b', 'c']) failing(lane, 1, lanes);
  assert.is(lanes.nextClaim().skip.length, 1);
});

test('all slow lanes together have little capacity, in turn, and healthy lanes the rest', () => {
  const lanes = createLanes(limits);
  const dead = Array.from({ length: 6 }, (_, index) => `dead ${index}`);
  for (const lane of dead) failing(lane, 3, lanes);
  const offered = [1, 2, 3].map(() => {
    const { skip } = lanes.nextClaim();
    return dead.filter((lane) => !skip.includes(lane));
  });
  assert.equal(
    offered.map((lanesOffered) => lanesOffered.length),
    [2, 2, 2],
  );
  assert.equal(offered.flat().sort(), dead);
  for (const lane of offered[0] ?? []) take(lanes, lane, 2);
  assert.equal([...lanes.nextClaim().skip].sort(), dead);
  assert.is(lanes.nextClaim().limit, 16);
});

test('one company takes no more than its part, however many addresses it has', () => {
  const lanes = createLanes(limits);
  for (let n = 0; n < 7; n += 1) lanes.started(`cmp_a live https://a${n}.example`);
  lanes.started('cmp_b live https://b.example');
  assert.equal(lanes.nextClaim().skipTenants, []);
  lanes.started('cmp_a test https://a.example');
  assert.equal(lanes.nextClaim().skipTenants, ['cmp_a'], 'another claim might pass 12');
  lanes.finished('cmp_a live https://a3.example', true);
  assert.equal(lanes.nextClaim().skipTenants, []);
});

test('of failing lanes only the newest are kept in mind, until they end well', () => {
  const lanes = createLanes(limits);
  for (let lane = 0; lane < 1_000; lane += 1) failing(`dead ${lane}`, 3, lanes);
  assert.is(lanes.nextClaim().skip.length, limits.remembered - 2);
  for (let lane = 0; lane < 1_000; lane += 1) {
    lanes.started(`dead ${lane}`);
    lanes.finished(`dead ${lane}`, true);
  }
  assert.equal(lanes.nextClaim(), free);
});

test('lanes that have ended well are forgotten before those that fail', () => {
  const lanes = createLanes(limits);
  const dead = ['dead a', 'dead b', 'dead c'];
  for (const lane of dead) failing(lane, 3, lanes);
  for (let lane = 0; lane < 200; lane += 1) {
    lanes.started(`live ${lane}`);
    lanes.finished(`live ${lane}`, true);
  }
  assert.is(lanes.nextClaim().skip.length, 1, 'there is room for two slow lanes');
});

test('a lane in flight is never forgotten', () => {
  const lanes = createLanes(limits);
  take(lanes, 'long', 4);
  for (let lane = 0; lane < 200; lane += 1) failing(`dead ${lane}`, 3, lanes);
  assert.ok(lanes.nextClaim().skip.includes('long'));
  assert.is(lanes.nextClaim().limit, 16);
});

test('no order of claims and outcomes passes a limit [webhooks-26]', () => {
  const crowding: LaneLimits = { ...limits, crowd: 8 };
  const names = Array.from({ length: 12 }, (_, index) => `lane ${index}`);
  const step = fc.record({
    // What is due: how many deliveries of which lanes a claim would find.
    due: fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(5)), { maxLength: 12 }),
    ends: fc.array(fc.tuple(fc.nat(30), fc.constantFrom(true, false, false, null)), { maxLength: 20 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const lanes = createLanes(crowding);
      const failures = new Map<string, number>();
      const proven = new Set<string>();
      let flying: string[] = [];
      for (const { due, ends } of steps) {
        const { limit, perLane, skip, perTenant = 0, skipTenants = [] } = lanes.nextClaim();
        // All of these lanes are one company's.
        const claimed = skipTenants.includes('lane')
          ? []
          : [...new Map(due)]
              .filter(([lane]) => !skip.includes(lane))
              .flatMap(([lane, count]) => new Array<string>(Math.min(count, perLane)).fill(lane))
              .slice(0, Math.min(limit, perTenant));
        const slowBefore = flying.filter((lane) => (failures.get(lane) ?? 0) >= limits.slowAfter).length;
        const slowClaimed = claimed.filter((lane) => (failures.get(lane) ?? 0) >= limits.slowAfter).length;
        assert.ok(slowClaimed === 0 || slowBefore + slowClaimed <= limits.slow, 'slow limit');
        const isCrowded = flying.filter((lane) => !proven.has(lane)).length >= crowding.crowd;
        const unproven = isCrowded ? limits.crowded : limits.unproven;
        for (const lane of claimed) lanes.started(lane);
        flying = [...flying, ...claimed];
        assert.ok(flying.length <= Math.min(limits.total, limits.company), 'total and company limit');
        for (const lane of names) {
          const count = flying.filter((other) => other === lane).length;
          assert.ok(count <= limits.lane, 'lane limit');
          assert.ok(
            !claimed.includes(lane) ||
              proven.has(lane) ||
              (failures.get(lane) ?? 0) >= limits.slowAfter ||
              count <= unproven,
            'unproven limit',
          );
        }
        for (const [index, succeeded] of ends) {
          const lane = flying[index];
          if (lane === undefined) continue;
          flying = flying.filter((_, place) => place !== index);
          lanes.finished(lane, succeeded);
          if (succeeded !== null) proven[succeeded ? 'add' : 'delete'](lane);
          if (succeeded !== null) failures.set(lane, succeeded ? 0 : (failures.get(lane) ?? 0) + 1);
        }
      }
    }),
    { numRuns: rounds(100, 5_000) },
  );
});

/** Claims as a store does, for lanes with endless work: one of each lane in turn. */
const claimFrom = (names: readonly string[], { limit, perLane, skip }: Capacity): readonly string[] => {
  const open = names.filter((name) => !skip.includes(name));
  return Array.from({ length: perLane }, () => open)
    .flat()
    .slice(0, limit);
};

for (const failedBefore of [0, 1, 2])
  test(`receivers that hang leave places for others, with ${failedBefore} failures before`, () => {
    const lanes = createLanes();
    const hanging = Array.from({ length: 22 }, (_, n) => `cmp_${n} live https://hangs.example`);
    const live = Array.from({ length: 8 }, (_, n) => `cmp_live${n} live https://live.example`);
    for (const lane of hanging) failing(lane, failedBefore, lanes);
    const hangs = new Set(hanging);
    const answered: number[] = [];
    let held = 0;
    for (let claims = 0; claims < 100; claims += 1) {
      const claimed = claimFrom([...hanging, ...live], lanes.nextClaim());
      for (const lane of claimed) lanes.started(lane);
      const ended = claimed.filter((lane) => !hangs.has(lane));
      for (const lane of ended) lanes.finished(lane, true);
      answered.push(ended.length);
      held += claimed.length - ended.length;
    }
    assert.ok(
      answered.slice(10).every((count) => count >= live.length),
      answered.join(' '),
    );
    assert.ok(held <= LANE_LIMITS.total / 2, `those that hang have ${held} places`);
  });

test('dead receivers never use up the capacity', () => {
  // 40 dead lanes with endless work; after their first outcomes, healthy ones find nearly everything free.
  const lanes = createLanes();
  for (let lane = 0; lane < 40; lane += 1) {
    take(lanes, `dead ${lane}`, LANE_LIMITS.unproven);
    for (let count = 0; count < LANE_LIMITS.unproven; count += 1) lanes.finished(`dead ${lane}`, false);
  }
  const { skip } = lanes.nextClaim();
  const offered = 40 - skip.length;
  assert.ok(offered * LANE_LIMITS.perClaim <= LANE_LIMITS.slow, `${offered} dead lanes are offered`);
});
