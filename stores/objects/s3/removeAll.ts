import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import type { ObjectStore, UploadsInParts } from '../port.ts';
import { statusOf } from './failure.ts';

/** `call` translates what is thrown. */
type Ports = Readonly<{
  bucket: string;
  client: S3Client;
  inParts: UploadsInParts;
  call<T>(result: Promise<T>): Promise<T>;
}>;

/** So many are removed at once. */
const PAGE = 50;
const MAX_UPLOADS = 1_000;
/** How often the same may be listed again after its removal. */
const MAX_AGAIN = 5;

/** Removes all of a bucket under a prefix: every version, delete markers, unfinished uploads in parts. */
export const s3RemoveAll = ({ bucket: Bucket, client, inParts, call }: Ports): ObjectStore['removeAll'] => {
  const remove = ({ Key, VersionId }: Stored): Promise<unknown> =>
    client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
  const versionsIn = async (Prefix: string): Promise<Page> => {
    const list = new ListObjectVersionsCommand({ Bucket, Prefix, MaxKeys: PAGE });
    const { Versions = [], DeleteMarkers = [] } = await client.send(list);
    return { objects: Versions, markers: DeleteMarkers };
  };
  const objectsIn = async (Prefix: string): Promise<Page> => {
    const list = new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: PAGE });
    return { objects: (await client.send(list)).Contents ?? [], markers: [] };
  };
  const objects = async (prefix: string, list: typeof versionsIn): Promise<number> => {
    let [removed, last, again] = [0, '', 0];
    for (;;) {
      // Always the first page: only an empty one shows that nothing is left. The Versity gateway brings back
      // a version when two of a key are removed at once.
      const { objects, markers } = await list(prefix);
      if (objects.length + markers.length === 0) return removed;
      const page = [...objects, ...markers].map(({ Key, VersionId }) => `${Key} ${VersionId}`).join();
      again = page === last ? again + 1 : 0;
      if (again > MAX_AGAIN) throw new StoreUnavailable('the object store lists what it has removed');
      last = page;
      await Promise.all([...objects, ...markers].map(remove));
      removed += objects.length;
    }
  };
  const uploads = async (prefix: string): Promise<number> => {
    const found = await inParts.unfinished(prefix, '', MAX_UPLOADS);
    await Promise.all(found.map(inParts.drop));
    return found.length < MAX_UPLOADS ? found.length : found.length + (await uploads(prefix));
  };
  return async (prefix, keys = []) => {
    // First: they may become objects.
    let removed = await uploads(prefix);
    for (const key of keys) removed += await uploads(key);
    const all = objects(prefix, versionsIn).catch((error) => {
      if (!isUnversioned(error)) throw error;
      return objects(prefix, objectsIn);
    });
    return removed + (await call(all));
  };
};

type Stored = Readonly<{ Key?: string | undefined; VersionId?: string | undefined }>;
type Page = Readonly<{ objects: readonly Stored[]; markers: readonly Stored[] }>;

/** The store keeps no versions, and can't list them. */
const isUnversioned = (error: unknown): boolean => statusOf(error) === 501 || statusOf(error) === 405;
