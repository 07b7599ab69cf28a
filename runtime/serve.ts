import type { Role, Service } from '../cli/runtime.ts';
import { systemClock } from '../kernel/clock.ts';
import { webhookSender } from '../outbound/sender.ts';
import { makeWorkFolder } from '../processing/engine/workFolder.ts';
import { promptObjects } from '../stores/availability/failFast.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { watchClock } from '../telemetry/watchClock.ts';
import { claimFolder } from './dataFolder.ts';
import { openObjects } from './drivers.ts';
import { startEdge } from './httpServer.ts';
import { inspectStores } from './inspect.ts';
import { startLoops } from './loops.ts';
import { checksOf, probesOf } from './probes.ts';
import { catalogue } from './release.ts';
import { type Config, needsDataDir, publicUrlOf, warningsOf } from './settings/config.ts';
import { createClosing } from './shutdown.ts';
import { createBeginning } from './startup.ts';
import { checkStores } from './storeChecks.ts';
import { wireCore } from './wire.ts';

/** A stop takes no longer, whatever hangs: what a process leaves undone another one does again. */
const STOP_MS = 9_000;

/**
 * Starts the service in the given roles. Resolves when it listens and has begun, or waits for a part that is away: then it begins by itself.
 * `close` first lets running requests finish, then what is under way, then closes the stores. Throws `DataDirInUse`, `DataDirDamaged`,
 * `StoreDamaged`, `StoreMisconfigured`, `StoreUnavailable` for a folder that can't be used, and what
 * listening throws. `stopped` cuts the beginning short.
 */
export const serve = async (
  config: Config,
  roles: readonly Role[],
  stopped: AbortSignal = new AbortController().signal,
): Promise<Service> => {
  const closing = createClosing();
  try {
    const release = claimFolder(config);
    if (release) closing.add('DATA_DIR', release);
    const metrics = createMetrics(systemClock);
    const core = await wireCore(config, metrics.recorder);
    closing.add('the stores', core.close);
    await inspectStores(core);
    void watchClock(core.report, core.recorder, core.closing);
    const storage = await openObjects(config, core);
    closing.add('the object store', storage.close);
    const { url: storageUrl } = storage;
    for (const { name, detail } of warningsOf(config, storageUrl))
      core.logger.warn({ setting: name }, `${name} ${detail}`);
    const objects = promptObjects(storage.objects, () => core.outages.away().includes('objects'));
    const sender = webhookSender(config);
    closing.add('webhooks', sender.close);
    const work = makeWorkFolder(needsDataDir(config.engines) ? config.dataDir : null);
    closing.add('the work folder', work.remove);
    const probes = probesOf(core, storage.objects, roles);
    const { hasBegun, begin, broken, end } = createBeginning(core.outages, probes, async (ended) => {
      await checkStores(core, ended);
      // The embedded one is this process itself.
      if (!core.parts.files) await probes.objects?.();
      // This process alone owns the folder that its leases are in: whoever held one is dead.
      if (core.parts.documents) await core.documents.leases.breakAll();
      return startLoops(config, core, { objects, sender, workFolder: work.path }, roles);
    });
    closing.add('the loops', end);
    const checks = checksOf(core, probes, roles, hasBegun);
    // Every call asks the documents who it is that calls, and all but reads write to them.
    const isClosed = (isRead: boolean) =>
      !hasBegun() || core.outages[isRead ? 'unreadable' : 'away']().includes('documents');
    // Before anybody can ask: what the log needs at its first use would hold up the first answers.
    await catalogue();
    const server = await startEdge(config, core, { objects, sender, metrics, checks, isClosed }, roles);
    closing.add('requests', server.close);
    await begin(stopped);
    const healthUrl = publicUrlOf({ ...config, publicUrl: null }, server.port);
    const url = roles.includes('api') ? publicUrlOf(config, server.port) : null;
    const data = core.locations.all;
    const close = async (): Promise<boolean> => {
      const unended = await closing.close(STOP_MS);
      if (unended === null) return true;
      core.logger.error(
        { unended, afterMs: STOP_MS },
        'a stop took too long: the process ends without the rest',
      );
      return false;
    };
    core.logger.info({ address: url ?? healthUrl, storage: storageUrl, data, roles }, 'serving');
    return { url, healthUrl, storageUrl, data, broken, close };
  } catch (error) {
    await closing.close(STOP_MS);
    throw error;
  }
};
