import * as assert from 'uvu/assert';
import { noRetention, type Retention } from '../../domain/retention.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { statuses } from '../../domain/submission/transitions.ts';
import type { Position } from '../../kernel/event.ts';
import { collect } from '../../projections/engine/pages.ts';
import { type RetainedDocument, retained, retainedQueries } from '../../projections/retained.ts';
import { examples, logged, timeOf } from '../controls/events.ts';
import { fenceOf, type Stores, temporaryStores } from '../controls/stores.ts';
import { historyOf, routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { foldAlone, given } from './spec.ts';

const test = suite('projection of what is kept');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const { SubmissionLegalHoldPlaced: placed, SubmissionLegalHoldLifted: lifted } = examples;
const { SubmissionRedactionRequested: requested, SubmissionReprocessingRequested: again } = examples;
const { SessionExpired: expired } = examples;
const id = routing.submissionId;
const { companyId, mode } = routing;
const document: RetainedDocument = {
  ...{ id, companyId, mode, kind: 'submission', slug: 'receipt' },
  ...{ isHeld: false, endedAt: null },
};

for (const status of statuses)
  test(`it says since when a submission is at its end, in ${status} [retention-3]`, () => {
    const events = historyOf[status];
    const endedAt = ['created', 'processing', 'review'].includes(status) ? null : timeOf(events.length);
    const kind = ['created', 'cancelled'].includes(status) ? 'session' : 'submission';
    return given(retained, logged(events), () => stores).then({ [id]: { ...document, kind, endedAt } });
  });

test('a session that expired is one that was never submitted; what is processed again is at no end [retention-3, retention-4]', async () => {
  const of = (...events: readonly SubmissionEvent[]) => foldAlone(retained, logged(events))[id];
  const session = { ...document, kind: 'session', endedAt: timeOf(2) };
  assert.equal(of(...historyOf.created, expired), session);
  assert.equal(of(...historyOf.failed, again), document);
});

test('a legal hold marks it until it is lifted, and a redaction removes it [retention-7]', async () => {
  const of = (...events: readonly SubmissionEvent[]) => foldAlone(retained, logged(events))[id];
  assert.equal(of(...historyOf.review, placed), { ...document, isHeld: true });
  assert.equal(of(...historyOf.review, placed, lifted), document);
  const redacted = [...historyOf.review, requested, examples.SubmissionCancelled];
  await given(retained, logged(redacted), () => stores).then({});
});

const NOW = new Date('2026-11-21T10:00:00.000Z');
const DAY_MS = 86_400_000;
const ago = (days: number, ms = 0): string => new Date(NOW.getTime() - days * DAY_MS + ms).toISOString();

/** Documents of a company of their own, with what is due of them at `NOW` by a retention. */
let made = 0;
const company = async (rows: Readonly<Record<string, Partial<RetainedDocument>>>) => {
  const own = `cmp_${++made}`;
  const writes = Object.entries(rows).map(([name, row]) => {
    const key = `${own}/${name}`;
    const position = String(made).padStart(16, '0') as Position;
    return {
      collection: 'retained',
      id: key,
      position,
      document: { ...document, companyId: own, ...row, id: key },
    };
  });
  await stores.documents.models.commit(writes, {}, await fenceOf(stores, 'projections'));
  const queries = retainedQueries(stores.documents.models);
  const of = (over: Partial<Retention>) => ({
    ...{ companyId: own, now: NOW },
    retention: { ...noRetention, ...over },
  });
  return {
    count: (over: Partial<Retention>) => queries.count(of(over)),
    /** The names of what is due, read in pages of this size. */
    due: async (over: Partial<Retention>, size = 100, isHeld?: boolean) => {
      const { items } = await collect((limit, after) =>
        queries.due(of(over), Math.min(limit, size), after, isHeld),
      );
      return items.map((item) => item.id.slice(own.length + 1)).join(' ');
    },
    dueSince: async (over: Partial<Retention>) =>
      (await queries.due(of(over), 100, null)).items.map(({ dueSince, days }) => [dueSince, days]),
  };
};

test('due is what has been at its end for its days, and nothing sooner [retention-3, retention-4]', async () => {
  await stores.documents.models.ensure('retained', retained.indexes);
  const { due, dueSince, count } = await company({
    now: { endedAt: ago(30) },
    next: { endedAt: ago(30, 1) },
    open: { endedAt: null },
    left: { endedAt: ago(7), kind: 'session' },
    later: { endedAt: ago(7, 1), kind: 'session' },
  });
  assert.is(await due({}), '');
  assert.is(await due({ submissionDays: 30 }), 'now');
  assert.is(await due({ sessionDays: 7 }), 'left');
  assert.equal(await dueSince({ submissionDays: 20 }), [
    [ago(10), 20],
    [ago(10, 1), 20],
  ]);
  assert.equal(await count({ submissionDays: 30, sessionDays: 6 }), { due: 3, held: 0 });
});

test('the days of a workflow go before those of the company, also to keep more; workflows are apart by any name [retention-3]', async () => {
  const endedAt = ago(30);
  const { due } = await company({
    receipt: { endedAt },
    invoice: { endedAt, slug: 'invoice' },
    dashed: { endedAt, slug: 'invoice-a' },
    digit: { endedAt, slug: 'invoice0' },
    session: { endedAt, slug: 'invoice', kind: 'session' },
  });
  const names = async (over: Partial<Retention>) => (await due(over)).split(' ').sort().join(' ');
  assert.is(await names({ submissionDays: 30 }), 'dashed digit invoice receipt');
  assert.is(await names({ submissionDays: 30, workflows: { invoice: 31 } }), 'dashed digit receipt');
  assert.is(await names({ submissionDays: 90, workflows: { 'invoice-a': 1, other: 1 } }), 'dashed');
  assert.is(await names({ workflows: { invoice: 30, constructor: 1 } }), 'invoice');
  assert.is(await names({ sessionDays: 30, workflows: { invoice: 99 } }), 'session');
});

test('the longest due comes first over all workflows, in pages of any size, without another company [retention-5]', async () => {
  const rows = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, n) => [
      name,
      {
        ...{ endedAt: ago(40 + ((n * 5) % 8) / 2), slug: n % 3 === 0 ? 'receipt' : 'invoice' },
        isHeld: n % 4 === 1,
      },
    ]),
  );
  const { due, count } = await company(rows);
  await company({ other: { endedAt: ago(400) } });
  const retention = { submissionDays: 38, workflows: { invoice: 39 } };
  const since = (name: string) =>
    Date.parse(rows[name]?.endedAt ?? '') + (rows[name]?.slug === 'invoice' ? 39 : 38) * DAY_MS;
  const order = Object.keys(rows)
    .sort((one, two) => since(one) - since(two) || (one < two ? -1 : 1))
    .join(' ');
  for (const size of [1, 2, 3, 7, 8, 100]) assert.is(await due(retention, size), order, `pages of ${size}`);
  assert.is(
    await due(retention, 2, false),
    order
      .replace('b ', '')
      .replace('f ', '')
      .replace(/ [bf]$/, ''),
  );
  assert.equal(await count(retention), { due: 6, held: 2 });
});
