import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
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

/** Removes all of a bucket under a prefix: every version, delete markers, unfinished uploads in parts. */
export const s3RemoveAll = ({ bucket: Bucket, client, inParts, call }: Ports): ObjectStore['removeAll'] => {
  const remove = ({ Key, VersionId }: Stored): Promise<unknown> =>
    client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
  const versionsIn = async (Prefix: string, { KeyMarker, VersionIdMarker }: Marker): Promise<Page> => {
    const list = { Bucket, Prefix, MaxKeys: PAGE, KeyMarker, VersionIdMarker };
    const found = await client.send(new ListObjectVersionsCommand(list));
    const { Versions = [], DeleteMarkers = [], NextKeyMarker, NextVersionIdMarker } = found;
    const next = { KeyMarker: NextKeyMarker, VersionIdMarker: NextVersionIdMarker };
    return { objects: Versions, markers: DeleteMarkers, next: found.IsTruncated ? next : null };
  };
  const objectsIn = async (Prefix: string, { KeyMarker: StartAfter }: Marker): Promise<Page> => {
    const list = new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: PAGE, StartAfter });
    const { Contents = [], IsTruncated } = await client.send(list);
    const next = { KeyMarker: Contents.at(-1)?.Key };
    return { objects: Contents, markers: [], next: IsTruncated ? next : null };
  };
  const objects = async (prefix: string, list: typeof versionsIn): Promise<number> => {
    let removed = 0;
    for (let marker: Marker | null = {}; marker !== null; ) {
      const page: Page = await list(prefix, marker);
      await Promise.all([...page.objects, ...page.markers].map(remove));
      removed += page.objects.length;
      marker = page.next;
    }
    return removed;
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
type Marker = Readonly<{ KeyMarker?: string | undefined; VersionIdMarker?: string | undefined }>;
type Page = Readonly<{ objects: readonly Stored[]; markers: readonly Stored[]; next: Marker | null }>;

/** The store keeps no versions, and can't list them. */
const isUnversioned = (error: unknown): boolean => statusOf(error) === 501 || statusOf(error) === 405;
