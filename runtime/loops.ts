import { setMaxListeners } from 'node:events';
import type { Role } from '../cli/runtime.ts';
import { completeBatch } from '../commands/completeBatch.ts';
import { expireSession } from '../commands/expireSession.ts';
import { forgetDelivery } from '../commands/forgetDelivery.ts';
import { requestDelivery } from '../commands/requestDelivery.ts';
import { isSettled } from '../commands/uploadRefusal.ts';
import { supervise } from '../kernel/supervise.ts';
import { createLanes } from '../outbound/lanes.ts';
import type { Asker, Sender } from '../outbound/send.ts';
import type { DeliveryItem } from '../projections/deliveryQueue.ts';
import { projectLive } from '../projections/engine/live.ts';
import { rebuildOutdated } from '../projections/engine/rebuild/outdated.ts';
import type { SyncItem } from '../projections/syncQueue.ts';
import { deliverWebhook } from '../reactors/deliverWebhooks.ts';
import type { Reactor } from '../reactors/engine/reactor.ts';
import { runReactor } from '../reactors/engine/runner.ts';
import { onSchedule } from '../reactors/engine/schedule.ts';
import { createSweep } from '../reactors/engine/sweep.ts';
import { finishInvitations } from '../reactors/finishInvitations.ts';
import { createUploadRemoval } from '../reactors/removeUploads.ts';
import { requestDeliveries } from '../reactors/requestDeliveries.ts';
import { createRetention } from '../reactors/retention.ts';
import { syncSubmission } from '../reactors/syncSubmissions.ts';
import { underLease } from '../stores/documents/lease.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import { processingLoop } from './processingLoop.ts';
import type { Config } from './settings/config.ts';
import type { Core } from './wire.ts';
import { workerLoop } from './workerLoop.ts';
import { reportUnset } from './workerReports.ts';

/** `workFolder`: where files lie while they are processed. */
type LoopPorts = Readonly<{ objects: ObjectStore; sender: Sender & Asker; workFolder: string }>;

/** Starts the loops of the given roles, and gives what stops them in order: work under way ends first. */
export const startLoops = (
  config: Config,
  core: Core,
  { objects, sender, workFolder }: LoopPorts,
  roles: readonly Role[],
): (() => Promise<void>) => {
  const workers = new AbortController();
  const projections = new AbortController();
  // Each work item under way listens, and there may be many at once: that is no leak.
  setMaxListeners(0, workers.signal);
  const loops: Promise<void>[] = [];
  if (roles.includes('workers')) {
    loops.push(
      processingLoop({ config, core, objects, asker: sender, workFolder, signal: workers.signal }),
      deliveryLoop(config, core, sender, workers.signal),
      syncLoop(config, core, sender, workers.signal),
    );
  }
  if (roles.includes('reactors')) {
    loops.push(...reactorLoops(core, workers.signal), sweepLoop(config, core, objects, workers.signal));
  }
  const live = roles.includes('projections') ? projectionLoops(core, projections.signal) : [];
  return async () => {
    workers.abort();
    await Promise.all(loops);
    // Last, since the work that just ended waited to be visible.
    projections.abort();
    await Promise.all(live);
  };
};

const projectionLoops = (core: Core, signal: AbortSignal): readonly Promise<void>[] => [
  supervise('projections', (inner) => projectLive(core, inner), signal, core.report),
  supervise('rebuild', (inner) => rebuildOutdated(core, inner), signal, core.report),
];

/** Every reactor of the service. */
export const reactorsOf = ({ handle, log, finishInvitation }: Core): readonly Reactor[] => [
  requestDeliveries(requestDelivery(handle, log)),
  finishInvitations(finishInvitation),
];

const reactorLoops = (core: Core, signal: AbortSignal): readonly Promise<void>[] => {
  const { documents, log, owner, report } = core;
  return reactorsOf(core).map((reactor) => {
    const run = (outer: AbortSignal): Promise<void> =>
      underLease(documents.leases, `reactor:${reactor.name}`, owner, outer, (fence, inner) =>
        runReactor({ reactor, log, documents, fence, signal: inner, report }),
      );
    return supervise(reactor.name, run, signal, report);
  });
};

const sweepLoop = (config: Config, core: Core, objects: ObjectStore, signal: AbortSignal): Promise<void> => {
  const { documents, handle, ids, log, clock, progress, owner, report } = core;
  const { batchGraceMs: graceMs } = config;
  const sweep = createSweep({
    log,
    clock,
    progress,
    report,
    graceMs,
    expiring: core.pendingSessions.expiring,
    waiting: core.batches.waiting,
    expireSession: expireSession({ handle, clock, ids }),
    completeBatch: completeBatch({ handle, clock, ids, graceMs, ...core.batchSessions }),
    purgeRecords: core.idempotency.purge,
    forgetDeliveries: createRetention({
      clock,
      tables: documents.tables,
      report,
      retentionMs: config.webhook.retentionMs,
      ended: core.deliveries.ended,
      forget: forgetDelivery(log),
    }),
    removeUploads: createUploadRemoval({
      objects,
      clock,
      report,
      sessionTtlMs: config.sessionTtlMs,
      isSettled: isSettled(log),
      onRemoved: core.recorder.uploadsRemoved,
    }),
  });
  const run = (outer: AbortSignal): Promise<void> =>
    underLease(documents.leases, 'sweep', owner, outer, (_fence, inner) =>
      onSchedule(config.sweep, sweep, inner),
    );
  return supervise('sweep', run, signal, report);
};

const deliveryLoop = (config: Config, core: Core, sender: Sender, signal: AbortSignal): Promise<void> => {
  const { handle, log, credentials, clock, progress } = core;
  const lanes = createLanes();
  const work = deliverWebhook({
    handle,
    log,
    credentials,
    sender,
    lanes,
    progress,
    clock,
    retryDelaysMs: config.webhook.retryDelaysMs,
    onUnseen: core.recorder.unseen,
  });
  return workerLoop<DeliveryItem>(core, {
    name: 'deliveries',
    queue: 'deliveryQueue',
    needs: ['events'],
    capacity: lanes.nextClaim,
    work,
    signal,
  });
};

const syncLoop = ({ secretOf }: Config, core: Core, sender: Sender, signal: AbortSignal): Promise<void> => {
  const { handle, log, clock, report, workflows } = core;
  const lanes = createLanes();
  const work = syncSubmission({
    handle,
    log,
    version: workflows.kept,
    secretOf,
    sender,
    lanes,
    clock,
    onUnset: reportUnset(report, 'approved data can’t be sent'),
    onGivenUp: (submissionId, error) =>
      report.warn('approved data are sent no more, until `intake submissions sync` asks for it', {
        submissionId,
        error,
      }),
  });
  return workerLoop<SyncItem>(core, {
    name: 'sync',
    queue: 'syncQueue',
    needs: ['events'],
    capacity: lanes.nextClaim,
    work,
    signal,
  });
};
