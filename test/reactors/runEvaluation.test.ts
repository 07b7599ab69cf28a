import * as assert from 'uvu/assert';
import type { Handle } from '../../commands/handle.ts';
import { load } from '../../commands/load.ts';
import { requestEvaluation } from '../../commands/requestEvaluation.ts';
import { evaluation, evaluationStream } from '../../domain/evaluation/evaluation.ts';
import type { Reading } from '../../domain/evaluation/judge.ts';
import type { Submission } from '../../domain/submission/state.ts';
import { noWorkflowSettings } from '../../domain/workflowSettings.ts';
import { StoreUnavailable } from '../../kernel/errors.ts';
import type { Recorded } from '../../kernel/event.ts';
import { TransientFailure } from '../../processing/errors.ts';
import { runEvaluation } from '../../reactors/runEvaluation.ts';
import { sessionsOn } from '../controls/sessions.ts';
import { context, failure, keptReport, type Stores, withStores } from '../controls/stores.ts';
import { definition } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('runEvaluation');
const never = new AbortController().signal;
const ULID = '01hv6x3m8q2r5t7w9y0a1b2c3d';
const down = new StoreUnavailable('down');
const set = { createdAfter: null, createdBefore: null, approvedBy: 'anybody', size: 300, seed: 1 } as const;

const nowRead: Reading = {
  values: { total: 100, company: null },
  confidences: { total: 0.9 },
  ...{ confidence: 0.9, reasons: [] },
};

/** An evaluation of submissions that a person approved, with a corrected total, and its worker. */
const staged = async (stores: Stores, count: number) => {
  const sessions = sessionsOn(stores);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = await sessions.inReview();
    await sessions.run(id, { type: 'Approve', comment: null, actor: null, corrections: { total: 100 } });
    ids.push(id);
  }
  const request = requestEvaluation({
    handle: stores.handle,
    settingsOf: async () => noWorkflowSettings,
    approved: async () => ids.map((id) => ({ id, isRedacted: false })),
  });
  const scope = { companyId: 'cmp_1', mode: 'live' } as const;
  const { request: made, position } = await request(
    scope,
    { definition, version: null },
    { set, shadow: null },
    ULID,
    context,
  );
  const { evaluationId: id, submissionIds } = made;
  const stream = evaluationStream(id);
  const cause = { correlationId: 'c', causationId: 'c' };
  const fence = { lease: '', owner: '', token: 1 };
  const item = { id, position, document: { id, lane: '', dueAt: '', cause }, fence };
  const { report, lines: reports } = keptReport();
  const read: string[] = [];
  let now = 0;
  type Ports = Parameters<typeof runEvaluation>[0];
  const work = (over: Partial<Ports> = {}, signal = never) =>
    runEvaluation({
      // Each reading takes an eighth of a step.
      elapsedMs: () => (now += 1_250),
      ...stores,
      report,
      read: async (submission: Submission) => {
        read.push(submission.routing.submissionId);
        return nowRead;
      },
      documentsWait: async () => false,
      isGoing: async () => true,
      ...over,
    })(item, signal);
  const state = async () => {
    const found = await load(stores.log, evaluation, stream);
    if (!found) throw new Error('there is no evaluation');
    return found;
  };
  const events = async () => (await stores.log.load(stream)).events as readonly Recorded[];
  return { id, stream, submissionIds, sessions, reports, read, work, state, events };
};

test(
  'what was read then and what the candidate reads are compared with what a person made of it [evaluations-3]',
  withStores(async (stores) => {
    const { work, state, submissionIds, events } = await staged(stores, 1);
    assert.ok(await work());
    const { status, comparisons, left } = await state();
    assert.equal([status, left], ['completed', []]);
    assert.equal(comparisons, [
      {
        ...{ submissionId: submissionIds[0], version: 1, isChecked: true },
        before: {
          ...{ confidence: 0.95, reasons: ['always_review'] },
          fields: [
            { name: 'total', verdict: 'wrong', isFound: true, confidence: 0.95 },
            { name: 'company', verdict: 'exact', isFound: false, confidence: 0 },
          ],
        },
        after: {
          ...{ confidence: 0.9, reasons: [] },
          fields: [
            { name: 'total', verdict: 'exact', isFound: true, confidence: 0.9 },
            { name: 'company', verdict: 'exact', isFound: false, confidence: 0 },
          ],
        },
        changed: ['total'],
      },
    ]);
    assert.not.match(JSON.stringify(await events()), '80.9');
  }),
);

test(
  'cut short anywhere it goes on, and its report is the same [evaluations-6]',
  withStores(async (stores) => {
    const { work, state, read, submissionIds, events } = await staged(stores, 10);
    let calls = 0;
    const cut = async () => {
      calls += 1;
      if (calls === 5) throw down;
      return nowRead;
    };
    assert.is(await failure(work({ read: cut })), down);
    assert.is((await state()).left.length, 10, 'a step that was not recorded');
    const unrecorded: Handle = async () => {
      throw down;
    };
    assert.is(await failure(work({ handle: unrecorded })), down);
    const stop = new AbortController();
    const stopping = async () => {
      if (read.length === 3) stop.abort(down);
      stop.signal.throwIfAborted();
      return nowRead;
    };
    read.length = 3;
    await work({ read: stopping }, stop.signal);
    read.length = 0;
    assert.ok(await work());
    const { comparisons, status } = await state();
    assert.equal(
      comparisons.map(({ submissionId }) => submissionId),
      submissionIds,
    );
    assert.is(status, 'completed');
    assert.equal(read, submissionIds);
    assert.is((await events()).filter(({ type }) => type === 'EvaluationProgressed').length, 2);
    assert.is(await work(), null, 'nothing is left');
  }),
);

test(
  'what is redacted, or can’t be had twice, is left out [evaluations-5]',
  withStores(async (stores) => {
    const { work, state, sessions, submissionIds, reports } = await staged(stores, 3);
    const [redacted = '', gone, once] = submissionIds;
    const basis = { reason: 'article 17', legalBasis: 'erasure_request', requestedBy: null } as const;
    await sessions.run(redacted, { type: 'Redact', ...basis });
    let failures = 0;
    const read = async ({ routing: { submissionId } }: Submission) => {
      const fails = submissionId === gone || (submissionId === once && failures++ === 0);
      if (fails) throw new TransientFailure('not there');
      return nowRead;
    };
    await work({ read });
    const { omitted, comparisons } = await state();
    assert.equal(omitted, [
      { submissionId: redacted, reason: 'redacted' },
      { submissionId: gone, reason: 'unavailable' },
    ]);
    assert.equal(
      comparisons.map(({ submissionId }) => submissionId),
      [once],
    );
    assert.is(reports.length, 1);
  }),
);

test(
  'nothing is read while documents wait, nor once it is paused [evaluations-4, evaluations-7]',
  withStores(async (stores) => {
    const { work, state, read, stream } = await staged(stores, 2);
    let asked = 0;
    const documentsWait = async () => {
      asked += 1;
      if (asked < 3) assert.equal(read, []);
      return asked < 3;
    };
    const isGoing = async () => read.length === 0;
    await work({ documentsWait, isGoing });
    assert.equal([asked, read.length, (await state()).left.length], [5, 1, 1]);
    await stores.handle(evaluation, stream, { type: 'PauseEvaluation' }, context);
    assert.is(await work(), null);
    await stores.handle(evaluation, stream, { type: 'ResumeEvaluation' }, context);
    await work();
    assert.is((await state()).status, 'completed');
  }),
);

test(
  'the seed draws the set: the same one draws the same, and a larger one the same and more [evaluations-2, evaluations-5]',
  withStores(async (stores) => {
    const ids = Array.from({ length: 50 }, (_, n) => ({ id: `sub_${n}`, isRedacted: n >= 40 }));
    const request = requestEvaluation({
      handle: stores.handle,
      settingsOf: async () => noWorkflowSettings,
      approved: async () => ids,
    });
    const scope = { companyId: 'cmp_1', mode: 'live' } as const;
    const drawn = async (seed: number, size: number) => {
      const asked = { set: { ...set, seed, size }, shadow: null };
      const { request: made } = await request(
        scope,
        { definition, version: null },
        asked,
        stores.ids.ulid(),
        context,
      );
      assert.equal([made.found, made.redacted], [50, 10]);
      return made.submissionIds;
    };
    const first = await drawn(1, 10);
    assert.equal([new Set(first).size, await drawn(1, 10)], [10, first]);
    assert.equal((await drawn(1, 20)).slice(0, 10), first);
    assert.not.equal(await drawn(2, 10), first);
    assert.not.ok((await drawn(1, 50)).some((id) => ids.find((one) => one.id === id)?.isRedacted));
  }),
);
