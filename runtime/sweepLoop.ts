import { completeBatch } from '../commands/completeBatch.ts';
import { disableFailing } from '../commands/disableFailing.ts';
import { expireSession } from '../commands/expireSession.ts';
import { forgetDelivery } from '../commands/forgetDelivery.ts';
import { extendShadow } from '../commands/requestEvaluation.ts';
import { isSettled } from '../commands/uploadRefusal.ts';
import { type After, collect } from '../projections/engine/pages.ts';
import { onSchedule } from '../reactors/engine/schedule.ts';
import { createSweep } from '../reactors/engine/sweep.ts';
import { giveUpMail } from '../reactors/mailInvitations.ts';
import { giveUpNotice, isNotice } from '../reactors/mailNotices.ts';
import { redactRetained } from '../reactors/redactRetained.ts';
import { createUploadRemoval } from '../reactors/removeUploads.ts';
import { createRetention } from '../reactors/retention.ts';
import type { Fence } from '../stores/documents/port.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import { type LeaseCore, leasedLoop } from './leasedLoop.ts';
import type { Config } from './settings/config.ts';
import type { Core } from './wire.ts';
import { reportMailFailure } from './workerReports.ts';

/** More people need not be told that an endpoint was disabled. */
const MAX_RECIPIENTS = 20;

/** The administrators of a company who are told, without those who are disabled. */
const toldOf =
  ({ users }: Pick<Core, 'users'>) =>
  async (companyId: string): Promise<readonly string[]> => {
    const page = (limit: number, after: After) =>
      users.listOf({ companyId, role: 'org_admin' }, limit, after);
    const { items } = await collect(page);
    return items.flatMap(({ id, disabledAt }) => (disabledAt === null ? id : [])).slice(0, MAX_RECIPIENTS);
  };

/** What the sweep takes of the core. */
export type SweepCore = LeaseCore &
  Pick<Core, 'handle' | 'log' | 'clock' | 'progress' | 'users' | 'ids' | 'recorder' | 'destroyKey'> &
  Pick<Core, 'pendingSessions' | 'batches' | 'batchSessions' | 'mails' | 'endpointHealth'> &
  Pick<Core, 'idempotency' | 'deliveries' | 'companies' | 'retained' | 'evaluations'>;

/** Does what falls due without an event, on the one process that holds the lease of the sweep. */
export const sweepLoop = (
  config: Config,
  core: SweepCore,
  objects: ObjectStore,
  signal: AbortSignal,
): Promise<void> => {
  const { batchGraceMs: graceMs, sessionTtlMs, webhook } = config;
  const { disableAfterMs } = webhook;
  const recipientsOf = config.mail ? toldOf(core) : async () => [];
  const mailed = { ...core, onFailed: reportMailFailure(core.report) };
  const sweep = createSweep({
    ...core,
    graceMs,
    expiring: core.pendingSessions.expiring,
    waiting: core.batches.waiting,
    unsent: core.mails.dueBefore,
    expireSession: expireSession(core),
    disableAfterMs,
    failing: core.endpointHealth.failingSince,
    disableFailing: disableFailing({ ...core, disableAfterMs, recipientsOf }),
    completeBatch: completeBatch({ ...core, graceMs, ...core.batchSessions }),
    giveUpMail: (item) => (isNotice(item) ? giveUpNotice(mailed)(item) : giveUpMail(mailed)(item)),
    purgeRecords: core.idempotency.purge,
    forgetDeliveries: createRetention({
      ...core,
      tables: core.documents.tables,
      retentionMs: webhook.retentionMs,
      ended: core.deliveries.ended,
      forget: forgetDelivery({ ...core, compact: core.documents.compact }),
    }),
    redactRetained: redactRetained({
      ...core,
      ...core.companies,
      ...core.recorder,
      tables: core.documents.tables,
    }),
    growing: core.evaluations.growing,
    extendShadow: extendShadow({ ...core, ...core.evaluations }),
    removeUploads: createUploadRemoval({
      ...core,
      objects,
      sessionTtlMs,
      isSettled: isSettled(core.log),
      onRemoved: core.recorder.uploadsRemoved,
    }),
  });
  const run = async (_fence: Fence, inner: AbortSignal): Promise<void> => {
    try {
      await onSchedule(config.sweep, sweep, inner);
    } finally {
      // Whoever sweeps next counts it.
      core.recorder.retentionDue({ due: 0, held: 0 });
    }
  };
  return leasedLoop(core, 'sweep', 'sweep', run, signal);
};
