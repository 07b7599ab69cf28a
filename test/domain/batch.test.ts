import * as assert from 'uvu/assert';
import {
  allProcessed,
  batch,
  batchStream,
  type CompleteBatch,
  type Counts,
  countsAfter,
  NO_SESSIONS,
} from '../../domain/batch.ts';
import type { StatusChange } from '../../domain/submission/routing.ts';
import { processedStatuses, type Status } from '../../domain/submission/transitions.ts';
import { batchId, examples } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('batch');
const { BatchCompleted: completed } = examples;
const part = { batchRef: 'autumn-2026', webhookUrl: 'https://example.com/hook' };
const GRACE_MS = 300_000;
const complete: CompleteBatch = {
  type: 'CompleteBatch',
  ...completed.data,
  newestAt: '2026-11-21T10:05:00.000Z',
  graceMs: GRACE_MS,
  private: part,
};

test('a batch completes when all are processed and the newest session is as old as the grace [batches-7]', () => {
  given(batch).when(complete).then(completed);
  given(batch)
    .when({ ...complete, newestAt: '2026-11-21T10:05:00.001Z' })
    .thenRefused('BatchNotComplete');
});

test('a batch with a session that was not processed is not complete [batches-7]', () =>
  void given(batch)
    .when({ ...complete, counts: { ...complete.counts, processed: 2 } })
    .thenRefused('BatchNotComplete'));

test('a batch that all sessions have left completes after its grace too [batches-6]', () => {
  assert.is(allProcessed(NO_SESSIONS), true);
  given(batch)
    .when({ ...complete, counts: NO_SESSIONS })
    .then({ ...completed, data: { ...completed.data, counts: NO_SESSIONS } });
  given(batch)
    .when({ ...complete, counts: NO_SESSIONS, newestAt: '2026-11-21T10:05:00.001Z' })
    .thenRefused('BatchNotComplete');
});

test('a batch completes once: again is no fault, and changes nothing', () => {
  given(batch, completed).when(complete).then();
  given(batch, completed)
    .when({ ...complete, counts: { ...complete.counts, total: 9 } })
    .then();
});

test('its name and its client’s address are sealed under the batch', () => {
  assert.is(batch.subject(completed), batchId);
  assert.is(batchStream(batchId), `batch-${batchId}`);
  const { private: sealed, ...open } = completed.data;
  assert.equal(sealed, part);
  for (const text of Object.values(part)) assert.not.match(JSON.stringify(open), text);
});

/** The counts after a session went through these statuses. */
const through = (...statuses: readonly Status[]): Counts => {
  let counts = NO_SESSIONS;
  let processed = false;
  let from: Status | null = null;
  for (const to of statuses) {
    const counting = processedStatuses.includes(to);
    const move: StatusChange = {
      from,
      to,
      firstProcessed: counting && !processed,
      processed: processed || counting,
    };
    counts = countsAfter(counts, move);
    from = to;
    processed = move.processed;
  }
  return counts;
};
const counts = (total: number, processed: number, over: Partial<Counts> = {}): Counts => ({
  ...NO_SESSIONS,
  total,
  processed,
  ...over,
});

const start = ['created', 'processing'] as const;
const table: readonly (readonly [string, readonly Status[], Counts])[] = [
  ['a session joins the set when it is created', ['created'], counts(1, 0)],
  ['processing alone counts for nothing', start, counts(1, 0)],
  ['one in review is processed [lifecycle-22]', [...start, 'review'], counts(1, 1, { review: 1 })],
  [
    'review and failed and approved are what sessions are now [batches-4]',
    [...start, 'review', 'approved'],
    counts(1, 1, { approved: 1 }),
  ],
  [
    'synced counts as approved [batches-4, lifecycle-22]',
    [...start, 'approved', 'synced'],
    counts(1, 1, { approved: 1 }),
  ],
  [
    'capture_quality_blocked counts as failed [batches-4, lifecycle-22]',
    [...start, 'capture_quality_blocked'],
    counts(1, 1, { failed: 1 }),
  ],
  ['a rejected one was processed, and is none of them', [...start, 'review', 'rejected'], counts(1, 1)],
  [
    'a new round leaves it processed [batches-3, lifecycle-22]',
    [...start, 'failed', 'processing'],
    counts(1, 1),
  ],
  [
    'processed counts a session once, whatever rounds [batches-3]',
    [...start, 'failed', 'processing', 'review'],
    counts(1, 1, { review: 1 }),
  ],
  ['one cancelled before it was processed leaves the set [batches-5]', [...start, 'cancelled'], counts(0, 0)],
  ['one cancelled after it was processed stays [batches-5]', [...start, 'review', 'cancelled'], counts(1, 1)],
  ['one cancelled in its second round stays', [...start, 'failed', 'processing', 'cancelled'], counts(1, 1)],
];
for (const [title, statuses, expected] of table) {
  test(`counts: ${title}`, () => assert.equal(through(...statuses), expected));
}
