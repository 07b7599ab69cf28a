import * as assert from 'uvu/assert';
import { fingerprintSubmission } from '../../../commands/fingerprintSubmission.ts';
import type { FingerprintedPage, VisualFingerprint } from '../../../domain/fraud/pages.ts';
import { submissionStream } from '../../../domain/submission/submission.ts';
import type { WorkflowVersion } from '../../../domain/workflow.ts';
import type { Recorded } from '../../../kernel/event.ts';
import { TransientFailure } from '../../../processing/errors.ts';
import { checkFraud } from '../../../processing/fraud/checkFraud.ts';
import { compareAll } from '../../../processing/fraud/similarity/compareAll.ts';
import { foldPage } from '../../../projections/engine/fold.ts';
import { firstGeneration } from '../../../projections/engine/readModels.ts';
import { prepareProjections } from '../../../projections/engine/runner.ts';
import { fraudIndex, fraudQueries } from '../../../projections/fraudIndex.ts';
import { type Sessions, sessionsOn } from '../../controls/sessions.ts';
import { context, failure, fenceOf, type Stores, temporaryStores } from '../../controls/stores.ts';
import { extraction } from '../../controls/submission.ts';
import { version } from '../../controls/workflow.ts';
import { rounds, suite } from '../../harness.ts';

const test = suite('checkFraud');
let stores: Stores;
let sessions: Sessions;
test.before(async () => {
  stores = temporaryStores();
  sessions = sessionsOn(stores);
  await prepareProjections([fraudIndex], stores.documents.models);
});
test.after(() => stores.remove());

const { processing } = version;
const versionOf = (fraud: Partial<WorkflowVersion['processing']['fraud']>): WorkflowVersion => ({
  ...version,
  processing: { ...processing, fraud: { ...processing.fraud, ...fraud } },
});
const byFile = versionOf({ checks: ['duplicate_file'] });
const policy = { flagAt: 0.5, blockAt: 0.9, requireResolution: true };

/** Brings the index to where the log is. */
const show = async (): Promise<boolean> => {
  const { log, documents } = stores;
  const stop = new AbortController();
  const fence = await fenceOf(stores, 'projections');
  for await (const page of log.follow(null, { prefixes: ['submission-'], page: 500, signal: stop.signal })) {
    const { writes } = await foldPage(firstGeneration(fraudIndex), page.events, documents.models, new Map());
    await documents.models.commit(writes, {}, fence);
    if (page.live) stop.abort();
  }
  return true;
};

const started = async (): Promise<string> => {
  const { submissionId } = await sessions.withFile();
  await sessions.submit(submissionId);
  await begin(submissionId);
  return submissionId;
};
const begin = (submissionId: string) =>
  sessions.run(submissionId, { type: 'StartProcessing', maxAttempts: 50, at: '2026-11-22T10:00:00.000Z' });
const end = (submissionId: string, round = 1) =>
  sessions.run(submissionId, {
    type: 'RecordResult',
    round,
    attempt: 1,
    result: { kind: 'failed', reason: 'x' },
  });

/** Compares as the child process does, here. */
const processor = {
  compare: async (prints: readonly VisualFingerprint[], others: readonly (readonly VisualFingerprint[])[]) =>
    compareAll(prints, others, () => 0),
};

/** A check of the submission as it is now; without `reached` the index is brought up to date first. */
const check = async (
  submissionId: string,
  {
    sha256 = 'aa',
    reached = show,
    of = byFile,
    pages = [],
  }: Partial<
    Readonly<{
      sha256: string;
      reached: typeof show;
      of: WorkflowVersion;
      pages: readonly FingerprintedPage[];
    }>
  > = {},
) => {
  const { state } = await sessions.run(submissionId, { type: 'ExpireSession', at: '' });
  if (!state) throw new Error('there is no such submission');
  const ports = {
    fingerprint: fingerprintSubmission(stores.handle, stores.log),
    index: fraudQueries(stores.documents.models),
    progress: { reached },
    ids: stores.ids,
    log: stores.log,
    processor,
    onSkipped: () => undefined,
    hide: (...trait: readonly string[]) => trait.join(' '),
  };
  const files = [{ fileId: 'fil_1', label: 'front', sha256 }];
  return checkFraud(ports)(state, of, { files, pages, extraction }, context, new AbortController().signal);
};
const matched = (result: Awaited<ReturnType<typeof check>>) =>
  result?.matches.map(({ matchedSubmissionId }) => matchedSubmissionId);
const places = async (submissionId: string) => {
  const { events } = await stores.log.load(submissionStream(submissionId));
  return (events as readonly Recorded[]).filter(({ type }) => type === 'SubmissionFingerprinted');
};

test('a version without checks is not checked, and leaves no fingerprint', async () => {
  const submissionId = await started();
  assert.is(await check(submissionId, { of: version }), null);
  assert.equal(await places(submissionId), []);
});

test('without traits there are no matches, and no event', async () => {
  const submissionId = await started();
  const of = versionOf({ checks: ['duplicate_data'], businessKey: ['company'] });
  assert.equal(await check(submissionId, { of }), { matches: [], policy });
  assert.equal(await places(submissionId), []);
});

test('the fingerprint is hidden under company, mode and check, and caused by what made the work due', async () => {
  const submissionId = await started();
  await check(submissionId, { sha256: 'hidden' });
  const [event] = await places(submissionId);
  const data = event?.data as { fingerprints: readonly { value: string }[]; companyId: string };
  assert.is(data.fingerprints[0]?.value, `duplicate_file ${data.companyId} live hidden`);
  assert.is(event?.metadata.$causationId, context.causationId);
});

test('it matches what precedes it in the log, and not what follows', async () => {
  const [one, two] = [await started(), await started()];
  const late = () => Promise.resolve(false);
  await failure(check(one, { sha256: 'order', reached: late }));
  await failure(check(two, { sha256: 'order', reached: late }));
  assert.equal(matched(await check(two, { sha256: 'order' })), [one]);
  assert.equal(matched(await check(one, { sha256: 'order' })), []);
});

test(
  'of many at once the first in the log matches nothing and each later one all before it',
  async () => {
    for (let round = 0; round < rounds(2, 20); round += 1) {
      const all: string[] = [];
      for (let n = 0; n < 20; n += 1) all.push(await started());
      const sha256 = `many ${round}`;
      const results = await Promise.all(all.map((submissionId) => check(submissionId, { sha256 })));
      const counts = results.map((result) => result?.matches.length ?? 0).sort((a, b) => a - b);
      assert.equal(
        counts,
        all.map((_, n) => n),
      );
    }
  },
  { timeoutMs: 120_000 },
);

test('a late index is a transient failure; the next attempt keeps fingerprints and position [fraud-9]', async () => {
  const submissionId = await started();
  const error = await failure(check(submissionId, { sha256: 'late', reached: async () => false }));
  assert.instance(error, TransientFailure);
  await begin(submissionId);
  const later = await started();
  await check(later, { sha256: 'late' });
  assert.equal(matched(await check(submissionId, { sha256: 'late' })), []);
  assert.is((await places(submissionId)).length, 1);
});

test('waits for its own place in the log', async () => {
  const submissionId = await started();
  const asked: unknown[] = [];
  const reached = async (position?: unknown) => {
    asked.push(position);
    return show();
  };
  await check(submissionId, { sha256: 'own', reached });
  await begin(submissionId);
  await check(submissionId, { sha256: 'own', reached });
  const [{ position } = { position: null }] = await places(submissionId);
  assert.equal(asked, [position, position]);
});

test('a submission that failed after its fingerprints no longer counts, and a new round gets a new position', async () => {
  const first = await started();
  await check(first, { sha256: 'again' });
  await end(first);
  const resent = await started();
  assert.equal(matched(await check(resent, { sha256: 'again' })), []);
  await sessions.run(first, { type: 'Reprocess' });
  await begin(first);
  assert.equal(matched(await check(first, { sha256: 'again' })), [resent]);
  assert.is((await places(first)).length, 2);
});

test('a submission that was cancelled has no fingerprint', async () => {
  const submissionId = await started();
  await sessions.run(submissionId, { type: 'Cancel', reason: null, actor: null });
  assert.equal(await check(submissionId, { sha256: 'cancelled' }), { matches: [], policy });
  assert.equal(await places(submissionId), []);
});

test('a superseded attempt adds no fingerprint', async () => {
  const submissionId = await started();
  const command = { type: 'RecordFingerprints', round: 1, attempt: 1, fingerprints: [], prints: [] } as const;
  await begin(submissionId);
  const record = fingerprintSubmission(stores.handle, stores.log);
  assert.is((await failure(record(submissionId, command, context))).name, 'ProcessingAttemptSuperseded');
});
