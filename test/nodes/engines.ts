import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ownDatabase } from '../contract/mongodbDocuments/server.ts';
import { engineFor } from '../support/engines.ts';

/** The engines that several nodes share: the settings that name them, with places in them that nobody else uses. */
export type SharedEngines = Readonly<{ settings: Readonly<Record<string, string>>; close(): Promise<void> }>;

/** Starts the stand-in of EventStoreDB as a process of its own: what nodes share must outlive each of them. */
export const standInProcess = async (port = 0): Promise<SharedEngines> => {
  const program = fileURLToPath(new URL('../standIn/standIn.process.js', import.meta.url));
  const child = spawn(process.execPath, [program, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
  const close = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { settings: { EVENTSTOREDB_URL: address }, close };
};

/** How to open engines for several nodes, or the reason why there are none. The log is a stand-in's: each opening has an empty one. */
export const sharedEngines = (): (() => Promise<SharedEngines>) | string => {
  const [documents, files] = [engineFor('mongodb'), engineFor('s3')];
  if (typeof documents === 'string') return documents;
  if (typeof files === 'string') return files;
  return async () => {
    const [log, named, bucket] = await Promise.all([standInProcess(), documents(), files()]);
    const { url, end } = await ownDatabase(named.MONGODB_URL);
    return {
      settings: { ...log.settings, ...bucket, MONGODB_URL: url },
      close: async () => {
        await end();
        await log.close();
      },
    };
  };
};
