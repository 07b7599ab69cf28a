import * as assert from 'uvu/assert';
import { type ClaimNext, claimNext } from '../../commands/claimNext.ts';
import { createClaims, MAX_CLAIMS, type Place } from '../../commands/claims.ts';
import { evolve, type Submission, type SubmissionEvent } from '../../domain/submission/state.ts';
import { ann } from '../controls/commands.ts';
import { type Stores, temporaryStores, withStores } from '../controls/stores.ts';
import { firstDecision, historyOf, routing } from '../controls/submission.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('claims');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

type Found = Readonly<{ submission: Submission }>;
const lane = `${routing.companyId} ${routing.mode}`;
const stateOf = (events: readonly SubmissionEvent[]): Submission => {
  const state = events.reduce<Submission | null>(evolve, null);
  if (!state) throw new Error('there are no events');
  return state;
};
const review = stateOf(historyOf.review);
const placeOf = (n: number): Place => ({ ...routing, submissionId: `sub_${String(n).padStart(4, '0')}` });
/** So many that wait, in pages of three; those of `gone` are decided in the log, and still in the queue. */
const queueOf = (count: number, gone: ReadonlyMap<number, Submission> = new Map()) => {
  const all = Array.from({ length: count }, (_, n) => placeOf(n));
  const numberOf = (id: string): number => Number(id.slice(4));
  const current = async (id: string): Promise<Found | null> => ({
    submission: gone.get(numberOf(id)) ?? review,
  });
  const page: Parameters<ClaimNext<Found>>[1] = async (after) => {
    const from = after === null ? 0 : Number(after[0]);
    const next = from + 3 < all.length ? [from + 3] : null;
    return { items: all.slice(from, from + 3), next };
  };
  return { current, page };
};

test(
  'the first that is free is claimed, page after page, until there is none',
  withStores(async ({ documents, clock }) => {
    const claims = createClaims({ leases: documents.leases, clock });
    const { current, page } = queueOf(8, new Map([[5, stateOf(historyOf.approved)]]));
    const next = claimNext({ claims, current });
    const got: string[] = [];
    await claims.take(placeOf(1), 'bob');
    for (let n = 0; n < 6; n += 1) got.push((await ofNext(next, 'ann', claims, page)) ?? 'none');
    const ids = [0, 2, 3, 4, 6, 7].map((n) => placeOf(n).submissionId);
    assert.equal(got, ids);
    assert.is(await ofNext(next, 'ann', claims, page), null);
    const held = await claims.of(lane);
    assert.is(held.size, 7, 'and none is kept of what was decided');
    assert.is(held.get(placeOf(1).submissionId), 'bob');
  }),
);

/** What the next one is to a person: of those claimed already none, as the routes have it. */
const ofNext = async (
  next: ClaimNext<Found>,
  userId: string,
  claims: ReturnType<typeof createClaims>,
  page: Parameters<ClaimNext<Found>>[1],
): Promise<string | null> => {
  const claimed = await claims.of(lane);
  const found = await next(userId, async (after) => {
    const { items, next: more } = await page(after);
    return { items: items.filter(({ submissionId }) => !claimed.has(submissionId)), next: more };
  });
  if (found === null) return null;
  assert.is(found.claim.userId, userId);
  const mine = [...(await claims.of(lane))].filter(([id, owner]) => owner === userId && !claimed.has(id));
  return mine[0]?.[0] ?? null;
};

test(
  'a claim too many ends the one that was renewed longest ago, of this person and lane alone [review-queue-10]',
  withStores(async ({ documents, clock, pass }) => {
    const claims = createClaims({ leases: documents.leases, clock });
    const take = async (n: number): Promise<void> => {
      pass(1);
      await claims.take(placeOf(n), 'ann');
    };
    await claims.take(placeOf(1_000), 'bob');
    await claims.take({ ...placeOf(1_001), mode: 'test' }, 'ann');
    for (let n = 0; n < MAX_CLAIMS; n += 1) await take(n);
    await take(0);
    assert.is((await claims.of(lane)).size, MAX_CLAIMS + 1, 'a renewal is no claim more');
    for (let n = MAX_CLAIMS; n < MAX_CLAIMS + 3; n += 1) await take(n);
    const held = await claims.of(lane);
    assert.is(held.size, MAX_CLAIMS + 1);
    const left = Array.from({ length: MAX_CLAIMS + 3 }, (_, n) => n).filter(
      (n) => held.get(placeOf(n).submissionId) === 'ann',
    );
    assert.ok(left.includes(0), 'the one that was renewed stays');
    assert.equal(left.slice(-3), [MAX_CLAIMS, MAX_CLAIMS + 1, MAX_CLAIMS + 2]);
    assert.is(held.get(placeOf(1_000).submissionId), 'bob');
    assert.is((await claims.of(`${routing.companyId} test`)).size, 1);
  }),
);

test(
  'one that waits for a second person is not for the first [review-queue-8]',
  withStores(async ({ documents, clock }) => {
    const claims = createClaims({ leases: documents.leases, clock });
    const ofKey = firstDecision('approved', undefined, ann.id);
    for (const [index, first] of [firstDecision('approved', ann), ofKey].entries()) {
      const half = stateOf([...historyOf.review, first]);
      const { current, page } = queueOf(1, new Map([[0, half]]));
      const next = claimNext({ claims, current });
      assert.is(await next(ann.id, page), null);
      assert.is((await claims.of(lane)).size, 0);
      const found = await next('usr_other', page);
      assert.is(found?.found.submission, half, `${index}`);
      await claims.release(placeOf(0), 'usr_other');
    }
  }),
);

test(
  'a claim lasts two minutes from its last renewal, by the clock of the store [review-queue-6]',
  withStores(async ({ documents, clock, pass }) => {
    const claims = createClaims({ leases: documents.leases, clock });
    const place = placeOf(1);
    const first = await claims.take(place, 'ann');
    assert.is(Date.parse(first?.until ?? '') - clock.now().getTime(), 120_000);
    pass(119_000);
    assert.is(await claims.take(place, 'bob'), null);
    assert.equal(await claims.find(place), first);
    assert.ok(await claims.take(place, 'ann'));
    pass(119_000);
    assert.is(await claims.take(place, 'bob'), null);
    pass(1_001);
    assert.is(await claims.find(place), null);
    assert.equal([...(await claims.of(lane))], []);
    assert.is((await claims.take(place, 'bob'))?.userId, 'bob');
    assert.is(await claims.take(place, 'ann'), null);
    await claims.release(place, 'ann');
    assert.is((await claims.find(place))?.userId, 'bob');
    await claims.release(place, 'bob');
    assert.is(await claims.find(place), null);
  }),
);

test(
  'claims of a company and mode are its own',
  withStores(async ({ documents, clock }) => {
    const claims = createClaims({ leases: documents.leases, clock });
    const place = placeOf(1);
    await claims.take(place, 'ann');
    await claims.take({ ...place, mode: 'test' }, 'bob');
    await claims.take({ ...place, companyId: `${place.companyId}x` }, 'eve');
    assert.equal([...(await claims.of(lane))], [[place.submissionId, 'ann']]);
    assert.equal([...(await claims.of(`${place.companyId} test`))], [[place.submissionId, 'bob']]);
    await documents.leases.acquire('projections', 'node', 15_000);
    assert.is((await claims.of(lane)).size, 1);
  }),
);

test(
  'of people who ask at once no two get the same [review-queue-9]',
  async () => {
    const { leases } = stores.documents;
    const claims = createClaims({ leases, clock: stores.clock });
    const { current, page } = queueOf(7, new Map([[2, stateOf(historyOf.rejected)]]));
    const next = claimNext({ claims, current });
    const users = Array.from({ length: 6 }, (_, n) => `usr_${n}`);
    for (let round = 0; round < rounds(50, 10_000); round += 1) {
      const got = await Promise.all(users.map((userId) => next(userId, page)));
      assert.is(got.filter((one) => one !== null).length, 6, `round ${round}`);
      const held = await claims.of(lane);
      assert.equal([...held.values()].sort(), users, 'each has one');
      assert.not.ok(held.has(placeOf(2).submissionId), 'nobody has what is decided');
      await Promise.all(
        [...held].map(([submissionId, userId]) => claims.release({ ...routing, submissionId }, userId)),
      );
    }
  },
  { timeoutMs: 1_800_000 },
);
