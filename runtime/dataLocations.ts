import { resolve } from 'node:path';
import { type Engines, needsDataDir } from './settings/config.ts';

/**
 * Where the data is, in words for people: `all` of it, its `log` and its read `models`. No secret is among
 * them.
 */
export type Locations = Readonly<{ all: string; log: string; models: string }>;

/** Names the locations of the data without the secrets of their addresses. */
export const locationsOf = ({
  engines,
  dataDir,
}: Readonly<{ engines: Engines; dataDir: string }>): Locations => {
  const { eventStoreDbUrl, mongoDbUrl, s3 } = engines;
  const log = eventStoreDbUrl && `EventStoreDB at ${hostsOf(eventStoreDbUrl)}`;
  const models = mongoDbUrl && `MongoDB at ${hostsOf(mongoDbUrl)}`;
  const files = s3 && `the bucket ${s3.bucket}${s3.endpoint ? ` at ${hostsOf(s3.endpoint)}` : ''}`;
  const folder = needsDataDir(engines) ? resolve(dataDir) : null;
  return {
    all: [log, models, files, folder].filter((place) => place !== null).join(', '),
    log: log ?? 'log.db',
    models: models ?? 'models.db',
  };
};

const hostsOf = (url: string): string => url.replace(/^[\w+]+:\/\/(?:[^/?#]*@)?([^/?#]*).*$/, '$1');
