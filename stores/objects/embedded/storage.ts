import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { ObjectDamaged } from '../../../kernel/errors.ts';
import { submissionOfUpload } from '../keys.ts';
import { encodeRecord, type ObjectRecord, readRecord } from './record.ts';

/** An open object: it stays readable though its key is overwritten. Use `bytes` or `close`. */
export type OpenObject = Readonly<{
  record: ObjectRecord;
  /** The bytes from `start` to `end`, both included; closes the file at its end. */
  bytes(start: number, end: number): Readable;
  close(): Promise<void>;
}>;

type NewObject = Readonly<{
  key: string;
  mimeType: string | null;
  storedAt: string;
  body: AsyncIterable<Buffer>;
  /** Called once all bytes are there: the object is stored unless it throws. */
  confirm?: (record: ObjectRecord) => Promise<void>;
}>;

export type Storage = Readonly<{
  put(object: NewObject): Promise<ObjectRecord>;
  open(key: string): Promise<OpenObject | null>;
  remove(key: string): Promise<void>;
  /** Keys of uploads in order, from behind `after`, at most `limit`. */
  uploads(after: string, limit: number): Promise<readonly string[]>;
}>;

/**
 * Objects as files of one folder, which one process owns. A file's name is the hash of its key, so that no
 * key can name a path of its own; the uploads of a session have a folder, so that they can be listed. `put`
 * is durable when it resolves and shows all of an object or nothing; an error of the body is thrown on, and
 * leaves nothing. What a crash left unfinished is removed here.
 */
export const openStorage = async (folder: string): Promise<Storage> => {
  const incoming = join(folder, 'incoming');
  const uploads = join(folder, 'uploads');
  await prepare(folder, [incoming, uploads]);
  const fans = new Map<string, Promise<void>>();
  /** Resolves once the folder of a path is on disk, whichever put made it. */
  const fanFor = (path: string): Promise<void> => {
    const fan = dirname(path);
    // A session's folder is removed with its last upload, and made again.
    if (dirname(fan) === uploads) return makeFan(fan);
    const made = fans.get(fan) ?? makeFan(fan);
    fans.set(fan, made);
    return made.catch((error) => {
      fans.delete(fan);
      throw error;
    });
  };
  const place = async (unfinished: string, path: string): Promise<void> => {
    await fanFor(path);
    await rename(unfinished, path);
    await syncFolder(dirname(path));
  };
  return {
    put: async (object) => {
      const [unfinished, path] = [join(incoming, randomUUID()), pathIn(folder, object.key)];
      try {
        const record = await write(unfinished, object);
        await object.confirm?.(record);
        // Removing another upload may remove the session's folder at the same time: made again, once.
        const isPlaced = await place(unfinished, path).then(() => true, nullWhenAbsent);
        if (!isPlaced) await place(unfinished, path);
        return record;
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    open: (key) => openObject(folder, key),
    remove: async (key) => {
      const path = pathIn(folder, key);
      const parent = dirname(path);
      await rm(path, { force: true });
      const isEmpty = dirname(parent) === uploads && (await rmdir(parent).then(() => true, falseUnlessEmpty));
      await syncFolder(isEmpty ? uploads : parent).catch(nullWhenAbsent);
    },
    uploads: (after, limit) => listUploads(uploads, after, limit),
  };
};

/** Opens an object, null when there is none. Safe beside the process that owns the folder. */
export const openObject = (folder: string, key: string): Promise<OpenObject | null> =>
  openFile(pathIn(folder, key));

const pathIn = (folder: string, key: string): string => {
  const hash = createHash('sha256').update(key).digest('hex');
  const submissionId = submissionOfUpload(key);
  return submissionId === null
    ? join(folder, hash.slice(0, 2), hash.slice(2))
    : join(folder, 'uploads', submissionId, hash);
};

const listUploads = async (uploads: string, after: string, limit: number): Promise<readonly string[]> => {
  const from = submissionOfUpload(after) ?? '';
  const keys: string[] = [];
  for (const submissionId of (await readdir(uploads)).sort()) {
    if (keys.length >= limit) break;
    if (submissionId >= from) keys.push(...(await keysIn(join(uploads, submissionId), after)));
  }
  return keys.slice(0, limit);
};

const keysIn = async (folder: string, after: string): Promise<readonly string[]> => {
  // What is removed at this moment is no longer there.
  const names = (await readdir(folder).catch(nullWhenAbsent)) ?? [];
  const keys = await Promise.all(
    names.map(async (name) => {
      // A damaged file has no key, and must not hide those that have one.
      const object = await openFile(join(folder, name)).catch(nullWhenDamaged);
      await object?.close();
      return object ? [object.record.key] : [];
    }),
  );
  return keys
    .flat()
    .filter((key) => key > after)
    .sort();
};

const prepare = async (folder: string, [incoming, uploads]: readonly [string, string]): Promise<void> => {
  for (const made of [incoming, uploads]) await mkdir(made, { recursive: true, mode: 0o700 });
  for (const changed of [folder, dirname(folder)]) await syncFolder(changed);
  const leftovers = await readdir(incoming);
  await Promise.all(leftovers.map((name) => rm(join(incoming, name), { force: true })));
};

const makeFan = async (fan: string): Promise<void> => {
  await mkdir(fan, { recursive: true, mode: 0o700 });
  await syncFolder(dirname(fan));
};

const write = async (path: string, { key, mimeType, storedAt, body }: NewObject): Promise<ObjectRecord> => {
  const handle = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const bytes of body) {
      hash.update(bytes);
      size += bytes.length;
      await handle.appendFile(bytes);
    }
    // Not MD5, as S3 has it: a copy is bound to the ETag that was checked, and MD5 collisions can be made.
    const record = { key, mimeType, storedAt, etag: `"${hash.digest('hex')}"`, size };
    await handle.appendFile(encodeRecord(record));
    await handle.sync();
    return record;
  } finally {
    await handle.close();
  }
};

const openFile = async (path: string): Promise<OpenObject | null> => {
  const handle = await open(path, 'r').catch(nullWhenAbsent);
  if (!handle) return null;
  try {
    const record = await readRecord(handle);
    const bytes = (start: number, end: number) => handle.createReadStream({ start, end });
    return { record, bytes, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const falseUnlessEmpty = (error: unknown): false => {
  if (['ENOTEMPTY', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
  throw error;
};

const nullWhenDamaged = (error: unknown): null => {
  if (error instanceof ObjectDamaged) return null;
  throw error;
};

const nullWhenAbsent = (error: unknown): null => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
};
