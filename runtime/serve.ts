import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startApi } from './api.ts';
import { systemClock } from './clock.ts';
import { type Config, publicUrlOf, type Role } from './config.ts';
import { checkStores } from './dataCheck.ts';
import { claimDataDir, makeDataDir } from './embedded.ts';
import { startLoops } from './loops.ts';
import { createMetrics } from './metrics.ts';
import { webhookSender } from './webhookSender.ts';
import { wireCore, wireObjects } from './wire.ts';

/** A running service: where it can be reached, and how to end it in order. */
export type Service = Readonly<{ url: string | null; storageUrl: string; close(): Promise<void> }>;

/**
 * Starts the service in the given roles and resolves when it answers. `close` first lets running requests finish, then
 * what is under way, then closes the stores. Throws `DataDirInUse`, `DataDirDamaged`, `StoreUnavailable`, and what listening throws.
 */
export const serve = async (config: Config, roles: readonly Role[]): Promise<Service> => {
  makeDataDir(config.dataDir);
  const release = claimDataDir(config.dataDir);
  const closing: (() => unknown)[] = [release];
  const close = async (): Promise<void> => {
    for (let step = closing.pop(); step; step = closing.pop()) await step();
  };
  try {
    const metrics = createMetrics(systemClock);
    const core = wireCore(config, metrics.measures);
    closing.push(core.close);
    await checkStores(core);
    // This process alone owns the folder now: whoever held a lease is dead.
    await core.documents.leases.breakAll();
    const storage = await wireObjects(config, core);
    closing.push(storage.close);
    const sender = webhookSender(config);
    closing.push(sender.close);
    const { objects } = storage;
    const stopLoops = startLoops(
      config,
      core,
      { objects, sender, workFolder: emptyWorkFolder(config) },
      roles,
    );
    closing.push(stopLoops);
    if (!roles.includes('api')) return { url: null, storageUrl: storage.url, close };
    const server = await startApi(config, core, objects, sender, metrics);
    closing.push(server.close);
    const url = publicUrlOf(config, server.port);
    core.logger.info({ address: url, storage: storage.url, roles }, 'serving');
    return { url, storageUrl: storage.url, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Files of attempts that a dead predecessor left behind are removed. */
const emptyWorkFolder = ({ dataDir }: Config): string => {
  const folder = join(dataDir, 'work');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};
