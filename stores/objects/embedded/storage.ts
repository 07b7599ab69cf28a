import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ObjectDamaged } from '../../../kernel/errors.ts';
import { groupBy } from '../../../kernel/groupBy.ts';
import { submissionOfUpload } from '../keys.ts';
import { type OpenObject, openFile, openObject, pathIn } from './openObject.ts';
import { encodeRecord, type ObjectRecord } from './record.ts';

type NewObject = Pick<ObjectRecord, 'key' | 'mimeType' | 'storedAt'> &
  Readonly<{
    body: AsyncIterable<Buffer>;
    /** Called once all bytes are there: the object is stored unless it throws. */
    confirm?: (record: ObjectRecord) => Promise<void>;
  }>;

export type Storage = Readonly<Awaited<ReturnType<typeof openStorage>>>;

/**
 * Objects as files of one folder, which one process owns. A file's name is the hash of its key, so that no
 * key can name a path of its own; uploads share a folder, so that they can be listed. `put` is durable when
 * it resolves and shows all of an object or nothing; an error of the body is thrown on, and leaves nothing.
 * What a crash left unfinished is removed here.
 */
export const openStorage = async (folder: string) => {
  const incoming = join(folder, 'incoming');
  const uploads = join(folder, 'uploads');
  await prepare(folder, [incoming, uploads]);
  const fans = new Map<string, Promise<FileHandle>>();
  /** The folder of a path, once it is on disk, whichever put made it. It stays open: each put syncs one. */
  const fanFor = (path: string): Promise<FileHandle> => {
    const fan = dirname(path);
    const made = fans.get(fan) ?? makeFan(fan);
    fans.set(fan, made);
    return made.catch((error) => {
      fans.delete(fan);
      throw error;
    });
  };
  return {
    put: async (object: NewObject): Promise<ObjectRecord> => {
      const [unfinished, path] = [join(incoming, randomUUID()), pathIn(folder, object.key)];
      try {
        const record = await write(unfinished, object);
        await object.confirm?.(record);
        const fan = await fanFor(path);
        await rename(unfinished, path);
        await fan.sync();
        return record;
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    open: (key: string): OpenObject | null => openObject(folder, key),
    /** Whether there was one. */
    remove: async (key: string): Promise<boolean> => {
      const path = pathIn(folder, key);
      const isRemoved = await unlink(path).then(() => true, falseWhenAbsent);
      if (isRemoved) await (await fanFor(path)).sync();
      return isRemoved;
    },
    /** Keys of uploads in order, from behind `after`, at most `limit`. */
    uploads: (after: string, limit: number): Promise<readonly string[]> => listUploads(uploads, after, limit),
    close: async (): Promise<void> => {
      for (const fan of fans.values()) await (await fan).close();
      fans.clear();
    },
  };
};

const listUploads = async (uploads: string, after: string, limit: number): Promise<readonly string[]> => {
  const from = submissionOfUpload(after) ?? '';
  const names = (await readdir(uploads)).filter((name) => name >= from).sort();
  const keys: string[] = [];
  for (const own of groupBy(names, (name) => name.slice(0, name.indexOf('.'))).values()) {
    if (keys.length >= limit) break;
    const found = own.flatMap((name) => keyIn(join(uploads, name)) ?? []);
    keys.push(...found.filter((key) => key > after).sort());
  }
  return keys.slice(0, limit);
};

/** Null for what is removed at this moment, and for a damaged file, which must not hide others. */
const keyIn = (path: string): string | null => {
  try {
    const object = openFile(path);
    object?.close();
    return object?.record.key ?? null;
  } catch (error) {
    if (error instanceof ObjectDamaged) return null;
    throw error;
  }
};

const prepare = async (folder: string, [incoming, uploads]: readonly [string, string]): Promise<void> => {
  for (const made of [incoming, uploads]) await mkdir(made, { recursive: true, mode: 0o700 });
  for (const session of await readdir(uploads, { withFileTypes: true }))
    if (session.isDirectory()) await flatten(uploads, session.name);
  for (const changed of [uploads, folder, dirname(folder)]) await syncFolder(changed);
  const leftovers = await readdir(incoming);
  await Promise.all(leftovers.map((name) => rm(join(incoming, name), { force: true })));
};

/** Earlier releases had a folder for each session. */
const flatten = async (uploads: string, session: string): Promise<void> => {
  const names = await readdir(join(uploads, session));
  for (const name of names) await rename(join(uploads, session, name), join(uploads, `${session}.${name}`));
  await rmdir(join(uploads, session));
};

const makeFan = async (fan: string): Promise<FileHandle> => {
  await mkdir(fan, { recursive: true, mode: 0o700 });
  await syncFolder(dirname(fan));
  return open(fan, 'r');
};

const write = async (path: string, { key, mimeType, storedAt, body }: NewObject): Promise<ObjectRecord> => {
  const handle = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let size = 0;
    let last: Buffer = Buffer.of(); // written with the record: a small object takes one step
    for await (const bytes of body) {
      hash.update(bytes);
      size += bytes.length;
      if (last.length > 0) await handle.appendFile(last);
      last = bytes;
    }
    // Not MD5, as S3 has it: a copy is bound to the ETag that was checked, and MD5 collisions can be made.
    const record = { key, mimeType, storedAt, etag: `"${hash.digest('hex')}"`, size };
    await handle.appendFile(Buffer.concat([last, encodeRecord(record)]));
    await handle.sync();
    return record;
  } finally {
    await handle.close();
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

const falseWhenAbsent = (error: NodeJS.ErrnoException): false => {
  if (error.code === 'ENOENT') return false;
  throw error;
};
