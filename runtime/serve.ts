import type { Role, Service } from '../cli/runtime.ts';
import { hasComeBack } from '../commands/forgetAgain.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Report } from '../kernel/report.ts';
import { identityProvider } from '../outbound/identityProvider.ts';
import { webhookSender } from '../outbound/send.ts';
import { startChild } from '../processing/engine/childProcess.ts';
import { createProcessor } from '../processing/engine/processor.ts';
import { makeWorkFolder } from '../processing/engine/workFolder.ts';
import { DRAWING, showPages } from '../processing/showPages.ts';
import { TRYING, tryFile } from '../processing/tryFile.ts';
import { promptObjects } from '../stores/availability/failFast.ts';
import { probesOf } from '../stores/availability/probes.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { tracedFetch } from '../telemetry/tracedOutside.ts';
import { reportTraceFaults } from '../telemetry/traces.ts';
import { watchClock } from '../telemetry/watchClock.ts';
import { claimFolder } from './dataFolder.ts';
import { openObjects } from './drivers.ts';
import { startHttpServer } from './httpServer.ts';
import { startLoops } from './loops.ts';
import { nodesOf, withHeartbeat } from './node.ts';
import { readinessChecks } from './readiness.ts';
import { type Config, needsDataDir, publicUrlOf, warningsOf } from './settings/config.ts';
import { createShutdown } from './shutdown.ts';
import { createStartup } from './startup.ts';
import { checkStores, inspectStores } from './storeChecks.ts';
import { openTraces } from './traces.ts';
import { type Core, wireCore } from './wire.ts';

/** A stop takes no longer, whatever hangs: another process repeats what is left undone. */
const STOP_MS = 9_000;

/**
 * Starts the service in the given roles. Resolves when it listens and has started, or waits for an
 * unavailable part and then starts by itself. `close` first lets running requests end, then work under way,
 * then closes the stores. Throws `InvalidSettings`, `DataDirInUse`, `DataDirDamaged`, `StoreDamaged`,
 * `StoreMisconfigured`, `StoreUnavailable` for a folder that can't be used, and what listening throws.
 * `stopped` cuts the start short; `startChildWith` starts a process that reads files, by limits; by `clock`
 * times are told, also those of leases in an embedded store.
 */
export const serve = async (
  config: Config,
  roles: readonly Role[],
  stopped: AbortSignal = new AbortController().signal,
  startChildWith: typeof startChild = startChild,
  clock: Clock = systemClock,
): Promise<Service> => {
  const shutdown = createShutdown();
  const { readerModels: modelFolder } = config;
  const startReader: typeof startChild = (limits, onRead) =>
    startChildWith({ ...limits, modelFolder }, onRead);
  try {
    const traces = await openTraces(config);
    shutdown.add('traces', traces.close);
    const release = claimFolder(config);
    if (release) shutdown.add('DATA_DIR', release);
    const metrics = createMetrics(systemClock);
    const core = await wireCore(config, { recorder: metrics.recorder, tracing: traces.tracing, clock });
    shutdown.add('the stores', core.close);
    reportTraceFaults(core.report);
    await inspectStores(core);
    void watchClock(core.report, core.recorder, core.closing);
    const storage = await openObjects(config, core);
    shutdown.add('the object store', storage.close);
    const { url: storageUrl } = storage;
    for (const { name, detail } of warningsOf(config, storageUrl))
      core.logger.warn({ setting: name }, `${name} ${detail}`);
    const objects = promptObjects(storage.objects, () => core.availability.unavailable().includes('objects'));
    const sender = webhookSender(config.webhook);
    shutdown.add('webhooks', sender.close);
    const provider =
      config.oidc && identityProvider(config.oidc, refusedAnswer(core.report), tracedFetch(core.tracing));
    if (provider) shutdown.add('the identity provider', provider.close);
    const work = makeWorkFolder(needsDataDir(config.engines) ? config.dataDir : null);
    shutdown.add('the work folder', work.remove);
    const drawing = createProcessor(DRAWING, startReader);
    const filePages = showPages({ objects, workFolder: work.path, processor: drawing });
    const trials = tryFile({ processor: createProcessor(TRYING, startReader), clock });
    const needsObjects = roles.some((role) => role !== 'projections');
    const probes = probesOf(core, needsObjects ? storage.objects : null);
    const nodes = nodesOf(core, metrics, roles);
    const { hasStarted, start, broken, end } = createStartup(core.availability, probes, async (ended) => {
      await checkStores(core, ended);
      // The embedded one is this process itself.
      if (!core.embedded.files) await probes.objects?.();
      const again = await core.forgetAgain(needsObjects ? storage.objects : null).sinceLast();
      if (hasComeBack(again)) core.report.warn('restored data was forgotten again, by the ledger', again);
      // This process alone owns the folder that its leases are in: whoever held one is dead.
      if (core.embedded.documents) await core.documents.leases.breakAll();
      const publicUrl = publicUrlOf(config, roles.includes('api') ? server.port : config.port);
      const loopPorts = { objects, sender, startReader, workFolder: work.path, publicUrl };
      return withHeartbeat(core, nodes, roles, startLoops(config, core, loopPorts, roles));
    });
    shutdown.add('the loops', end);
    const needsReadModels = roles.includes('api') || roles.includes('projections');
    const checks = readinessChecks({ ...core, probes, needsReadModels, hasStarted });
    // Every call is authenticated by the documents, and all but reads write to them.
    const isClosed = (isRead: boolean) =>
      !hasStarted() || core.availability[isRead ? 'unreadable' : 'unavailable']().includes('documents');
    // Before the first request: loading the schemas would hold up its answer.
    await core.catalogue();
    const ports = {
      objects,
      sender,
      provider,
      filePages,
      trials,
      metrics,
      checks,
      nodes,
      isClosed,
      hasStarted,
    };
    const server = await startHttpServer(config, core, ports, roles);
    shutdown.add('requests', server.close);
    // Before the requests: a page that is being drawn does not hold up the stop.
    shutdown.add('pages of files', filePages.close);
    shutdown.add('trials', trials.close);
    await start(stopped);
    const healthUrl = publicUrlOf({ ...config, publicUrl: null }, server.port);
    const url = roles.includes('api') ? publicUrlOf(config, server.port) : null;
    const consoleUrl = url && `${url}/console`;
    const isEmpty = url !== null && !(await hasUsers(core));
    const firstInvitation = isEmpty ? config.firstInvitation(server.port) : null;
    const data = core.locations.all;
    const close = async (): Promise<boolean> => {
      const unended = await shutdown.close(STOP_MS);
      if (unended === null) return true;
      core.logger.error(
        { unended, afterMs: STOP_MS },
        'a stop took too long: the process ends without the rest',
      );
      return false;
    };
    core.logger.info({ address: url ?? healthUrl, storage: storageUrl, data, roles }, 'serving');
    return { url, consoleUrl, firstInvitation, healthUrl, storageUrl, data, broken, close };
  } catch (error) {
    await shutdown.close(STOP_MS);
    throw error;
  }
};

/** Whether somebody can log in; also where that can't be read now: nobody is asked to invite for nothing. */
const hasUsers = ({ users }: Pick<Core, 'users'>): Promise<boolean> => users.hasAny().catch(() => true);

/** What an operator needs who sets the provider up; whoever logs in is told no more than that it failed. */
const refusedAnswer =
  (report: Report) =>
  (reason: string): void =>
    report.warn('an answer of the identity provider was refused', { reason });
