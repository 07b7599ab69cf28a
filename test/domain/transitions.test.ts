import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { type SubmissionCommand, submission } from '../../domain/submission/submission.ts';
import { allowedFrom, type Status, statuses, transitions } from '../../domain/submission/transitions.ts';
import { resultTo } from '../controls/commands.ts';
import { examples } from '../controls/events.ts';
import { created, expired, historyOf, match, routing, submitted } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('submission transitions');

type Attempted = Readonly<{ to: Status; command: SubmissionCommand }>;

const { from: _f, to: _t, firstProcessed: _p, processed: _q, ...session } = created.data;
const late = '2026-12-31T00:00:00.000Z';

/** Each command that could bring a submission to a status. */
const ways: readonly Attempted[] = [
  { to: 'created', command: { type: 'OpenSession', routing, session } },
  { to: 'processing', command: { type: 'StartProcessing', maxAttempts: 3, at: late } },
  { to: 'processing', command: { type: 'Reprocess' } },
  {
    to: 'review',
    command: { type: 'OpenForEntry', reason: 'torn', actor: null, fields: [], required: [] },
  },
  { to: 'approved', command: { type: 'Approve', comment: null, actor: null, corrections: {} } },
  { to: 'rejected', command: { type: 'Reject', reason: null, actor: null } },
  { to: 'cancelled', command: { type: 'Cancel', reason: null, actor: null } },
  { to: 'cancelled', command: { type: 'ExpireSession', at: late } },
  { to: 'synced', command: { type: 'RecordSync' } },
  { to: 'approved', command: resultTo('approved') },
  { to: 'review', command: resultTo('review') },
  { to: 'failed', command: resultTo('failed') },
  { to: 'capture_quality_blocked', command: resultTo('capture_quality_blocked') },
];

/** Where a submission may stand: each status, and the two job states that have no status of their own. */
const situations: Readonly<Record<Status | 'queued' | 'expired', readonly SubmissionEvent[]>> = {
  ...historyOf,
  queued: [created, submitted],
  expired: [created, expired],
};
type Situation = keyof typeof situations;
const situationNames = Object.keys(situations) as readonly Situation[];
const statusOf = (situation: Situation): Status =>
  situation === 'queued' ? 'created' : situation === 'expired' ? 'cancelled' : situation;

type Outcome = 'legal' | 'nothing' | 'refused';
const legalIf = (legal: boolean, otherwise: Outcome = 'refused'): Outcome => (legal ? 'legal' : otherwise);

/**
 * What the table says, narrowed to who may do it; a machine's repetition, or what comes too late, is no
 * fault.
 */
const outcomeOf = (situation: Situation, { to, command }: Attempted): Outcome => {
  const from = statusOf(situation);
  switch (command.type) {
    case 'OpenSession':
      return 'refused';
    case 'StartProcessing':
      return legalIf(situation === 'queued', situation === 'processing' ? 'nothing' : 'refused');
    case 'ExpireSession':
      return legalIf(situation === 'created', 'nothing');
    case 'RecordResult':
      return legalIf(from === 'processing', 'nothing');
    case 'RecordSync':
      return legalIf(from === 'approved', from === 'synced' ? 'nothing' : 'refused');
    case 'Approve':
      return legalIf(from === 'review');
    case 'Reprocess':
    case 'OpenForEntry':
      return legalIf(from === 'failed' || from === 'capture_quality_blocked');
    default:
      return legalIf(contract[from].includes(to));
  }
};

/** The rules that a way proves in a situation. */
const rulesOf = (situation: Situation, { command }: Attempted): string => {
  const rules = ['lifecycle-1'];
  if (command.type === 'Approve' || command.type === 'Reject') rules.push('lifecycle-9');
  if (command.type === 'Cancel') rules.push('lifecycle-10');
  if (command.type === 'ExpireSession') rules.push('lifecycle-8');
  if (situation === 'rejected') rules.push('lifecycle-11');
  return rules.join(', ');
};

/** The table of the contract, written out: what the product has is compared with it. */
const contract: Readonly<Record<Status, readonly Status[]>> = {
  created: ['processing', 'cancelled'],
  processing: ['review', 'approved', 'failed', 'capture_quality_blocked', 'cancelled'],
  capture_quality_blocked: ['processing', 'review', 'cancelled'],
  review: ['approved', 'rejected', 'cancelled'],
  approved: ['synced'],
  synced: [],
  rejected: [],
  cancelled: [],
  failed: ['processing', 'review', 'cancelled'],
};

const refusals: Readonly<Partial<Record<SubmissionCommand['type'], string>>> = {
  OpenSession: 'SessionExists',
  StartProcessing: 'SubmissionNotProcessable',
  Approve: 'SubmissionNotInReview',
  Reject: 'SubmissionNotInReview',
  Cancel: 'SubmissionNotCancellable',
  RecordSync: 'SubmissionNotApproved',
  Reprocess: 'SubmissionNotReprocessable',
  OpenForEntry: 'SubmissionNotEnterable',
};

/** Refusals that nobody outside is told of: they carry no facts. */
const inner = ['OpenSession', 'StartProcessing'];

for (const situation of situationNames) {
  const from = statusOf(situation);
  for (const way of ways) {
    const { to, command } = way;
    const outcome = outcomeOf(situation, way);
    test(`${command.type} to ${to} in ${situation}: ${outcome} [${rulesOf(situation, way)}]`, () => {
      const { state, when } = given(submission, ...situations[situation]);
      if (outcome === 'legal') {
        const event = submission.decide(command, state).at(-1);
        assert.equal(event && 'to' in event.data && [event.data.from, event.data.to], [from, to]);
        assert.is(event && submission.evolve(state, event)?.status, to);
      } else if (outcome === 'nothing') {
        assert.is(when(command).thenState()?.status, from);
      } else {
        const { facts } = when(command).thenRefused(refusals[command.type] ?? '');
        if (inner.includes(command.type)) return;
        assert.is(facts.currentStatus, from);
        assert.ok(Array.isArray(facts.allowedFrom));
        assert.not.ok((facts.allowedFrom as string[]).includes(from));
      }
    });
  }
}

test('the legal ways are exactly the transitions of the table, and every status has a way to it [lifecycle-1]', () => {
  const legal = situationNames.flatMap((situation) =>
    ways.flatMap((way) => (outcomeOf(situation, way) === 'legal' ? `${statusOf(situation)} ${way.to}` : [])),
  );
  const table = statuses.flatMap((from) => contract[from].map((to) => `${from} ${to}`));
  const built = statuses.flatMap((from) => transitions[from].map((to) => `${from} ${to}`));
  assert.equal([...built].sort(), [...table].sort());
  assert.equal([...new Set(legal)].sort(), [...table].sort());
  assert.equal([...new Set(ways.map(({ to }) => to))].sort(), [...statuses].sort());
});

test('every command is a way, or is known to change no status', () => {
  const steady: readonly SubmissionCommand['type'][] = [
    'SubmitSession',
    'DelayProcessing',
    'RecordFingerprints',
    'ResolveFraudMatch',
    'ForceOutcome', // the others one after the other: forceOutcome.test.ts
    'RecordSyncFailure',
    'RequestSync',
    'Redact', // which cancels what is under way: redaction.test.ts
    'RecordRedaction',
    'RedactRetained',
    'PlaceLegalHold',
    'LiftLegalHold',
    ...(['AddNote', 'Assign', 'Postpone', 'Resume'] as const),
  ];
  const all: Readonly<Record<SubmissionCommand['type'], true>> = {
    ...{ OpenSession: true, SubmitSession: true, ExpireSession: true, StartProcessing: true },
    ...{ DelayProcessing: true, RecordFingerprints: true, RecordResult: true, Reprocess: true },
    OpenForEntry: true,
    ...{ Approve: true, Reject: true, Cancel: true, ResolveFraudMatch: true, RecordSync: true },
    ForceOutcome: true,
    ...{
      RecordSyncFailure: true,
      RequestSync: true,
      Redact: true,
      RecordRedaction: true,
      RedactRetained: true,
    },
    ...{ PlaceLegalHold: true, LiftLegalHold: true },
    ...{ AddNote: true, Assign: true, Postpone: true, Resume: true },
  };
  const placed = new Set([...ways.map(({ command }) => command.type), ...steady]);
  assert.equal([...placed].sort(), Object.keys(all).sort());
});

for (const status of statuses) {
  test(`a fraud match is resolved in ${status}, which it leaves [fraud-18]`, () => {
    const past = [...historyOf[status], examples.SubmissionFraudChecked];
    const resolve: SubmissionCommand = {
      type: 'ResolveFraudMatch',
      matchId: match.id,
      resolution: 'dismissed',
      resolvedBy: 'key:x',
      comment: null,
      resolvedAt: late,
    };
    const { when } = given(submission, ...past);
    when(resolve).thenTypes('SubmissionFraudMatchResolved');
    const after = when(resolve).thenState();
    assert.equal([after?.status, after?.fraudMatches[0]?.resolution], [status, 'dismissed']);
  });
}

for (const status of statuses)
  test(`another resolution in ${status} replaces the first, or is refused where that is final [fraud-17]`, () => {
    const resolve = (resolution: 'confirmed' | 'dismissed'): SubmissionCommand => ({
      ...{ type: 'ResolveFraudMatch', matchId: match.id, resolution, resolvedBy: 'key:x', comment: null },
      resolvedAt: late,
    });
    const past = [...historyOf[status], examples.SubmissionFraudChecked];
    const [first] = given(submission, ...past)
      .when(resolve('confirmed'))
      .thenTypes('SubmissionFraudMatchResolved');
    assert.not.ok(first && 'previousResolution' in first.data);
    const { when } = given(submission, ...past, ...(first ? [first] : []));
    when(resolve('confirmed')).then();
    if (['approved', 'synced', 'rejected', 'cancelled'].includes(status)) {
      const { facts } = when(resolve('dismissed')).thenRefused('FraudMatchResolved');
      assert.equal(facts, { currentStatus: status, allowedFrom: allowedFrom('cancelled') });
      return;
    }
    const [second] = when(resolve('dismissed')).thenTypes('SubmissionFraudMatchResolved');
    assert.is(second?.type === 'SubmissionFraudMatchResolved' && second.data.previousResolution, 'confirmed');
    const { fraudStatus, fraudScore, fraudMatches } = when(resolve('dismissed')).thenState() ?? {};
    assert.equal([fraudStatus, fraudScore, fraudMatches?.[0]?.resolution], ['clean', 0, 'dismissed']);
  });

test('allowedFrom reads the table backwards', () => {
  assert.equal(allowedFrom('cancelled'), [
    'created',
    'processing',
    'capture_quality_blocked',
    'review',
    'failed',
  ]);
  assert.equal(allowedFrom('rejected'), ['review']);
  assert.equal(allowedFrom('synced'), ['approved']);
});

test('a submission that is not there refuses every command but opening', () => {
  for (const { command } of ways)
    if (command.type !== 'OpenSession') given(submission).when(command).thenRefused('SubmissionNotFound');
});
