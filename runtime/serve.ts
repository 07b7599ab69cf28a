import { startApi } from './api.ts';
import { systemClock } from './clock.ts';
import { needsDataDir } from './config/engines.ts';
import { type Config, publicUrlOf, type Role } from './config.ts';
import { checkStores } from './dataCheck.ts';
import { openObjects } from './drivers.ts';
import { claimDataDir, makeDataDir } from './embedded.ts';
import { startLoops } from './loops.ts';
import { createMetrics } from './metrics.ts';
import { webhookSender } from './webhookSender.ts';
import { wireCore } from './wire.ts';
import { makeWorkFolder } from './workFolder.ts';

/** A running service: where it can be reached, where its data is, in words, and how to end it in order. */
export type Service = Readonly<{
  url: string | null;
  storageUrl: string;
  data: string;
  close(): Promise<void>;
}>;

/**
 * Starts the service in the given roles and resolves when it answers. `close` first lets running requests finish, then
 * what is under way, then closes the stores. Throws `DataDirInUse`, `DataDirDamaged`, `StoreUnavailable`, `StoreMisconfigured`, and what
 * listening throws.
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
    await checkStores(core);
    // This process alone owns the folder that its leases are in: whoever held one is dead.
    if (core.parts.documents) await core.documents.leases.breakAll();
    const storage = await openObjects(config, core);
    closing.push(storage.close);
    const { objects, url: storageUrl } = storage;
    if (!core.parts.files) await objects.check();
    const sender = webhookSender(config);
    closing.push(sender.close);
    const work = makeWorkFolder(config);
    closing.push(work.remove);
    closing.push(startLoops(config, core, { objects, sender, workFolder: work.path }, roles));
    const data = core.places.all;
    if (!roles.includes('api')) return { url: null, storageUrl, data, close };
    const server = await startApi(config, core, objects, sender, metrics);
    closing.push(server.close);
    const url = publicUrlOf(config, server.port);
    core.logger.info({ address: url, storage: storageUrl, data, roles }, 'serving');
    return { url, storageUrl, data, close };
  } catch (error) {
    await close();
    throw error;
  }
};
