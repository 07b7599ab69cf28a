import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ObjectDamaged } from '../../../kernel/errors.ts';
import { UPLOADS } from '../keys.ts';
import type { StoredPart, UnfinishedUpload } from '../port.ts';
import { flatName, openFile, openIntact, pathIn, startIn } from './openObject.ts';
import type { ObjectRecord } from './record.ts';
import { type NewObject, syncFolder, writeObject } from './writeObject.ts';

/** A part that is to be joined is gone, or is another one. */
export class PartsChanged extends Error {
  override readonly name = 'PartsChanged';
}

type JoinedPart = Pick<StoredPart, 'partNumber' | 'etag'>;

/** The identifiers that `begin` makes: none can name a path of its own. */
const UPLOAD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Uploads in parts, each a folder of `parts`: in it an empty object of its key and type, `upload`, and an
 * object for each part. A folder appears and goes at once, by a rename from or to `incoming`.
 */
export const partsFolder = (
  folder: string,
  { parts, incoming }: Readonly<Record<'parts' | 'incoming', string>>,
) => {
  const nameOf = (key: string): string => flatName(folder, pathIn(folder, key));
  const placeOf = ({ key, uploadId }: UnfinishedUpload): string =>
    join(parts, `${nameOf(key)}.${UPLOAD_ID.test(uploadId) ? uploadId : 'none'}`);
  const begun = (name: string): Begun | null => {
    const object = openIntact(join(parts, name, 'upload'));
    object?.close();
    return object && { ...object.record, uploadId: name.slice(name.lastIndexOf('.') + 1) };
  };
  return {
    begin: async (upload: Pick<NewObject, 'key' | 'mimeType' | 'storedAt'>): Promise<string> => {
      const [made, uploadId] = [join(incoming, randomUUID()), randomUUID()];
      await mkdir(made, { mode: 0o700 });
      await writeObject(join(made, 'upload'), { ...upload, body: nothing() });
      await syncFolder(made);
      await rename(made, placeOf({ key: upload.key, uploadId }));
      await syncFolder(parts);
      return uploadId;
    },
    /** Null when the upload was joined or dropped. */
    put: async (
      upload: UnfinishedUpload,
      partNumber: number,
      part: NewObject,
    ): Promise<ObjectRecord | null> => {
      const [unfinished, place] = [join(incoming, `${nameOf(upload.key)}.${randomUUID()}`), placeOf(upload)];
      try {
        const record = await writeObject(unfinished, part);
        await part.confirm?.(record);
        await rename(unfinished, join(place, String(partNumber)));
        await syncFolder(place);
        return record;
      } catch (error) {
        await rm(unfinished, { force: true });
        return nullWhenAbsent(error);
      }
    },
    /** In their order; null when the upload was joined or dropped. */
    list: async (upload: UnfinishedUpload): Promise<readonly StoredPart[] | null> => {
      const place = placeOf(upload);
      const names = await readdir(place).catch(nullWhenAbsent);
      const numbers = names?.map(Number).filter(Number.isInteger) ?? [];
      const found = numbers.toSorted((one, other) => one - other).map((number) => partOf(place, number));
      return names && found.flatMap((part) => part ?? []);
    },
    /** Type and bytes of the joined object, null when the upload is gone. The bytes throw `PartsChanged`. */
    joined: (upload: UnfinishedUpload, parts: readonly JoinedPart[]) => {
      const place = placeOf(upload);
      const object = openFile(join(place, 'upload'));
      object?.close();
      return object && { mimeType: object.record.mimeType, body: bytesOf(place, parts) };
    },
    /** Whether there was one. */
    drop: async (upload: UnfinishedUpload): Promise<boolean> => {
      const dropped = join(incoming, `${nameOf(upload.key)}.${randomUUID()}`);
      const isDropped = await rename(placeOf(upload), dropped).then(() => true, nullWhenAbsent);
      if (isDropped) await syncFolder(parts);
      await rm(dropped, { recursive: true, force: true });
      return isDropped === true;
    },
    /** Those of one key, of one submission, or of all uploads for the prefix UPLOADS. */
    unfinished: async (
      prefix: string,
      after: string,
      limit: number,
    ): Promise<readonly UnfinishedUpload[]> => {
      const own = prefix.endsWith('/') ? startIn(folder, prefix) : null;
      const start = prefix === UPLOADS ? 'uploads.' : own ? flatName(folder, own) : `${nameOf(prefix)}.`;
      const names = (await readdir(parts)).filter((name) => name.startsWith(start));
      const found = names.flatMap((name) => begun(name) ?? []).filter(({ key }) => key > after);
      return found
        .sort(inOrder)
        .slice(0, limit)
        .map(({ key, uploadId }) => ({ key, uploadId }));
    },
  };
};

type Begun = UnfinishedUpload & Pick<ObjectRecord, 'storedAt'>;

const inOrder = (one: Begun, other: Begun): number =>
  `${one.key}\n${one.storedAt}` < `${other.key}\n${other.storedAt}` ? -1 : 1;

/** Null for a damaged one too: it is sent again. */
const partOf = (place: string, partNumber: number): StoredPart | null => {
  const object = openIntact(join(place, String(partNumber)));
  object?.close();
  return object && { partNumber, size: object.record.size, etag: object.record.etag };
};

/** The bytes of all parts, one after the other, whose files are opened one at a time. */
async function* bytesOf(place: string, parts: readonly JoinedPart[]): AsyncGenerator<Buffer> {
  for (const { partNumber, etag } of parts) {
    const part = openFile(join(place, String(partNumber)));
    if (part?.record.etag !== etag) {
      part?.close();
      throw new PartsChanged(`part ${partNumber} was replaced or removed`);
    }
    const hash = createHash('sha256');
    if (part.record.size === 0) part.close();
    else
      for await (const piece of part.bytes(0, part.record.size - 1)) {
        hash.update(piece);
        yield piece;
      }
    if (`"${hash.digest('hex')}"` !== etag)
      throw new ObjectDamaged(`a stored part of ${part.record.key} is damaged`);
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}

const nullWhenAbsent = (error: unknown): null => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
};
