import { completeBatch } from '../../commands/completeBatch.ts';
import { disableFailing } from '../../commands/disableFailing.ts';
import { expireSession } from '../../commands/expireSession.ts';
import { createHandle } from '../../commands/handle.ts';
import { type BatchEvent, batchStream } from '../../domain/batch.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { Recorded } from '../../kernel/event.ts';
import { allProjections } from '../../projections/all.ts';
import { batchQueries } from '../../projections/batches.ts';
import { batchSessionQueries } from '../../projections/batchSessions.ts';
import { endpointHealthQueries } from '../../projections/endpointHealth.ts';
import { settle } from '../../projections/engine/live.ts';
import { createProgress, type Progress } from '../../projections/engine/progress.ts';
import { liveCheckpoint } from '../../projections/engine/readModels.ts';
import { mailQueries } from '../../projections/mailQueue.ts';
import { pendingSessionQueries } from '../../projections/pendingSessions.ts';
import { createSweep, type SweepPorts } from '../../reactors/engine/sweep.ts';
import { giveUpMail } from '../../reactors/mailInvitations.ts';
import { noRecorder } from '../../telemetry/recorder.ts';
import { sessionsOn } from './sessions.ts';
import { keptReport, temporaryStores } from './stores.ts';
import { routing } from './submission.ts';

export const GRACE_MS = 300_000;
export const DAY_MS = 86_400_000;

/**
 * Stores with sessions on them, and sweeps by a clock that a test moves; the read models follow when a sweep
 * asks for them.
 */
export const sweepStage = () => {
  const stores = temporaryStores();
  const { documents, log, clock, ids } = stores;
  const { models } = documents;
  const sessions = sessionsOn(stores);
  const kept = keptReport();
  const progress = createProgress(() => liveCheckpoint(allProjections, models));
  const settled = async (): Promise<boolean> =>
    settle(
      {
        projections: allProjections,
        recorder: noRecorder,
        log,
        documents,
        progress,
        owner: 'test',
        report: kept.report,
      },
      await log.head(),
    );
  /** Read models that catch up when they are asked whether they have. */
  const following: Pick<Progress, 'reached'> = { reached: settled };
  const batches = batchQueries(models);
  const batchSessions = batchSessionQueries(models);

  /** A sweep as one node would do it. */
  const node = (over: Partial<SweepPorts> = {}) => {
    const handle = createHandle(log, clock, ids);
    const sweep = createSweep({
      log,
      clock,
      progress: following,
      report: kept.report,
      graceMs: GRACE_MS,
      expiring: pendingSessionQueries(models).expiring,
      waiting: batches.waiting,
      disableAfterMs: 5 * DAY_MS,
      failing: endpointHealthQueries(models).failingSince,
      disableFailing: disableFailing({
        ...{
          handle,
          ids,
          log,
          report: kept.report,
          disableAfterMs: 5 * DAY_MS,
          recipientsOf: async () => [],
        },
      }),
      unsent: mailQueries(models).dueBefore,
      expireSession: expireSession({ handle, clock, ids }),
      completeBatch: completeBatch({ handle, clock, ids, graceMs: GRACE_MS, ...batchSessions }),
      giveUpMail: giveUpMail({ handle, clock, onFailed: () => undefined }),
      purgeRecords: async () => undefined,
      forgetDeliveries: async () => undefined,
      removeUploads: async () => undefined,
      redactRetained: async () => undefined,
      growing: async () => ({ items: [], next: null }),
      extendShadow: async () => undefined,
      ...over,
    });
    return (signal: AbortSignal = new AbortController().signal): Promise<void> => sweep(signal);
  };
  const { companyId, mode } = routing;
  const batchIdOf = (batchRef: string): string => `batch of ${companyId} ${mode} ${batchRef}`;
  /** The events of a batch's own stream. */
  const completions = async (batchRef: string): Promise<readonly Recorded<BatchEvent>[]> => {
    const { events } = await log.load(batchStream(batchIdOf(batchRef)));
    return events as readonly Recorded<BatchEvent>[];
  };
  let named = 0;

  return {
    ...stores,
    ...kept,
    sessions,
    settled,
    node,
    sweep: node(),
    batchIdOf,
    /** A batch's name that was not given before. */
    newRef: (): string => `ref-${++named}`,
    completions,
    /** Whether a batch has been completed, and once. */
    completed: async (batchRef: string): Promise<boolean> => (await completions(batchRef)).length === 1,
    /** The types of a submission's events. */
    typesOf: async (submissionId: string): Promise<readonly string[]> =>
      (await log.load(submissionStream(submissionId))).events.map(({ type }) => type),
    /** The batch as the read models show all that has happened. */
    shown: async (batchRef: string) => {
      await settled();
      return batches.find(batchIdOf(batchRef));
    },
  };
};
export type SweepStage = ReturnType<typeof sweepStage>;
