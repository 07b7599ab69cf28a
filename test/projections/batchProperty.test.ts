import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { evolve, type Submission } from '../../domain/submission/state.ts';
import type { Status } from '../../domain/submission/transitions.ts';
import type { Recorded } from '../../kernel/event.ts';
import { type BatchDocument, batches } from '../../projections/batches.ts';
import { type BatchSession, batchSessions } from '../../projections/batchSessions.ts';
import { type PendingSession, pendingSessions } from '../../projections/pendingSessions.ts';
import { batchId } from '../controls/events.ts';
import { batchLogs } from '../controls/histories.ts';
import { long, rounds, suite } from '../harness.ts';
import { foldAlone } from './spec.ts';

const test = suite('batches over random histories');

/** Each submission as it stands after a log, with the time of its first event. */
const submissionsOf = (events: readonly Recorded[]) => {
  const found = new Map<string, { state: Submission | null; createdAt: string }>();
  for (const event of events as readonly Recorded<SubmissionEvent>[]) {
    const { submissionId } = event.data;
    const before = found.get(submissionId) ?? { state: null, createdAt: event.metadata.at };
    found.set(submissionId, { ...before, state: evolve(before.state, event) });
  }
  return [...found].flatMap(([id, { state, createdAt }]) => (state ? [{ id, createdAt, ...state }] : []));
};

test('counts, members and the newest session are those of a count over all events', () => {
  const seen = { left: 0, waiting: 0, newestLeft: 0 };
  const property = fc.property(batchLogs, (events) => {
    const sessions = submissionsOf(events);
    const set = sessions.filter(({ status, processed }) => status !== 'cancelled' || processed);
    const now = (...statuses: readonly Status[]) =>
      set.filter(({ status }) => statuses.includes(status)).length;
    const batch = foldAlone(batches, events)[batchId] as BatchDocument;
    const processed = set.filter((session) => session.processed).length;
    assert.equal(batch.counts, {
      total: set.length,
      processed,
      review: now('review'),
      failed: now('failed', 'capture_quality_blocked'),
      approved: now('approved', 'synced'),
    });
    const members = Object.values(foldAlone(batchSessions, events)) as readonly BatchSession[];
    const inSet = members.filter(({ left }) => !left).map(({ id }) => id);
    assert.equal(inSet.sort(), set.map(({ id }) => id).sort());
    assert.is(members.length, sessions.length);
    const pending = Object.values(foldAlone(pendingSessions, events)) as readonly PendingSession[];
    const waiting = sessions.filter(({ state }) => state === 'pending');
    assert.equal(pending.map(({ id }) => id).sort(), waiting.map(({ id }) => id).sort());

    const newest = set
      .map(({ createdAt }) => createdAt)
      .sort()
      .at(-1);
    assert.is(batch.graceFrom !== null, processed === set.length);
    // Never later than its grace begins: the sweep would find the batch too late.
    if (newest !== undefined) assert.ok(batch.newestAt <= newest);
    if (batch.newestId !== null) assert.is(batch.newestAt, newest);
    seen.left += Number(set.length < sessions.length);
    seen.waiting += Number(batch.graceFrom !== null);
    seen.newestLeft += Number(batch.newestId === null && set.length > 0);
  });
  fc.assert(property, { numRuns: rounds(300, 5_000), ...(long ? {} : { seed: 20261121 }) });
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 0, `${what}: ${times}`);
});
