import { setMaxListeners } from 'node:events';
import type { Role } from '../cli/runtime.ts';
import { giveUpDeliveries } from '../commands/giveUpDeliveries.ts';
import { redactDeliveries } from '../commands/redactDeliveries.ts';
import { requestDelivery } from '../commands/requestDelivery.ts';
import { supervise } from '../kernel/supervise.ts';
import { createLanes } from '../outbound/lanes.ts';
import { createMailer } from '../outbound/mail.ts';
import type { Sender } from '../outbound/send.ts';
import type { DeliveryItem } from '../projections/deliveryQueue.ts';
import { projectLive } from '../projections/engine/live.ts';
import { rebuildOutdated } from '../projections/engine/rebuild/outdated.ts';
import { runTasks, TASKS_LEASE } from '../projections/engine/tasks/run.ts';
import type { SyncItem } from '../projections/syncQueue.ts';
import { deliverWebhook } from '../reactors/deliverWebhooks.ts';
import { endDeliveries } from '../reactors/endDeliveries.ts';
import { endpointRegistry } from '../reactors/endpointRegistry.ts';
import type { Reactor } from '../reactors/engine/reactor.ts';
import { runReactor } from '../reactors/engine/runner.ts';
import { finishInvitations } from '../reactors/finishInvitations.ts';
import { forgetBatches } from '../reactors/forgetBatches.ts';
import { forgetPeople } from '../reactors/forgetPeople.ts';
import { requestDeliveries } from '../reactors/requestDeliveries.ts';
import { settleCredentials } from '../reactors/settleCredentials.ts';
import { syncSubmission } from '../reactors/syncSubmissions.ts';
import type { Fence } from '../stores/documents/port.ts';
import { tracedPages, tracedSender } from '../telemetry/traced.ts';
import { tracedMailer, tracedReactor } from '../telemetry/tracedOutside.ts';
import { type EvaluationCore, evaluationLoop } from './evaluationLoop.ts';
import { hasRequested } from './hasRequested.ts';
import { type LeaseCore, leasedLoop } from './leasedLoop.ts';
import { type MailCore, mailLoop } from './mailLoop.ts';
import { type LoopPorts, type ProcessingCore, processingLoop } from './processingLoop.ts';
import { type RedactionCore, redactionLoop, subjectRedactionLoop } from './redactionLoop.ts';
import type { Config } from './settings/config.ts';
import { type SweepCore, sweepLoop } from './sweepLoop.ts';
import type { Core } from './wire.ts';
import { type WorkerCore, workerLoop } from './workerLoop.ts';
import { reportUnset } from './workerReports.ts';

type LoopsCore = ProjectionCore &
  ReactorCore &
  SweepCore &
  DeliveryCore &
  SyncCore &
  ProcessingCore &
  RedactionCore &
  EvaluationCore &
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
      subjectRedactionLoop(core, workers.signal),
      evaluationLoop(core, ports, workers.signal),
    );
    if (config.mail) {
      const mailer = tracedMailer(createMailer(config.mail), core.tracing, config.mail.server.host);
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
  Pick<Core, 'keys' | 'users' | 'webhookEndpoints' | 'deliveries' | 'redactPeople' | 'documents'> &
  Pick<Core, 'batches' | 'destroyKey'>;

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
    forgetBatches({
      ...core,
      redactDeliveries: redactDeliveries(handle),
      hasRequested: hasRequested(core.documents),
    }),
  ];
};

const reactorLoops = (
  core: ReactorCore & LeaseCore & Pick<Core, 'tracing'>,
  signal: AbortSignal,
): readonly Promise<void>[] =>
  reactorsOf(core).map((made) => {
    const reactor = tracedReactor(made, core.tracing);
    const run = (fence: Fence, inner: AbortSignal) => runReactor({ ...core, reactor, fence, signal: inner });
    return leasedLoop(core, reactor.name, `reactor:${reactor.name}`, run, signal);
  });

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
