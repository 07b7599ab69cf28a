import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { failure } from '../../controls/stores.ts';
import { DAY_MS, GRACE_MS, type SweepStage, sweepStage } from '../../controls/sweeps.ts';
import { rounds, suite } from '../../harness.ts';

const test = suite('sweeps that race, die, wait and fail');
let stage: SweepStage;
test.before(() => {
  stage = sweepStage();
});
test.after(() => stage.remove());

const cancel = { type: 'Cancel', reason: null, actor: null } as const;

test(
  'of sweeps on many nodes at once exactly one completes a batch [batches-10]',
  async () => {
    const refs = Array.from({ length: rounds(40, 10_000) }, stage.newRef);
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
  const [before, after] = [stage.newRef(), stage.newRef()];
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
  for (const batchRef of [before, after]) assert.is(await stage.completed(batchRef), true);
});

test('a batch does not complete before the read models show the log as it was when the sweep began', async () => {
  const batchRef = stage.newRef();
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
  assert.is(await stage.completed(batchRef), false, 'the session that was opened since counts');
  await stage.sessions.run(submissionId, cancel);
  await stage.sweep();
  assert.is(await stage.completed(batchRef), true);
});

test('more than a page falls due at once', async () => {
  const sessions = await Promise.all(Array.from({ length: 70 }, () => stage.sessions.opened()));
  const refs = Array.from({ length: 70 }, stage.newRef);
  for (const batchRef of refs) await stage.sessions.inReview({ batchRef });
  stage.pass(DAY_MS);
  await stage.settled();
  await stage.sweep();
  for (const { submissionId } of sessions)
    assert.is((await stage.typesOf(submissionId)).at(-1), 'SessionExpired');
  for (const batchRef of refs) assert.is(await stage.completed(batchRef), true, batchRef);
});

test('an item that fails is reported and delays no other; an unavailable store ends the sweep', async () => {
  const [poisoned, sound] = [stage.newRef(), stage.newRef()];
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
  for (const batchRef of [poisoned, sound]) assert.is(await stage.completed(batchRef), true);
});

test('an outage in one part of a sweep does not hide an error in another', async () => {
  const sweep = stage.node({
    purgeRecords: () => Promise.reject(new StoreUnavailable('away')),
    forgetDeliveries: () => Promise.reject(new Error('a bug')),
  });
  assert.is((await failure(sweep())).message, 'a bug');
});

test('an aborted sweep ends; the next one does the rest', async () => {
  const batchRef = stage.newRef();
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
  assert.is(await stage.completed(batchRef), false);
  await stage.sweep();
  assert.is(await stage.completed(batchRef), true);
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
