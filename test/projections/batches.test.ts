import * as assert from 'uvu/assert';
import type { BatchEvent } from '../../domain/batch.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { REDACTED, type Recorded } from '../../kernel/event.ts';
import { type BatchDocument, batches, batchQueries } from '../../projections/batches.ts';
import { type BatchSession, batchSessionQueries, batchSessions } from '../../projections/batchSessions.ts';
import { foldPage } from '../../projections/engine/fold.ts';
import type { Projection } from '../../projections/engine/projection.ts';
import { firstGeneration } from '../../projections/engine/readModels.ts';
import { prepareProjections } from '../../projections/engine/runner.ts';
import {
  type PendingSession,
  pendingSessionQueries,
  pendingSessions,
} from '../../projections/pendingSessions.ts';
import { batchId, examples, logged, timeOf } from '../controls/events.ts';
import { fenceOf, type Stores, temporaryStores } from '../controls/stores.ts';
import { created, historyOf, routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { foldAlone, given } from './spec.ts';

const test = suite('projections of batches');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

type Handled = SubmissionEvent | BatchEvent;
const { companyId, keyId, mode } = routing;
const sub = (n: number): string => `sub_01hv6x3m8q2r5t7w9y0a1b2c3${n}`;
const url = 'https://example.com/hook';

/** An event of the `n`th session of the batch. */
const of = (n: number, event: SubmissionEvent): SubmissionEvent =>
  ({ ...event, data: { ...event.data, submissionId: sub(n), batchId } }) as SubmissionEvent;
/** The history of the `n`th session; `webhookUrl` null: of one that wants none. */
const session = (n: number, history: readonly SubmissionEvent[], webhookUrl: string | null = url) =>
  history.map((event) =>
    of(
      n,
      event.type === 'SessionCreated'
        ? {
            ...event,
            data: {
              ...event.data,
              notifies: webhookUrl !== null,
              private: {
                ...created.data.private,
                webhookUrl,
                batchRef: 'autumn-2026',
              } as typeof created.data.private,
            },
          }
        : event,
    ),
  );
const cancelled = examples.SubmissionCancelled;

const documentOf = async (events: readonly Handled[]): Promise<BatchDocument> => {
  const recorded: readonly Recorded[] = logged(events);
  const folded = foldAlone(batches, recorded) as Record<string, BatchDocument>;
  await given(batches, recorded, () => stores).then(folded);
  const document = folded[batchId];
  if (!document) throw new Error('there is no document');
  return document;
};

test('a batch starts with its first session', async () => {
  assert.equal(await documentOf(session(1, [created])), {
    id: batchId,
    companyId,
    mode,
    batchRef: 'autumn-2026',
    named: 1,
    status: 'open',
    counts: { total: 1, processed: 0, review: 0, failed: 0, approved: 0 },
    createdAt: timeOf(1),
    completedAt: null,
    newestId: sub(1),
    newestAt: timeOf(1),
    graceFrom: null,
  });
});

test('a session outside a batch is in none', () =>
  given(batches, logged(historyOf.review), () => stores).then({}));

test('counts are those of its sessions', async () => {
  const events = [
    ...session(1, historyOf.approved),
    ...session(2, historyOf.review),
    ...session(3, historyOf.failed),
    ...session(4, historyOf.capture_quality_blocked),
    ...session(5, historyOf.processing),
    ...session(6, [created, cancelled]),
  ];
  const { counts, graceFrom } = await documentOf(events);
  assert.equal(counts, { total: 5, processed: 4, review: 1, failed: 2, approved: 1 });
  assert.is(graceFrom, null);
});

test('grace begins with the newest session once all are processed, and a newer one resets it', async () => {
  const [first = [], second = []] = [session(1, historyOf.review), session(2, historyOf.review)];
  assert.is((await documentOf(first)).graceFrom, timeOf(1));
  const open = [...first, ...second.slice(0, 1)];
  assert.is((await documentOf(open)).graceFrom, null);
  assert.is((await documentOf([...first, ...second])).graceFrom, timeOf(first.length + 1));
});

test('when the newest leaves, grace may have started with any session: the batch’s own time is the bound', async () => {
  const first = session(1, historyOf.review);
  const gone = await documentOf([...first, ...session(2, [created, cancelled])]);
  assert.equal([gone.newestId, gone.newestAt, gone.graceFrom], [null, timeOf(1), timeOf(1)]);
  assert.is(gone.counts.total, 1);
  const next = await documentOf([...first, ...session(2, [created, cancelled]), ...session(3, [created])]);
  assert.is(next.newestId, sub(3));
});

test('when another one leaves, the newest stays the newest', async () => {
  const [other, newest] = [session(1, [created, cancelled]), session(2, historyOf.review)];
  const document = await documentOf([...other.slice(0, 1), ...newest, ...other.slice(1)]);
  assert.equal([document.newestId, document.graceFrom], [sub(2), timeOf(2)]);
});

test('a batch that all sessions have left waits for its completion from when the last one left', async () => {
  const all = session(1, [created, examples.SessionExpired]);
  const { status, counts, graceFrom, newestId } = await documentOf(all);
  assert.equal([status, counts.total, graceFrom, newestId], ['open', 0, timeOf(2), null]);
  const next = await documentOf([...all, ...session(2, [created])]);
  assert.equal([next.graceFrom, next.newestAt, next.newestId], [null, timeOf(3), sub(2)]);
});

test('after completion status and time stay, and counts go on', async () => {
  const done = [...session(1, historyOf.review), examples.BatchCompleted];
  const { completedAt } = examples.BatchCompleted.data;
  const document = await documentOf(done);
  assert.equal([document.status, document.completedAt, document.graceFrom], ['completed', completedAt, null]);
  const later = await documentOf([...done, ...session(2, historyOf.approved)]);
  assert.equal([later.status, later.completedAt, later.graceFrom], ['completed', completedAt, null]);
  assert.equal([later.counts.total, later.counts.processed], [2, 2]);
});

test('its name is that of the first session whose name is not redacted', async () => {
  const hidden = session(1, [{ ...created, data: { ...created.data, private: { redacted: true } } }]).map(
    (event) =>
      event.type === 'SessionCreated'
        ? { ...event, data: { ...event.data, private: { redacted: true } as const } }
        : event,
  );
  assert.is((await documentOf(hidden)).batchRef, REDACTED);
  assert.is((await documentOf([...hidden, ...session(2, [created])])).batchRef, 'autumn-2026');
});

const sessionOf = (n: number, createdAt: string, webhookUrl: string | null = url): BatchSession => ({
  id: sub(n),
  batchId,
  left: false,
  keyId,
  createdAt,
  notifies: webhookUrl !== null,
  webhookUrl,
});

test('sessions are in the set until they leave it, and are kept as those that have', async () => {
  const sets = (events: readonly SubmissionEvent[]) => given(batchSessions, logged(events), () => stores);
  await sets(session(1, [created])).then({ [sub(1)]: sessionOf(1, timeOf(1)) });
  const gone = { [sub(1)]: { ...sessionOf(1, timeOf(1)), left: true } };
  await sets(session(1, [created, cancelled])).then(gone);
  await sets(session(1, [created, examples.SessionExpired])).then(gone);
  const processed = { ...cancelled, data: { ...cancelled.data, processed: true } };
  await sets(session(1, [...historyOf.review, processed])).then({ [sub(1)]: sessionOf(1, timeOf(1)) });
  await sets(historyOf.review).then({});
});

test('sessions are pending until they are submitted, cancelled or expired', async () => {
  const pending = (events: readonly SubmissionEvent[]) =>
    given(pendingSessions, logged(events), () => stores);
  const waiting: PendingSession = { id: routing.submissionId, expiresAt: '2026-11-22T10:00:00.000Z' };
  await pending([created]).then({ [routing.submissionId]: waiting });
  for (const end of [examples.SessionSubmitted, examples.SessionExpired, cancelled])
    await pending([created, end]).then({});
});

/** Shows events in the live read models of stores of their own. */
const shown = async (
  events: readonly Handled[],
  body: (models: Stores['documents']['models']) => Promise<void>,
) => {
  const own = temporaryStores();
  try {
    const { models } = own.documents;
    const fence = await fenceOf(own, 'projections');
    const projections: readonly Projection[] = [batches, batchSessions, pendingSessions];
    await prepareProjections(projections, models);
    for (const projection of projections)
      await models.commit(
        (await foldPage(firstGeneration(projection), logged(events), models, new Map())).writes,
        {},
        fence,
      );
    await body(models);
  } finally {
    await own.remove();
  }
};

test('the newest session in the set, and the newest that has an address, are found also when the newest has left', () =>
  shown(
    [
      ...session(1, [created]),
      ...session(2, [created], null),
      ...session(3, [created]),
      ...session(3, [cancelled]),
    ],
    async (models) => {
      const { newest, newestNotified } = batchSessionQueries(models);
      assert.equal(await newest(batchId, false), sessionOf(2, timeOf(2), null));
      assert.equal(await newestNotified(batchId, false), sessionOf(1, timeOf(1)));
      assert.equal(await newest(batchId, true), { ...sessionOf(3, timeOf(3)), left: true });
      assert.is(await newest('a'.repeat(64), false), null);
    },
  ));

test('only open batches whose grace may have ended wait for the sweep', async () => {
  const waiting = async (events: readonly Handled[], time: string): Promise<number> => {
    let found = 0;
    await shown(events, async (models) => {
      found = (await batchQueries(models).waiting(time, 10, null)).items.length;
    });
    return found;
  };
  const done = session(1, historyOf.review);
  assert.is(await waiting(done, timeOf(2)), 1);
  assert.is(await waiting(done, timeOf(1)), 0, 'its grace begins then');
  assert.is(await waiting([...done, ...session(2, [created])], timeOf(59)), 0);
  assert.is(await waiting([...done, examples.BatchCompleted], timeOf(59)), 0);
});

test('expired sessions are found, earliest first', () =>
  shown(session(1, [created]), async (models) => {
    const { expiring } = pendingSessionQueries(models);
    const expiresAt = '2026-11-22T10:00:00.000Z';
    assert.equal((await expiring('2026-11-22T10:00:00.001Z', 10, null)).items, [{ id: sub(1), expiresAt }]);
    assert.equal((await expiring(expiresAt, 10, null)).items, []);
  }));
