import { createBeginning } from './begin.ts';
import { systemClock } from './clock.ts';
import { needsDataDir } from './config/engines.ts';
import { type Config, publicUrlOf, type Role } from './config.ts';
import { checkStores } from './dataCheck.ts';
import { openObjects } from './drivers.ts';
import { startEdge } from './edge.ts';
import { claimDataDir, makeDataDir } from './embedded.ts';
import { startLoops } from './loops.ts';
import { createMetrics } from './metrics.ts';
import { checksOf, probesOf } from './probes.ts';
import { promptObjects } from './prompt.ts';
import { catalogue } from './release.ts';
import { webhookSender } from './webhookSender.ts';
import { wireCore } from './wire.ts';
import { makeWorkFolder } from './workFolder.ts';

/** A running service: where it can be reached, where its data is, in words, and how to end it in order. */
export type Service = Readonly<{
  /** The API's address; null where another process serves it. */
  url: string | null;
  /** Where this process tells of its health. */
  healthUrl: string;
  storageUrl: string;
  data: string;
  /** Rejects when a part that was away at the start turns out to be none that the service can work with. */
  broken(): Promise<never>;
  close(): Promise<void>;
}>;

/**
 * Starts the service in the given roles. Resolves when it listens and has begun, or waits for a part that is away: then it begins by itself.
 * `close` first lets running requests finish, then what is under way, then closes the stores. Throws `DataDirInUse`, `DataDirDamaged`,
 * `StoreMisconfigured`, `StoreUnavailable` for a folder that can't be used, and what listening throws.
 */
export const serve = async (config: Config, roles: readonly Role[]): Promise<Service> => {
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (let step = closing.pop(); step; step = closing.pop()) await step();
  };
  try {
    if (needsDataDir(config.engines)) {
      makeDataDir(config.dataDir);
      closing.push(claimDataDir(config.dataDir));
    }
    const metrics = createMetrics(systemClock);
    const core = await wireCore(config, metrics.measures);
    closing.push(core.close);
    const storage = await openObjects(config, core);
    closing.push(storage.close);
    const { url: storageUrl } = storage;
    const objects = promptObjects(storage.objects, () => core.outages.away().includes('objects'));
    const sender = webhookSender(config);
    closing.push(sender.close);
    const work = makeWorkFolder(config);
    closing.push(work.remove);
    const probes = probesOf(core, storage.objects, roles);
    const { hasBegun, begin, broken, end } = createBeginning(core.outages, probes, async () => {
      await checkStores(core);
      // The embedded one is this process itself.
      if (!core.parts.files) await probes.objects?.();
      // This process alone owns the folder that its leases are in: whoever held one is dead.
      if (core.parts.documents) await core.documents.leases.breakAll();
      return startLoops(config, core, { objects, sender, workFolder: work.path }, roles);
    });
    closing.push(end);
    const checks = checksOf(core, probes, roles, hasBegun);
    // Every call asks the documents who it is that calls, and all but reads write to them.
    const isClosed = (isRead: boolean) =>
      !hasBegun() || core.outages[isRead ? 'unreadable' : 'away']().includes('documents');
    // Before anybody can ask: what the log needs at its first use would hold up the first answers.
    await catalogue();
    const server = await startEdge(config, core, { objects, sender, metrics, checks, isClosed }, roles);
    closing.push(server.close);
    await begin();
    const healthUrl = publicUrlOf({ ...config, publicUrl: null }, server.port);
    const url = roles.includes('api') ? publicUrlOf(config, server.port) : null;
    const data = core.places.all;
    core.logger.info({ address: url ?? healthUrl, storage: storageUrl, data, roles }, 'serving');
    return { url, healthUrl, storageUrl, data, broken, close };
  } catch (error) {
    await close();
    throw error;
  }
};
