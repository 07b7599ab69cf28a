import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { encodeRecord, type ObjectRecord, readRecord } from './record.ts';

/** An object opened for reading: what it holds stays readable though the key is overwritten meanwhile. Use one of both. */
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
}>;

export type Storage = Readonly<{
  put(object: NewObject): Promise<ObjectRecord>;
  open(key: string): Promise<OpenObject | null>;
  remove(key: string): Promise<void>;
}>;

/**
 * Objects as files of one folder, which one process owns. A file's name is the hash of its key, so that no key can name a
 * place of its own. `put` is durable when it resolves and shows all of an object or nothing; an error of the body is
 * thrown on, and leaves nothing. What a crash left unfinished is removed here.
 */
export const openStorage = async (folder: string): Promise<Storage> => {
  const incoming = join(folder, 'incoming');
  await prepare(folder, incoming);
  const fans = new Map<string, Promise<void>>();
  /** Its folder is there and on disk, which each put of this process waits for, whichever of them comes first. */
  const fanFor = (path: string): Promise<void> => {
    const fan = dirname(path);
    const made = fans.get(fan) ?? makeFan(fan);
    fans.set(fan, made);
    return made.catch((error) => {
      fans.delete(fan);
      throw error;
    });
  };
  return {
    put: async (object) => {
      const [unfinished, path] = [join(incoming, randomUUID()), pathIn(folder, object.key)];
      try {
        const record = await write(unfinished, object);
        await fanFor(path);
        await rename(unfinished, path);
        await syncFolder(dirname(path));
        return record;
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    open: (key) => openObject(folder, key),
    remove: async (key) => {
      const path = pathIn(folder, key);
      await rm(path, { force: true });
      await syncFolder(dirname(path)).catch(nullWhenAbsent);
    },
  };
};

/** Opens an object of the folder for reading, null when there is none of the key. Harmless beside the process that owns the folder. */
export const openObject = async (folder: string, key: string): Promise<OpenObject | null> => {
  const handle = await open(pathIn(folder, key), 'r').catch(nullWhenAbsent);
  return handle && readable(handle);
};

const pathIn = (folder: string, key: string): string => {
  const hash = createHash('sha256').update(key).digest('hex');
  return join(folder, hash.slice(0, 2), hash.slice(2));
};

const prepare = async (folder: string, incoming: string): Promise<void> => {
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  for (const changed of [folder, dirname(folder)]) await syncFolder(changed);
  const leftovers = await readdir(incoming);
  await Promise.all(leftovers.map((name) => rm(join(incoming, name), { force: true })));
};

const makeFan = async (fan: string): Promise<void> => {
  await mkdir(fan, { recursive: true, mode: 0o700 });
  await syncFolder(dirname(fan));
};

const write = async (path: string, { body, ...known }: NewObject): Promise<ObjectRecord> => {
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
    const record = { ...known, etag: `"${hash.digest('hex')}"`, size };
    await handle.appendFile(encodeRecord(record));
    await handle.sync();
    return record;
  } finally {
    await handle.close();
  }
};

const readable = async (handle: FileHandle): Promise<OpenObject> => {
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

const nullWhenAbsent = (error: unknown): null => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
};
