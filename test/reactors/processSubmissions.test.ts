import * as assert from 'uvu/assert';
import type { Result } from '../../domain/submission/result.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { EventOf, Position } from '../../kernel/event.ts';
import { ExtractorUnavailable } from '../../processing/extractor/unavailable.ts';
import { type ProcessPorts, processSubmission } from '../../reactors/processSubmissions.ts';
import { type Sessions, sessionsOn } from '../controls/sessions.ts';
import { failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { extracted, extraction, match, policy, routing } from '../controls/submission.ts';
import { version } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('processSubmission');
let stores: Stores;
let sessions: Sessions;
test.before(() => {
  stores = temporaryStores();
  sessions = sessionsOn(stores);
});
test.after(() => stores.remove());
const cause = { correlationId: 'the request', causationId: 'its event', requestId: 'req-1' };
const { resolution: _r, resolvedBy: _b, resolvedAt: _a, ...found } = match;
const unaborted = new AbortController().signal;

const files = [{ fileId: 'fil_1', label: 'front', sha256: 'abc' }];

/** One attempt with what `examine` gives; `delayed` keeps what was reported. */
const attempting = (
  examine: (...asked: Parameters<ProcessPorts['examine']>) => Promise<Result>,
  over: Partial<ProcessPorts> = {},
) => {
  const delayed: string[] = [];
  const ports: ProcessPorts = {
    ...stores,
    version: async () => version,
    matchPatterns: async (_companyId, questions) => questions.map(() => 'matches'),
    examine: async (...asked) => ({ result: await examine(...asked), files, pages: [], words: [] }),
    words: { keep: async () => undefined, drop: async () => undefined },
    checkFraud: async () => null,
    onDelayed: (_id, error) => void delayed.push((error as Error).message),
    ...over,
  };
  const attempt = (id: string, signal = unaborted) =>
    processSubmission(ports)(
      {
        id,
        position: '1' as Position,
        document: { id, lane: 'lane', dueAt: 'now', cause },
        fence: { lease: 'l', owner: 'o', token: 1 },
      },
      signal,
    );
  return { attempt, delayed };
};
const giving = (result: Result) => attempting(async () => result);
const away = () => attempting(() => Promise.reject(new Error('away')));

const queued = async (): Promise<string> => {
  const { submissionId } = await sessions.withFile();
  await sessions.submit(submissionId);
  return submissionId;
};
const eventsOf = async (submissionId: string) =>
  (await stores.log.load(submissionStream(submissionId))).events.slice(2);
const typesOf = async (submissionId: string) => (await eventsOf(submissionId)).map(({ type }) => type);

test('an attempt begins and ends with an event, each on account of what made it due', async () => {
  const submissionId = await queued();
  const position = await giving(extracted).attempt(submissionId);
  const events = await eventsOf(submissionId);
  assert.equal(
    events.map(({ type }) => type),
    ['SubmissionProcessingStarted', 'SubmissionProcessed'],
  );
  assert.is(position, events.at(-1)?.position);
  for (const { metadata } of events)
    assert.equal(
      [metadata.$correlationId, metadata.$causationId, metadata.requestId],
      ['the request', 'its event', 'req-1'],
    );
});

test('the files of the version it was opened with are examined', async () => {
  const submissionId = await queued();
  const seen: unknown[] = [];
  const asked: unknown[] = [];
  const { attempt } = attempting(
    async (state, definition) => {
      seen.push(state.files.length, state.status, definition);
      return extracted;
    },
    {
      version: async (...which) => {
        asked.push(which);
        return version;
      },
    },
  );
  await attempt(submissionId);
  assert.equal(asked, [['receipt', 1, routing.companyId]]);
  assert.equal(seen, [1, 'processing', version]);
});

test('files that can’t be read fail it', async () => {
  const submissionId = await queued();
  await giving({ kind: 'failed', reason: 'The file is corrupt.' }).attempt(submissionId);
  const last = (await eventsOf(submissionId)).at(-1);
  const data = last?.data as { to: string } | undefined;
  assert.equal([last?.type, data?.to], ['SubmissionProcessingFailed', 'failed']);
});

test('a passing failure is recorded with when it is tried again, later each time, and fails at last', async () => {
  const submissionId = await queued();
  const { attempt, delayed } = away();
  const waits: number[] = [];
  for (let n = 1; n <= 5; n += 1) {
    await attempt(submissionId);
    assert.is(await attempt(submissionId), null, 'a queue that is behind gives it too soon');
    const last = (await eventsOf(submissionId)).at(-1);
    assert.is(last?.type, 'SubmissionProcessingDelayed');
    const data = last?.data as { retryAt: string; attempt: number } | undefined;
    assert.is(data?.attempt, n);
    const wait = Date.parse(data?.retryAt ?? '') - stores.clock.now().getTime();
    waits.push(wait);
    stores.pass(wait);
  }
  assert.equal(waits, [1_000, 5_000, 30_000, 120_000, 600_000]);
  await attempt(submissionId);
  assert.is((await typesOf(submissionId)).at(-1), 'SubmissionProcessingFailed');
  assert.equal(delayed, Array(6).fill('away'));
  assert.is(await attempt(submissionId), null);
});

/**
 * Attempts, each when it is due, until one does not end in another delay; gives the waits between them (ms)
 * and the last event.
 */
const untilGivenUp = async (submissionId: string, attempt: (id: string) => Promise<unknown>) => {
  const waits: number[] = [];
  for (;;) {
    await attempt(submissionId);
    const last = (await eventsOf(submissionId)).at(-1);
    if (last?.type !== 'SubmissionProcessingDelayed') return { waits, last };
    const { data } = last as unknown as EventOf<SubmissionEvent, 'SubmissionProcessingDelayed'>;
    waits.push(Date.parse(data.retryAt) - stores.clock.now().getTime());
    stores.pass(waits.at(-1) ?? 0);
  }
};
const HOUR_MS = 3_600_000;

test('an extractor may be unavailable for a day, and the history has each of its errors [extractors-7]', async () => {
  const submissionId = await queued();
  const { attempt, delayed } = attempting(() => Promise.reject(new ExtractorUnavailable('answered 503')));
  const { waits, last } = await untilGivenUp(submissionId, attempt);
  assert.equal(waits.slice(0, 6), [1_000, 5_000, 30_000, 300_000, 1_800_000, HOUR_MS]);
  assert.equal([waits.length, waits.at(-1)], [29, HOUR_MS]);
  const told = (await eventsOf(submissionId)).filter(({ type }) => /Delayed/.test(type));
  for (const { data } of told as unknown as readonly EventOf<
    SubmissionEvent,
    'SubmissionProcessingDelayed'
  >[])
    assert.equal(
      [data.waitsFor, data.private],
      ['extractor', { reason: 'The extractor gave no result: answered 503.' }],
    );
  const { data } = last as unknown as EventOf<SubmissionEvent, 'SubmissionProcessingFailed'>;
  const reason = /gave no result: answered 503\. Processing could not be finished in 30/;
  assert.match(JSON.stringify(data.private), reason);
  assert.is(delayed.length, 30);
});

test('an extractor’s Retry-After is respected', async () => {
  const submissionId = await queued();
  const away = new ExtractorUnavailable('answered 503', { retryAfterMs: 120_000 });
  const { waits } = await untilGivenUp(submissionId, attempting(() => Promise.reject(away)).attempt);
  assert.equal(waits.slice(0, 5), [120_000, 120_000, 120_000, 300_000, 1_800_000]);
});

test('an extractor’s outage uses up none of the attempts for our own failures, and reports when each is due', async () => {
  const submissionId = await queued();
  let error: Error = new ExtractorUnavailable('answered 503');
  const due: (string | null)[] = [];
  const { attempt } = attempting(() => Promise.reject(error), {
    onDelayed: (_id, _error, retryAt) => void due.push(retryAt),
  });
  for (let n = 1; n <= 8; n += 1) {
    await attempt(submissionId);
    stores.pass(HOUR_MS);
  }
  error = new Error('away');
  const { waits } = await untilGivenUp(submissionId, attempt);
  assert.equal(waits, [1_000, 5_000, 30_000, 120_000, 600_000]);
  assert.equal([due.length, due.filter((at) => at === null).length, due.at(-1)], [14, 1, null]);
});

const begin = (submissionId: string) =>
  sessions.run(submissionId, { type: 'StartProcessing', maxAttempts: 50, at: '2026-11-21T10:00:00.000Z' });

test('attempts that a stop of the service cut short start again, and use up no others', async () => {
  const submissionId = await queued();
  for (let n = 1; n <= 49; n += 1) await begin(submissionId);
  await away().attempt(submissionId);
  assert.is((await typesOf(submissionId)).at(-1), 'SubmissionProcessingDelayed');
});

test('attempts that end with their process are counted too', async () => {
  const submissionId = await queued();
  for (let n = 1; n <= 50; n += 1) await begin(submissionId);
  let examined = 0;
  const { attempt } = attempting(async () => {
    examined += 1;
    return extracted;
  });
  const position = await attempt(submissionId);
  const last = (await eventsOf(submissionId)).at(-1);
  assert.equal([last?.type, last?.position, examined], ['SubmissionProcessingFailed', position, 0]);
});

test('without its version in the read models it waits', async () => {
  const submissionId = await queued();
  const { attempt, delayed } = attempting(async () => extracted, { version: async () => null });
  await attempt(submissionId);
  assert.match(delayed[0] ?? '', /version 1 of receipt/);
  assert.is((await typesOf(submissionId)).at(-1), 'SubmissionProcessingDelayed');
});

test('what was read is checked for fraud, on account of what made it due', async () => {
  const submissionId = await queued();
  const asked: unknown[] = [];
  const { attempt } = attempting(async () => extracted, {
    checkFraud: async (state, definition, read, context) => {
      asked.push([state.routing.submissionId, state.attempt, definition, read, context.causationId]);
      return { matches: [found], policy };
    },
  });
  await attempt(submissionId);
  assert.equal(asked, [[submissionId, 1, version, { files, pages: [], extraction }, 'its event']]);
  assert.equal((await typesOf(submissionId)).slice(1), ['SubmissionFraudChecked', 'SubmissionProcessed']);
});

test('files that can’t be read are not checked, and a check that can’t be made now is tried again', async () => {
  const checkFraud = () => Promise.reject(new Error('the index is late'));
  const unreadable = await queued();
  await attempting(async () => ({ kind: 'failed', reason: 'x' }), { checkFraud }).attempt(unreadable);
  assert.is((await typesOf(unreadable)).at(-1), 'SubmissionProcessingFailed');
  const readable = await queued();
  await attempting(async () => extracted, { checkFraud }).attempt(readable);
  assert.is((await typesOf(readable)).at(-1), 'SubmissionProcessingDelayed');
});

test('a result for a submission that was cancelled since is dropped, and that is recorded [lifecycle-12, webhooks-11]', async () => {
  const submissionId = await queued();
  const { attempt } = attempting(async () => {
    await sessions.run(submissionId, { type: 'Cancel', reason: null, actor: null });
    return extracted;
  });
  await attempt(submissionId);
  assert.equal((await typesOf(submissionId)).slice(-2), ['SubmissionCancelled', 'SubmissionResultDropped']);
});

test('the words of its pages are kept before its result, and removed when a redaction came first [words-6]', async () => {
  const done: unknown[] = [];
  const words = [{ fileId: 'fil_1', pages: [[]] }];
  const redact = { type: 'Redact', reason: 'x', legalBasis: 'other', requestedBy: null } as const;
  for (const isRedacted of [false, true]) {
    const submissionId = await queued();
    const { attempt } = attempting(async () => extracted, {
      examine: async () => {
        if (isRedacted) await sessions.run(submissionId, redact);
        return { result: extracted, files, pages: [], words };
      },
      words: {
        keep: async (id, kept) => void done.push(['keep', id === submissionId, kept]),
        drop: async (id) => void done.push(['drop', id === submissionId]),
      },
      checkFraud: async () => {
        done.push('check');
        return null;
      },
    });
    await attempt(submissionId);
  }
  const kept = [['keep', true, words], 'check'];
  assert.equal(done, [...kept, ...kept, ['drop', true]]);
});

test('a late result loses against the attempt that has started since', async () => {
  const submissionId = await queued();
  const { attempt } = attempting(async () => {
    await begin(submissionId);
    return extracted;
  });
  assert.is((await failure(attempt(submissionId))).name, 'ProcessingAttemptSuperseded');
  assert.is((await typesOf(submissionId)).at(-1), 'SubmissionProcessingStarted');
});

test('a submission with nothing to process is skipped', async () => {
  const { submissionId } = await sessions.withFile();
  const reviewed = await sessions.inReview();
  const before = await stores.log.head();
  assert.is(await giving(extracted).attempt(submissionId), null);
  assert.is(await giving(extracted).attempt(reviewed), null);
  assert.is(await stores.log.head(), before);
});

test('an unknown submission is a failure to be seen', async () =>
  assert.is((await failure(giving(extracted).attempt('sub_nowhere'))).name, 'SubmissionNotFound'));

test('an attempt that was called off records no end', async () => {
  const submissionId = await queued();
  const stop = new AbortController();
  const { attempt, delayed } = attempting(async () => {
    stop.abort(new Error('stopped'));
    throw new Error('broken off');
  });
  assert.is((await failure(attempt(submissionId, stop.signal))).message, 'stopped');
  assert.equal(await typesOf(submissionId), ['SubmissionProcessingStarted']);
  assert.equal(delayed, []);
});
