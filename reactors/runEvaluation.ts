import type { Handle, Handled } from '../commands/handle.ts';
import { fold } from '../commands/load.ts';
import {
  doneOf,
  type Evaluation,
  type EvaluationEvent,
  evaluation,
  evaluationStream,
  type omissions,
} from '../domain/evaluation/evaluation.ts';
import { type Comparison, compare, type Reading } from '../domain/evaluation/judge.ts';
import type { ExtractedData } from '../domain/submission/processingResult.ts';
import type { Submission } from '../domain/submission/state.ts';
import { submission, submissionStream } from '../domain/submission/submission.ts';
import { type Position, type Recorded, unlessRedacted } from '../kernel/event.ts';
import type { Report } from '../kernel/report.ts';
import { pause } from '../kernel/signals.ts';
import { TransientFailure } from '../processing/errors.ts';
import type { readAgain } from '../processing/readAgain.ts';
import type { EvaluationItem } from '../projections/evaluationQueue.ts';
import type { Claimed } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';

type Ports = Readonly<{
  handle: Handle;
  log: Pick<EventLog, 'load'>;
  read: ReturnType<typeof readAgain>;
  /** Whether somebody's documents wait to be read: an evaluation waits as long. */
  documentsWait(): Promise<boolean>;
  /** Whether an evaluation is neither paused nor ended. */
  isGoing(evaluationId: string): Promise<boolean>;
  report: Report;
  /** A monotonic clock, in milliseconds. */
  elapsedMs(): number;
}>;

/** So many submissions make a step, or so long a time: a crash has at most one read again. */
const STEP = 64;
const STEP_MS = 10_000;
/** How often it looks whether documents still wait. */
const POLL_MS = 500;

type Omission = Readonly<{ submissionId: string; reason: (typeof omissions)[number] }>;
type Step = Readonly<{ comparisons: Comparison[]; omitted: Omission[] }>;

/**
 * Reads the submissions of an evaluation, one after the other and only while no document waits. A step that
 * was not recorded is repeated, with the same result. Submissions stay as they are. Throws
 * `StoreUnavailable`.
 */
export const runEvaluation =
  (ports: Ports) =>
  async (item: Claimed<EvaluationItem>, signal: AbortSignal): Promise<Position | null> => {
    const stream = evaluationStream(item.id);
    const context = { actor: { kind: 'system', id: 'evaluation' }, ...item.document.cause } as const;
    let state: Evaluation | null = fold(evaluation, (await ports.log.load(stream)).events);
    let position: Position | null = null;
    while (state?.status === 'running' && !signal.aborted) {
      const step = await takeStep(ports, state, signal);
      if (step.comparisons.length + step.omitted.length === 0) break;
      const command = { type: 'AdvanceEvaluation', done: doneOf(state), ...step } as const;
      const taken: Handled<Evaluation | null, EvaluationEvent> = await ports.handle(
        evaluation,
        stream,
        command,
        context,
      );
      ({ state, position } = taken);
    }
    return position;
  };

/** What of the next submissions was read until it was stopped. */
const takeStep = async (ports: Ports, state: Evaluation, signal: AbortSignal): Promise<Step> => {
  const step: Step = { comparisons: [], omitted: [] };
  const end = ports.elapsedMs() + STEP_MS;
  for (const submissionId of state.left.slice(0, STEP)) {
    while (!signal.aborted && (await ports.documentsWait())) await pause(POLL_MS, signal);
    if (signal.aborted || !(await ports.isGoing(state.evaluationId))) break;
    const read = await readOne(ports, state, submissionId, signal).catch((error: unknown) => {
      // Of what it was stopped in nothing is recorded.
      if (signal.aborted) return null;
      throw error;
    });
    if (read === null) break;
    if ('reason' in read) step.omitted.push(read);
    else step.comparisons.push(read);
    if (ports.elapsedMs() >= end) break;
  }
  return step;
};

const readOne = async (
  { log, read, report }: Ports,
  state: Evaluation,
  submissionId: string,
  signal: AbortSignal,
): Promise<Comparison | Omission> => {
  const { events } = await log.load(submissionStream(submissionId));
  const found = fold(submission, events);
  const truth = found && unlessRedacted(found.extractedData);
  if (!found || !truth) return { submissionId, reason: 'redacted' };
  if (found.forced?.outcome) return { submissionId, reason: 'forced' };
  const attempt = async (left: number): Promise<Reading | null> => {
    try {
      return await read(found, state, readAtOf(events), signal);
    } catch (error) {
      if (!(error instanceof TransientFailure) || signal.aborted) throw error;
      if (left > 0) return attempt(left - 1);
      report.warn('a submission is left out of an evaluation', { submissionId, err: error });
      return null;
    }
  };
  const now = await attempt(1);
  if (now === null) return { submissionId, reason: 'unavailable' };
  const isChecked = events.some(({ type }) => type === 'SubmissionApproved');
  const { version } = found.workflow;
  return compare({ submissionId, version, isChecked, truth, then: readingOf(found, truth), now });
};

/** When the machine read it; where it never did, when it came. */
const readAtOf = (events: readonly Recorded[]): string =>
  (events.findLast(({ type }) => type.startsWith('SubmissionProcess')) ?? events[0])?.metadata.at ?? '';

/** What was read of a submission before people corrected it, and why it went to them but for fraud. */
const readingOf = (found: Submission, truth: ExtractedData): Reading => ({
  values: {
    ...truth,
    ...Object.fromEntries(found.corrections.map(({ field, machineValue }) => [field, machineValue])),
  },
  confidences: unlessRedacted(found.fieldConfidences) ?? {},
  confidence: found.confidence ?? 0,
  reasons: [
    ...new Set(found.reviewReasons.map(({ code }) => code).filter((code) => !code.startsWith('fraud_'))),
  ],
});
