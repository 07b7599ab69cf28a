import { setMaxListeners } from 'node:events';
import type { Role } from '../cli/runtime.ts';
import { completeBatch } from '../commands/completeBatch.ts';
import { disableFailing } from '../commands/disableFailing.ts';
import { expireSession } from '../commands/expireSession.ts';
import { forgetDelivery } from '../commands/forgetDelivery.ts';
import { giveUpDeliveries } from '../commands/giveUpDeliveries.ts';
import { requestDelivery } from '../commands/requestDelivery.ts';
import { isSettled } from '../commands/uploadRefusal.ts';
import { supervise } from '../kernel/supervise.ts';
import { createLanes } from '../outbound/lanes.ts';
import { createMailer } from '../outbound/mail.ts';
import type { Sender } from '../outbound/send.ts';
import type { DeliveryItem } from '../projections/deliveryQueue.ts';
import { projectLive } from '../projections/engine/live.ts';
import { type After, collect } from '../projections/engine/pages.ts';
import { rebuildOutdated } from '../projections/engine/rebuild/outdated.ts';
import { runTasks, TASKS_LEASE } from '../projections/engine/tasks/run.ts';
import type { SyncItem } from '../projections/syncQueue.ts';
import { deliverWebhook } from '../reactors/deliverWebhooks.ts';
import { endDeliveries } from '../reactors/endDeliveries.ts';
import { endpointRegistry } from '../reactors/endpointRegistry.ts';
import type { Reactor } from '../reactors/engine/reactor.ts';
import { runReactor } from '../reactors/engine/runner.ts';
import { onSchedule } from '../reactors/engine/schedule.ts';
import { createSweep } from '../reactors/engine/sweep.ts';
import { finishInvitations } from '../reactors/finishInvitations.ts';
import { forgetPeople } from '../reactors/forgetPeople.ts';
import { giveUpMail } from '../reactors/mailInvitations.ts';
import { giveUpNotice, isNotice } from '../reactors/mailNotices.ts';
import { redactRetained } from '../reactors/redactRetained.ts';
import { createUploadRemoval } from '../reactors/removeUploads.ts';
import { requestDeliveries } from '../reactors/requestDeliveries.ts';
import { createRetention } from '../reactors/retention.ts';
import { settleCredentials } from '../reactors/settleCredentials.ts';
import { syncSubmission } from '../reactors/syncSubmissions.ts';
import { underLease } from '../stores/documents/lease.ts';
import type { Fence } from '../stores/documents/port.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import { tracedPages, tracedSender } from '../telemetry/traced.ts';
import { type MailCore, mailLoop } from './mailLoop.ts';
import { type LoopPorts, type ProcessingCore, processingLoop } from './processingLoop.ts';
import { type RedactionCore, redactionLoop } from './redactionLoop.ts';
import type { Config } from './settings/config.ts';
import type { Core } from './wire.ts';
import { type WorkerCore, workerLoop } from './workerLoop.ts';
import { reportMailFailure, reportUnset } from './workerReports.ts';

type LoopsCore = ProjectionCore &
  ReactorCore &
  SweepCore &
  DeliveryCore &
  SyncCore &
  ProcessingCore &
  RedactionCore &
  MailCore;

/** Starts the loops of the given roles, and gives what stops them in order: work under way ends first. */
export const startLoops = (
  config: Config,
  core: LoopsCore,
  ports: LoopPorts,
  roles: readonly Role[],
): (() => Promise<void>) => {
  const { objects, sender } = ports;
  const workers = new AbortController();
  const projections = new AbortController();
  // Each work item under way listens, and there may be many at once: that is no leak.
  setMaxListeners(0, workers.signal);
  const loops: Promise<void>[] = [];
  if (roles.includes('workers')) {
    loops.push(
      processingLoop(config, core, ports, workers.signal),
      deliveryLoop(config, core, tracedSender(sender, core.tracing, 'webhook'), workers.signal),
      syncLoop(config, core, tracedSender(sender, core.tracing, 'sync'), workers.signal),
      redactionLoop(core, objects, workers.signal),
    );
    if (config.mail) {
      const mailer = createMailer(config.mail);
      loops.push(mailLoop(core, { mailer, publicUrl: ports.publicUrl }, workers.signal));
    }
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

/** What the holder of a lease takes of the core. */
type LeaseCore = Pick<Core, 'documents' | 'owner' | 'report'>;

type ProjectionCore = LeaseCore &
  Pick<Core, 'clock' | 'log' | 'progress' | 'projections' | 'recorder' | 'tasks' | 'catalogue' | 'tracing'>;

const projectionLoops = (core: ProjectionCore, signal: AbortSignal): readonly Promise<void>[] => {
  const live = { ...core, log: tracedPages(core.log, core.tracing, 'project events') };
  return [
    leasedLoop(core, 'tasks', TASKS_LEASE, (_fence, inner) => runTasks(core, inner), signal),
    supervise('projections', (inner) => projectLive(live, inner), signal, core.report),
    supervise('rebuild', (inner) => rebuildOutdated(core, inner), signal, core.report),
  ];
};

/** What reactors take of the core. */
export type ReactorCore = Pick<Core, 'handle' | 'log' | 'progress' | 'finishInvitation'> &
  Pick<Core, 'keys' | 'users' | 'webhookEndpoints' | 'deliveries' | 'redactPeople' | 'documents'>;

/** Every reactor of the service. */
export const reactorsOf = (core: ReactorCore): readonly Reactor[] => {
  const { handle, log, finishInvitation, keys, users } = core;
  const registry = endpointRegistry({ endpoints: core.webhookEndpoints, progress: core.progress });
  return [
    requestDeliveries(requestDelivery(handle, log, registry.of), registry),
    finishInvitations(finishInvitation),
    settleCredentials({ ...keys, ...users }),
    endDeliveries(giveUpDeliveries(core), core.progress),
    forgetPeople(core),
  ];
};

/** Runs a loop on the one process that holds its lease, until the signal is aborted. */
const leasedLoop = (
  { documents, owner, report }: LeaseCore,
  name: string,
  lease: string,
  run: (fence: Fence, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> =>
  supervise(name, (outer) => underLease(documents.leases, lease, owner, outer, run), signal, report);

const reactorLoops = (core: ReactorCore & LeaseCore, signal: AbortSignal): readonly Promise<void>[] =>
  reactorsOf(core).map((reactor) => {
    const run = (fence: Fence, inner: AbortSignal) => runReactor({ ...core, reactor, fence, signal: inner });
    return leasedLoop(core, reactor.name, `reactor:${reactor.name}`, run, signal);
  });

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

type SweepCore = LeaseCore &
  Pick<Core, 'handle' | 'log' | 'clock' | 'progress' | 'users' | 'ids' | 'recorder' | 'destroyKey'> &
  Pick<Core, 'pendingSessions' | 'batches' | 'batchSessions' | 'mails' | 'endpointHealth'> &
  Pick<Core, 'idempotency' | 'deliveries' | 'companies' | 'retained'>;

const sweepLoop = (
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
    removeUploads: createUploadRemoval({
      ...core,
      objects,
      sessionTtlMs,
      isSettled: isSettled(core.log),
      onRemoved: core.recorder.uploadsRemoved,
    }),
  });
  const run = (_fence: Fence, inner: AbortSignal) => onSchedule(config.sweep, sweep, inner);
  return leasedLoop(core, 'sweep', 'sweep', run, signal);
};

type DeliveryCore = WorkerCore &
  Pick<Core, 'handle' | 'log' | 'clock' | 'recorder' | 'credentials' | 'endpointSecrets'>;

const deliveryLoop = (
  config: Config,
  core: DeliveryCore,
  sender: Sender,
  signal: AbortSignal,
): Promise<void> => {
  const lanes = createLanes();
  const { retryDelaysMs } = config.webhook;
  return workerLoop<DeliveryItem>(core, {
    name: 'deliveries',
    queue: 'deliveryQueue',
    needs: ['events'],
    capacity: lanes.nextClaim,
    work: deliverWebhook({ ...core, sender, lanes, retryDelaysMs, onUnseen: core.recorder.unseen }),
    signal,
  });
};

type SyncCore = WorkerCore & Pick<Core, 'handle' | 'log' | 'clock' | 'workflows'>;

const syncLoop = (
  { secretOf }: Config,
  core: SyncCore,
  sender: Sender,
  signal: AbortSignal,
): Promise<void> => {
  const lanes = createLanes();
  const { report } = core;
  const onUnset = reportUnset(report, 'approved data can’t be sent');
  const onGivenUp = (submissionId: string, error: string): void =>
    report.warn('approved data are sent no more, until `intake submissions sync` asks for it', {
      submissionId,
      error,
    });
  return workerLoop<SyncItem>(core, {
    name: 'sync',
    queue: 'syncQueue',
    needs: ['events'],
    capacity: lanes.nextClaim,
    work: syncSubmission({
      ...core,
      version: core.workflows.kept,
      secretOf,
      sender,
      lanes,
      onUnset,
      onGivenUp,
    }),
    signal,
  });
};
