import type { CommandPorts, Context } from '../commands/handle.ts';
import { EXTRACTOR_DELAYS_MS, nextAttemptAt } from '../domain/retrySchedule.ts';
import { forcedFraud } from '../domain/submission/forced.ts';
import type { Extraction, Result } from '../domain/submission/result.ts';
import type { Submission } from '../domain/submission/state.ts';
import { type SubmissionCommand, submission, submissionStream } from '../domain/submission/submission.ts';
import { syncTargetOf } from '../domain/submission/sync.ts';
import type { Status } from '../domain/submission/transitions.ts';
import type { WorkflowVersion } from '../domain/workflow.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Position } from '../kernel/event.ts';
import type { Traced } from '../kernel/trace.ts';
import type { Examined } from '../processing/examine.ts';
import { ExtractorUnavailable } from '../processing/extractor/unavailable.ts';
import type { CheckFraud } from '../processing/fraud/checkFraud.ts';
import type { keptWords } from '../processing/keptWords.ts';
import { sampleExtraction } from '../processing/sample.ts';
import type { ProcessingItem } from '../projections/processingQueue.ts';
import type { MatchPatterns } from '../schemas/patterns.ts';
import type { Claimed } from '../stores/documents/port.ts';

export type ProcessPorts = CommandPorts &
  Readonly<{
    /** A version as it is processed for a company. */
    version(slug: string, version: number, companyId: string): Promise<WorkflowVersion | null>;
    /** Reads the files and gives the result. Throws for a passing reason: it will be tried again. */
    examine(
      state: Submission,
      version: WorkflowVersion,
      signal: AbortSignal,
      cause: Traced,
    ): Promise<Examined>;
    /** Keeps the words that were read on pages, which never fails; `drop` is for a redacted submission. */
    words: Pick<ReturnType<typeof keptWords>, 'keep' | 'drop'>;
    matchPatterns: MatchPatterns;
    /** Matches what was read with what came before. Throws for a passing reason, as `examine`. */
    checkFraud: CheckFraud;
    /** An attempt failed for a passing reason; when the next one is due (ISO 8601), null for none. */
    onDelayed(submissionId: string, error: unknown, retryAt: string | null): void;
  }>;

/**
 * How often a round may start. Most starts without an end are due to a stop or kill of the service, not to
 * the files, which are opened in child processes; yet files that kill the service must not be tried for ever.
 */
const MAX_ATTEMPTS = 50;
/** How long after each attempt that failed for a passing reason of our own the next one comes. */
const DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000];

/** One attempt at processing, started and ended by an event; gives the position of the last event. */
export const processSubmission =
  (ports: ProcessPorts) =>
  async (item: Claimed<ProcessingItem>, signal: AbortSignal): Promise<Position | null> => {
    const stream = submissionStream(item.id);
    const context = { actor: { kind: 'system', id: 'processing' }, ...item.document.cause } as const;
    const run = (command: SubmissionCommand) => ports.handle(submission, stream, command, context);
    const at = ports.clock.now().toISOString();
    const start = { type: 'StartProcessing', maxAttempts: MAX_ATTEMPTS, at } as const;
    const started = await run(start).catch(nothingToProcess);
    if (started === null) return null;
    const state = started.state;
    if (state?.status !== 'processing') return started.position;
    const end = await endOf(ports, state, context, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const next = passing(ports.clock, state, error);
      ports.onDelayed(item.id, error, next.type === 'DelayProcessing' ? next.retryAt : null);
      return next;
    });
    const ended = await run(end);
    if (ended.state?.redaction) await ports.words.drop(item.id);
    return ended.position;
  };

/** The outcomes that come of doubts. */
const UNSURE: readonly Status[] = ['review', 'rejected'];

/** What ends the attempt: the result of its files, or what its metadata force, and then nobody opens them. */
const endOf = async (
  ports: ProcessPorts,
  state: Submission,
  context: Context,
  signal: AbortSignal,
): Promise<SubmissionCommand> => {
  const { round, attempt, forced } = state;
  const { slug, version } = state.workflow;
  const definition = await ports.version(slug, version, state.routing.companyId);
  if (!definition) throw new Error(`the read models do not show version ${version} of ${slug} yet`);
  if (forced?.outcome) {
    const isSure = !UNSURE.includes(forced.outcome);
    const { companyId } = state.routing;
    const sample = await sampleExtraction(definition.outputSchema, isSure ? 0.99 : 0.5, (questions) =>
      ports.matchPatterns(companyId, questions),
    );
    const extraction = namingFiles(sample, state);
    return { type: 'ForceOutcome', round, attempt, extraction, fraud: fraudForced(ports, state, definition) };
  }
  const result = await examine(ports, state, definition, context, signal);
  return { type: 'RecordResult', round, attempt, result, ...syncTargetOf(definition) };
};

const examine = async (
  ports: ProcessPorts,
  state: Submission,
  definition: WorkflowVersion,
  context: Context,
  signal: AbortSignal,
): Promise<Result> => {
  const { result, files, pages, words } = await ports.examine(state, definition, signal, context);
  if (result.kind !== 'extracted') return result;
  const { extraction } = result;
  await ports.words.keep(state.routing.submissionId, words);
  const fraud =
    fraudForced(ports, state, definition) ??
    (await ports.checkFraud(state, definition, { files, pages, extraction }, context, signal));
  return { ...result, extraction: namingFiles(extraction, state), fraud };
};

/** The extraction with its files; `fileName` is what the client calls one, null when it gave none. */
const namingFiles = (extraction: Extraction, { files, fileNames }: Submission): Extraction => ({
  ...extraction,
  result: {
    ...extraction.result,
    files: files.map(({ fileId, fileIndex, label }) => ({
      ...{ fileId, fileIndex, label, fileName: fileNames[fileId] ?? null },
    })),
  },
});

/** The fraud checks as its metadata force them, null where they force none. */
const fraudForced = ({ ids }: ProcessPorts, { forced }: Submission, { processing }: WorkflowVersion) =>
  forced?.fraud
    ? forcedFraud(forced.fraud, processing.fraud.requireResolution, {
        matchId: `fm_${ids.ulid()}`,
        matchedSubmissionId: `sub_${ids.ulid()}`,
      })
    : null;

/** After a failure for a passing reason: another attempt later, or the end when there were enough. */
const passing = (
  clock: Clock,
  { round, attempt, delays, waits }: Submission,
  error: unknown,
): SubmissionCommand<'DelayProcessing' | 'RecordResult'> => {
  const now = clock.now();
  const unavailable = error instanceof ExtractorUnavailable ? error : null;
  const [failures, schedule] = unavailable ? [waits + 1, EXTRACTOR_DELAYS_MS] : [delays + 1, DELAYS_MS];
  const due = nextAttemptAt(failures, now.toISOString(), schedule);
  if (due === null) {
    const tried = `Processing could not be finished in ${failures} attempts. Submit it again later.`;
    const reason = unavailable ? `${unavailable.message} ${tried}` : tried;
    return { type: 'RecordResult', round, attempt, result: { kind: 'failed', reason } };
  }
  const earliest = new Date(now.getTime() + (unavailable?.retryAfterMs ?? 0)).toISOString();
  const retryAt = earliest > due ? earliest : due;
  const reason = unavailable?.message ?? 'A part of the service could not be reached.';
  return {
    type: 'DelayProcessing',
    round,
    attempt,
    reason,
    retryAt,
    ...(unavailable ? { waitsFor: 'extractor' } : {}),
  };
};

const nothingToProcess = (error: Error): null => {
  if (error.name === 'SubmissionNotProcessable') return null;
  throw error;
};
