import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { groupBy } from '../../../kernel/groupBy.ts';
import { submissionOfUpload } from '../keys.ts';
import { flatName, type OpenObject, openObject, pathIn } from './openObject.ts';
import { partsFolder } from './partsFolder.ts';
import type { ObjectRecord } from './record.ts';
import { keyIn, keysIn, removeAllIn } from './removeAll.ts';
import { type NewObject, syncFolder, writeObject } from './writeObject.ts';

export type Storage = Readonly<Awaited<ReturnType<typeof openStorage>>>;

/**
 * Objects as files of one folder, which one process owns. A file's name is the hash of its key, so that no
 * key can name a path of its own; it starts with the submission, so that all of one can be found. `put` is
 * durable when it resolves and shows all of an object or nothing; an error of the body is thrown on, and
 * leaves nothing. What a crash left unfinished is removed here.
 */
export const openStorage = async (folder: string) => {
  const incoming = join(folder, 'incoming');
  const uploads = join(folder, 'uploads');
  const parts = join(folder, 'parts');
  const evidence = join(folder, 'evidence');
  await prepare(folder, { incoming, uploads, parts, evidence });
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
      const path = pathIn(folder, object.key);
      const unfinished = join(incoming, `${flatName(folder, path)}.${randomUUID()}`);
      try {
        const record = await writeObject(unfinished, object);
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
    removeAll: (prefix: string): Promise<number> => removeAllIn(folder, prefix, { parts, incoming }),
    parts: partsFolder(folder, { parts, incoming }),
    /** Keys of uploads in order, from after `after`, at most `limit`. */
    uploads: (after: string, limit: number): Promise<readonly string[]> => listUploads(uploads, after, limit),
    /** Keys under a submission's prefix, in order. */
    under: (prefix: string): Promise<readonly string[]> => keysIn(folder, prefix),
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

type Folders = Readonly<Record<'incoming' | 'uploads' | 'parts' | 'evidence', string>>;

const prepare = async (folder: string, { incoming, uploads, parts, evidence }: Folders): Promise<void> => {
  for (const made of [incoming, uploads, parts, evidence])
    await mkdir(made, { recursive: true, mode: 0o700 });
  for (const session of await readdir(uploads, { withFileTypes: true }))
    if (session.isDirectory()) await flatten(uploads, session.name);
  for (const fan of await readdir(folder)) if (/^[0-9a-f]{2}$/.test(fan)) await nameBySubmission(folder, fan);
  for (const changed of [uploads, folder, dirname(folder)]) await syncFolder(changed);
  const leftovers = await readdir(incoming);
  await Promise.all(leftovers.map((name) => rm(join(incoming, name), { recursive: true, force: true })));
};

/** Earlier releases had a folder for each session. */
const flatten = async (uploads: string, session: string): Promise<void> => {
  const names = await readdir(join(uploads, session));
  for (const name of names) await rename(join(uploads, session, name), join(uploads, `${session}.${name}`));
  await rmdir(join(uploads, session));
};

/** Earlier releases named evidence by its hash alone. */
const nameBySubmission = async (folder: string, fan: string): Promise<void> => {
  for (const name of await readdir(join(folder, fan))) {
    const key = keyIn(join(folder, fan, name));
    const path = key === null ? null : pathIn(folder, key);
    if (path === null || path === join(folder, fan, name)) continue;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(join(folder, fan, name), path);
  }
};

const makeFan = async (fan: string): Promise<FileHandle> => {
  await mkdir(fan, { recursive: true, mode: 0o700 });
  await syncFolder(dirname(fan));
  return open(fan, 'r');
};

const falseWhenAbsent = (error: NodeJS.ErrnoException): false => {
  if (error.code === 'ENOENT') return false;
  throw error;
};
