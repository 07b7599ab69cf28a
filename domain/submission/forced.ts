import type { Fault } from '../../kernel/fault.ts';
import { closed, nullable, type Of } from '../../kernel/schema.ts';
import type { Mode } from '../../kernel/scope.ts';
import { fraudChecks } from '../fraud/checks.ts';
import { type FraudMatch, type FraudPolicy, FraudStatus, fraudStatuses, statusOf } from './fraud.ts';
import { Status } from './routing.ts';
import { statuses } from './transitions.ts';

/**
 * The outcome and fraud status that a session's metadata force in test mode; null where they force none
 * (test-mode-2).
 */
export const Forced = closed({ outcome: nullable(Status), fraud: nullable(FraudStatus) });
export type Forced = Of<typeof Forced>;

/** The members of metadata that force a submission's end. In live mode they are metadata like any other. */
const OUTCOME = 'intake:outcome';
const FRAUD = 'intake:fraud';

/** What a session's metadata force; null for a live session, and where they force nothing. */
export const forcedBy = (mode: Mode, metadata: unknown): Forced | null => {
  const controls = controlsIn(mode, metadata);
  if (controls === null) return null;
  const outcome = statuses.find((status) => status === controls[OUTCOME]) ?? null;
  const fraud = fraudStatuses.find((status) => status === controls[FRAUD]) ?? null;
  return outcome === null && fraud === null ? null : { outcome, fraud };
};

/**
 * The faults of forcing metadata: an unknown status, or a fraud status that a submission with that outcome
 * can't have. `mustResolve`: whether the version refuses to approve what a match blocks.
 */
export const forcedFaults = (mode: Mode, metadata: unknown, mustResolve: boolean): readonly Fault[] => {
  const controls = controlsIn(mode, metadata);
  if (controls === null) return [];
  const forced = forcedBy(mode, metadata);
  return [
    ...unknownFaults(controls, OUTCOME, statuses),
    ...unknownFaults(controls, FRAUD, fraudStatuses),
    ...(forced ? togetherFaults(forced, mustResolve) : []),
  ];
};

/**
 * The fraud checks of a submission whose fraud status is forced: one open match unless it is clean, with a
 * submission that does not exist, under thresholds that give this status.
 */
export const forcedFraud = (
  status: FraudStatus,
  requireResolution: boolean,
  ids: Readonly<{ matchId: string; matchedSubmissionId: string }>,
): Readonly<{ matches: readonly FraudMatch[]; policy: FraudPolicy }> => {
  const policy = { flagAt: 0.5, blockAt: 0.9, requireResolution };
  if (status === 'clean') return { matches: [], policy };
  const check = fraudChecks.find(
    ({ type: checkType, score, match }) =>
      match.by === 'trait' && statusOf({ checkType, score }, policy) === status,
  );
  if (!check) throw new Error(`no fraud check has a score that gives ${status}`);
  const { matchId: id, matchedSubmissionId } = ids;
  const { type: checkType, score } = check;
  const match = { id, checkType, score, similarity: 1, matchedSubmissionId, details: { forced: true } };
  return { matches: [match], policy };
};

/** The statuses in which a submission has been through its fraud checks. */
const CHECKED: readonly Status[] = ['review', 'approved', 'synced', 'rejected'];

const togetherFaults = ({ outcome, fraud }: Forced, mustResolve: boolean): readonly Fault[] => {
  if (outcome === null || fraud === null) return [];
  if (!CHECKED.includes(outcome))
    return [fault(FRAUD, `must be left out with ${OUTCOME} ${outcome}, which comes before any fraud check`)];
  if (mustResolve && fraud === 'blocked' && ['approved', 'synced'].includes(outcome))
    return [
      fault(
        FRAUD,
        `must not be blocked with ${OUTCOME} ${outcome}: approval is refused until it is resolved`,
      ),
    ];
  return [];
};

type Controls = Readonly<Record<string, unknown>>;

/** Metadata that may force something; null for those that can't. */
const controlsIn = (mode: Mode, metadata: unknown): Controls | null =>
  mode === 'test' && typeof metadata === 'object' && metadata !== null ? { ...metadata } : null;

const unknownFaults = (controls: Controls, name: string, known: readonly string[]): readonly Fault[] => {
  if (!Object.hasOwn(controls, name)) return [];
  const value = controls[name];
  return typeof value === 'string' && known.includes(value)
    ? []
    : [fault(name, `must be one of ${known.join(', ')}`)];
};

const fault = (name: string, detail: string): Fault => ({ pointer: `/metadata/${name}`, detail });
