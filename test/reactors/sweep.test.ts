import * as assert from 'uvu/assert';
import type { Cancel } from '../../domain/submission/review.ts';
import { StoreUnavailable } from '../../stores/errors.ts';
import { failure } from '../controls/stores.ts';
import { DAY_MS, GRACE_MS, type SweepStage, sweepStage } from '../controls/sweeps.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('sweep');
let stage: SweepStage;
let named = 0;
test.before(() => {
  stage = sweepStage();
});
test.after(() => stage.remove());

/** A name that no other test has used. */
const newRef = (): string => `ref-${++named}`;
const cancel: Cancel = { type: 'Cancel', reason: null, actor: null };
const stateOf = async (submissionId: string) => {
  const { events } = await stage.log.load(`submission-${submissionId.slice(4)}`);
  return events.map(({ type }) => type);
};
const completed = async (batchRef: string): Promise<boolean> =>
  (await stage.completions(batchRef)).length === 1;

test('a batch completes as soon as its newest session is as old as the grace, and not before', async () => {
  const batchRef = newRef();
  await stage.sessions.inReview({ batchRef });
  await stage.sweep();
  stage.pass(GRACE_MS - 1);
  await stage.sweep();
  assert.is(await completed(batchRef), false);
  stage.pass(1);
  await stage.sweep();
  const [event] = await stage.completions(batchRef);
  assert.equal(event?.data.counts, { total: 1, processed: 1, review: 1, failed: 0, approved: 0 });
  assert.is(event?.data.completedAt, stage.clock.now().toISOString());
  assert.equal(event?.metadata.actor, { kind: 'system', id: 'sweep' });
});

test('a session that is not processed holds its batch open', async () => {
  const batchRef = newRef();
  await stage.sessions.inReview({ batchRef });
  const { submissionId } = await stage.sessions.withFile({ batchRef });
  await stage.sessions.submit(submissionId);
  stage.pass(2 * GRACE_MS);
  await stage.sweep();
  assert.is(await completed(batchRef), false);
});

test('a newer session starts the grace anew', async () => {
  const batchRef = newRef();
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS - 1);
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS - 1);
  await stage.sweep();
  assert.is(await completed(batchRef), false);
  stage.pass(1);
  await stage.sweep();
  assert.is(await completed(batchRef), true);
});

test('when the newest session leaves the set, grace counts from the next', async () => {
  const batchRef = newRef();
  await stage.sessions.inReview({ batchRef });
  stage.pass(1_000);
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS - 1_000);
  const { submissionId } = await stage.sessions.opened({ batchRef });
  await stage.sessions.run(submissionId, cancel);
  await stage.sweep();
  assert.is(await completed(batchRef), false, 'the first is old enough, the second is not');
  assert.equal(stage.lines, [], 'that is no failure');
  stage.pass(1_000);
  await stage.sweep();
  const [event] = await stage.completions(batchRef);
  assert.is(event?.data.counts.total, 2);
});

test('a set that all have left stays open', async () => {
  const batchRef = newRef();
  const { submissionId } = await stage.sessions.opened({ batchRef });
  await stage.sessions.run(submissionId, cancel);
  stage.pass(2 * GRACE_MS);
  await stage.sweep();
  assert.equal((await stage.shown(batchRef))?.counts.total, 0);
  assert.is(await completed(batchRef), false);
});

test('later sessions raise the counts and complete nothing again', async () => {
  const batchRef = newRef();
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS);
  await stage.sweep();
  const before = await stage.shown(batchRef);
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS);
  await stage.sweep();
  const after = await stage.shown(batchRef);
  assert.equal([before?.counts.total, after?.counts.total], [1, 2]);
  assert.equal([after?.status, after?.completedAt], ['completed', before?.completedAt]);
  assert.is(await completed(batchRef), true);
});

test('a pending session expires when its time is over, and leaves its batch', async () => {
  const batchRef = newRef();
  const { submissionId } = await stage.sessions.opened({ batchRef });
  stage.pass(1);
  await stage.sessions.inReview({ batchRef });
  stage.pass(DAY_MS - 2);
  await stage.settled();
  await stage.sweep();
  assert.equal(await stateOf(submissionId), ['SessionCreated']);
  stage.pass(1);
  await stage.sweep();
  assert.equal(await stateOf(submissionId), ['SessionCreated', 'SessionExpired']);
  await stage.sweep();
  assert.equal((await stage.completions(batchRef))[0]?.data.counts.total, 1);
});

test('a submitted session does not expire, though the read models still show it as pending', async () => {
  const { submissionId } = await stage.sessions.withFile();
  await stage.settled();
  await stage.sessions.submit(submissionId);
  stage.pass(DAY_MS);
  await stage.node({ progress: { reached: async () => true } })();
  assert.equal(await stateOf(submissionId), ['SessionCreated', 'SessionSubmitted']);
  await stage.settled();
});

test('whom a completion tells: the newest session in the set that has an address, else nobody', async () => {
  const batchRef = newRef();
  const addressed = await stage.sessions.inReview({
    batchRef,
    webhookUrl: 'https://example.com/one',
    keyId: 'key_1',
  });
  stage.pass(1);
  await stage.sessions.inReview({ batchRef, webhookUrl: null });
  stage.pass(1);
  const gone = await stage.sessions.opened({ batchRef, webhookUrl: 'https://example.com/gone' });
  await stage.sessions.run(gone.submissionId, cancel);
  const silent = newRef();
  const only = await stage.sessions.inReview({ batchRef: silent, webhookUrl: null });
  stage.pass(GRACE_MS);
  await stage.sweep();
  const [event] = await stage.completions(batchRef);
  const { submissionId, keyId, notifies } = event?.data ?? {};
  assert.equal([submissionId, keyId, notifies], [addressed, 'key_1', true]);
  assert.equal(event?.data.private, { batchRef, webhookUrl: 'https://example.com/one' });
  const [quiet] = await stage.completions(silent);
  assert.equal([quiet?.data.submissionId, quiet?.data.notifies], [only, false]);
});

test(
  'of sweeps on many nodes at once exactly one completes a batch',
  async () => {
    const refs = Array.from({ length: rounds(40, 10_000) }, newRef);
    for (let start = 0; start < refs.length; start += 50) {
      const some = refs.slice(start, start + 50);
      await Promise.all(some.map((batchRef) => stage.sessions.inReview({ batchRef })));
    }
    stage.pass(GRACE_MS);
    await stage.settled();
    // The read models stand still meanwhile, so that every node takes every batch for one to complete.
    const blind = { progress: { reached: async () => true } };
    const nodes = Array.from({ length: 6 }, () => stage.node(blind));
    await Promise.all([...nodes, ...nodes].map((sweep) => sweep()));
    for (const batchRef of refs) assert.is((await stage.completions(batchRef)).length, 1, batchRef);
    await stage.settled();
  },
  { timeoutMs: 600_000 },
);

test('a sweep that dies before it appends, or right after, is healed by the next one', async () => {
  const [before, after] = [newRef(), newRef()];
  await stage.sessions.inReview({ batchRef: before });
  await stage.sessions.inReview({ batchRef: after });
  stage.pass(GRACE_MS);
  await stage.settled();
  const dying = stage.node({
    completeBatch: async () => {
      throw new StoreUnavailable('killed');
    },
  });
  await failure(dying());
  await stage.node({ progress: { reached: async () => true } })();
  assert.is(
    (await stage.shown(after))?.status,
    'completed',
    'stored, though nobody had seen it when it died',
  );
  await stage.sweep();
  for (const batchRef of [before, after]) assert.is(await completed(batchRef), true);
});

test('a batch does not complete before the read models show the log as it was when the sweep began', async () => {
  const batchRef = newRef();
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS);
  await stage.settled();
  const { submissionId } = await stage.sessions.opened({ batchRef });
  const asked: string[] = [];
  const late = stage.node({
    progress: {
      reached: async (position) => {
        asked.push(position);
        return asked.length > 1 && stage.settled();
      },
    },
  });
  await late();
  assert.equal(asked, [await stage.log.head(), await stage.log.head()], 'it asks until they show it');
  assert.is(await completed(batchRef), false, 'the session that was opened since counts');
  await stage.sessions.run(submissionId, cancel);
  await stage.sweep();
  assert.is(await completed(batchRef), true);
});

test('more than a page falls due at once', async () => {
  const sessions = await Promise.all(Array.from({ length: 70 }, () => stage.sessions.opened()));
  const refs = Array.from({ length: 70 }, newRef);
  for (const batchRef of refs) await stage.sessions.inReview({ batchRef });
  stage.pass(DAY_MS);
  await stage.settled();
  await stage.sweep();
  for (const { submissionId } of sessions) assert.is((await stateOf(submissionId)).at(-1), 'SessionExpired');
  for (const batchRef of refs) assert.is(await completed(batchRef), true, batchRef);
});

test('a piece that fails is reported and holds up no other; a store that is away ends the sweep', async () => {
  const [poisoned, sound] = [newRef(), newRef()];
  for (const batchRef of [poisoned, sound]) await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS);
  const seen: string[] = [];
  const completing = (error: Error) =>
    stage.node({
      completeBatch: async ({ batchRef }) => {
        if (batchRef === poisoned) throw error;
        seen.push(batchRef);
      },
    });
  await completing(new Error('poison'))();
  assert.equal(seen, [sound]);
  const line = stage.lines.at(-1);
  assert.equal(
    [line?.level, line?.facts],
    ['error', { id: stage.batchIdOf(poisoned), err: new Error('poison') }],
  );
  assert.is((await failure(completing(new StoreUnavailable('away'))())).name, 'StoreUnavailable');
  await stage.sweep();
  for (const batchRef of [poisoned, sound]) assert.is(await completed(batchRef), true);
});

test('a sweep that is told to stop ends, and leaves the rest to the next one', async () => {
  const batchRef = newRef();
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS);
  const stop = new AbortController();
  const progress = {
    reached: async () => {
      stop.abort();
      return false;
    },
  };
  await stage.node({ progress })(stop.signal);
  assert.is(await completed(batchRef), false);
  await stage.sweep();
  assert.is(await completed(batchRef), true);
});

test('with nothing due a sweep is two look-ups and appends nothing', async () => {
  await stage.settled();
  await stage.sweep();
  const head = await stage.log.head();
  let asked = 0;
  const nothing = async () => {
    asked += 1;
    return { items: [], next: null };
  };
  await stage.node({ expiring: nothing, waiting: nothing })();
  assert.is(asked, 2);
  assert.is(await stage.log.head(), head);
});

test('each sweep purges records of idempotency keys', async () => {
  let purged = 0;
  const purgeRecords = async (): Promise<void> => {
    purged += 1;
  };
  const sweep = stage.node({ purgeRecords });
  await sweep();
  await sweep();
  assert.is(purged, 2);
});
