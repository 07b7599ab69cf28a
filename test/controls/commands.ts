import * as fc from 'fast-check';
import type { Result } from '../../domain/submission/result.ts';
import type { Submission, SubmissionEvent } from '../../domain/submission/state.ts';
import { type SubmissionCommand, submission } from '../../domain/submission/submission.ts';
import { DomainError } from '../../kernel/decider.ts';
import { created, extracted, fingerprint, match, policy, routing } from './submission.ts';

type Step = (state: Submission | null) => SubmissionCommand;

const { from: _f, to: _t, firstProcessed: _p, processed: _q, ...session } = created.data;
const { resolution: _r, resolvedBy: _b, resolvedAt: _a, ...found } = match;

const syncTo = 'https://erp.example.com';

/** Two who decide where one alone may not. */
export const ann = { kind: 'user', id: 'usr_01hv6x3m8q2r5t7w9y0a1b2c3d' } as const;
export const bob = { kind: 'user', id: 'usr_01hv6x3m8q2r5t7w9y0a1b2c3e' } as const;

const constant =
  (command: SubmissionCommand): Step =>
  () =>
    command;

const record =
  (result: Result): Step =>
  (state): SubmissionCommand<'RecordResult'> => ({
    type: 'RecordResult',
    round: state?.round ?? 1,
    attempt: state?.attempt ?? 1,
    result,
    syncTo,
  });

/** The first attempt's result, which brings a submission in processing to a status. */
export const resultTo = (
  to: 'approved' | 'review' | 'failed' | 'capture_quality_blocked',
): SubmissionCommand<'RecordResult'> => ({
  type: 'RecordResult',
  round: 1,
  attempt: 1,
  result:
    to === 'failed' || to === 'capture_quality_blocked'
      ? { kind: to, reason: 'unreadable' }
      : { ...extracted, reviewReasons: to === 'review' ? [{ code: 'always_review', field: null }] : [] },
});

const results: readonly Result[] = [
  extracted,
  { ...extracted, reviewReasons: [{ code: 'low_confidence', field: 'total' }] },
  { ...extracted, fraud: { matches: [found], policy } },
  { ...extracted, fraud: { matches: [], policy } },
  { kind: 'failed', reason: 'The file is corrupt.' },
  { kind: 'capture_quality_blocked', reason: 'The picture is too dark.' },
];

const submit = constant({
  type: 'SubmitSession',
  files: [{ fileId: 'fil_1', fileIndex: 0, label: 'front', mimeType: 'image/png', fileSize: 10, etag: 'e1' }],
});
const start = constant({ type: 'StartProcessing', maxAttempts: 3, at: '2026-11-21T10:05:00.000Z' });
const delay: Step = (state) => ({
  type: 'DelayProcessing',
  round: state?.round ?? 1,
  attempt: state?.attempt ?? 1,
  reason: 'away',
  retryAt: '2026-11-21T10:05:00.000Z',
});
const place: Step = (state) => ({
  type: 'RecordFingerprints',
  prints: [],
  round: state?.round ?? 1,
  attempt: state?.attempt ?? 1,
  fingerprints: [fingerprint, { checkType: 'duplicate_data', value: 'd'.repeat(64), files: [] }],
});
const syncFails: Step = (state) => ({
  type: 'RecordSyncFailure',
  attempt: (state?.sync?.attempts ?? 0) + 1,
  outcome: { statusCode: 503, durationMs: 12, error: 'answered 503' },
  nextAttemptAt: (state?.sync?.attempts ?? 0) % 2 === 0 ? '2026-11-21T10:00:30.000Z' : null,
});
const resolve = (resolution: 'confirmed' | 'dismissed') =>
  constant({
    type: 'ResolveFraudMatch',
    matchId: match.id,
    resolution,
    resolvedBy: 'ann',
    comment: null,
    resolvedAt: '2026-11-21T11:00:00.000Z',
  });

const enter = constant({
  ...{ type: 'OpenForEntry', reason: 'readable by eye', actor: null },
  ...{ fields: ['company', 'total', 'note'], required: ['company', 'total'] },
});

/** Commands of every type, more often those that bring a submission further. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(submit) },
  { weight: 5, arbitrary: fc.constant(start) },
  { weight: 6, arbitrary: fc.constantFrom(...results.map(record)) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<Step>(
      delay,
      place,
      constant({ type: 'ExpireSession', at: '2026-12-31T00:00:00.000Z' }),
      constant({ type: 'Reprocess' }),
      enter,
      constant({ type: 'Approve', comment: null, actor: 'ann', corrections: { company: 'ACME' }, syncTo }),
      constant({ type: 'Reject', reason: 'no', actor: null }),
      constant({ type: 'Cancel', reason: 'mistake', actor: null }),
      ...[ann, bob].flatMap((by) => [
        constant({ type: 'Approve', comment: null, actor: null, corrections: { total: 81 }, syncTo, by }),
        constant({ type: 'Reject', reason: 'no', actor: null, by }),
      ]),
      constant({ type: 'RecordSync' }),
      syncFails,
      constant({ type: 'RequestSync', syncTo }),
      resolve('dismissed'),
      resolve('confirmed'),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>(
      constant({ type: 'Redact', reason: 'erasure', legalBasis: 'erasure_request', requestedBy: null }),
      constant({ type: 'RedactRetained', days: 30 }),
      constant({ type: 'RecordRedaction', objects: 1, deliveries: 0 }),
      constant({ type: 'PlaceLegalHold', reason: 'tax', by: ann, at: '2026-11-21T11:10:00.000Z' }),
      constant({ type: 'LiftLegalHold' }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Step>(
      constant({ type: 'AddNote', text: 'wait' }),
      constant({ type: 'Assign', assignee: 'usr_1' }),
      constant({
        type: 'Postpone',
        until: '2026-11-23T08:00:00.000Z',
        reason: 'closed',
        now: '2026-11-22T08:00:00.000Z',
      }),
      constant({ type: 'Resume' }),
    ),
  },
);

/**
 * How far a session has come before anything may happen to it: random commands alone seldom get beyond its
 * start.
 */
const beginning: fc.Arbitrary<readonly Step[]> = fc.oneof(
  fc.constantFrom<readonly Step[]>([], [submit], [submit, start], [submit, start, place]),
  fc.constantFrom(...results).map((result) => [submit, start, record(result)]),
  fc.constantFrom(...results).map((result) => [submit, start, place, record(result)]),
  fc.constant<readonly Step[]>([submit, start, record(extracted), syncFails, syncFails]),
);

/** A session that was opened, brought a little further, and then up to 12 commands in any order. */
export const submissionCommands: fc.Arbitrary<readonly Step[]> = fc
  .tuple(beginning, fc.array(step, { maxLength: 12 }))
  .map(([first, steps]) => [constant({ type: 'OpenSession', routing, session }), ...first, ...steps]);

/** The events that come of commands one after the other; those that a rule refuses change nothing. */
export const runThrough = (steps: readonly Step[]): readonly SubmissionEvent[] => {
  const events: SubmissionEvent[] = [];
  let state = submission.initial;
  for (const next of steps) {
    try {
      const decided = submission.decide(next(state), state);
      state = decided.reduce(submission.evolve, state);
      events.push(...decided);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return events;
};
