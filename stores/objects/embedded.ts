import { folderObjectStore } from './embedded/folderStore.ts';
import { type EndpointSettings, serveStorage } from './embedded/server.ts';
import { openStorage } from './embedded/storage.ts';
import type { ObjectStore } from './port.ts';

/** `folder` belongs to this process alone. */
export type EmbeddedSettings = EndpointSettings & Readonly<{ folder: string }>;

/**
 * The embedded object store: `objects` works on the folder, clients use its presigned URLs at the S3 endpoint
 * at `url`. `close` lets requests under way finish for at most five seconds.
 */
export type EmbeddedObjects = Readonly<{ objects: ObjectStore; url: string; close(): Promise<void> }>;

/** Opens the store and serves its endpoint. Throws when the folder or the port can't be used. */
export const embeddedObjects = async (settings: EmbeddedSettings): Promise<EmbeddedObjects> => {
  const { folder, bucket, region, credentials, clock } = settings;
  const storage = await openStorage(folder);
  const { url, close } = await serveStorage(storage, settings);
  const baseUrl = settings.publicUrl ?? url;
  return {
    objects: folderObjectStore(folder, storage, { baseUrl, bucket, region, credentials, clock }),
    url,
    close,
  };
};
