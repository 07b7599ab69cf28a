import { ownDatabase } from '../contract/mongodbDocuments/server.ts';
import { startStandInProcess } from '../standIn/process.ts';
import { engineFor } from '../support/engines.ts';

/**
 * The engines that several nodes share: the settings that name them, with places in them that nobody else
 * uses.
 */
export type SharedEngines = Readonly<{ settings: Readonly<Record<string, string>>; close(): Promise<void> }>;

/**
 * How to open engines for several nodes, or the reason why there are none. The log is a stand-in's: each
 * opening has an empty one.
 */
export const sharedEngines = (): (() => Promise<SharedEngines>) | string => {
  const [documents, files] = [engineFor('mongodb'), engineFor('s3')];
  if (typeof documents === 'string') return documents;
  if (typeof files === 'string') return files;
  return async () => {
    const [log, named, bucket] = await Promise.all([startStandInProcess(), documents(), files()]);
    const { url, end } = await ownDatabase(named.MONGODB_URL);
    return {
      settings: { EVENTSTOREDB_URL: log.connectionString, ...bucket, MONGODB_URL: url },
      close: async () => {
        await end();
        await log.close();
      },
    };
  };
};
