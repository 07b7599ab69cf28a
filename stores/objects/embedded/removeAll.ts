import { randomUUID } from 'node:crypto';
import { opendir, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { flatName, openIntact, startIn } from './openObject.ts';
import { syncFolder } from './writeObject.ts';

type Folders = Readonly<Record<'parts' | 'incoming', string>>;

/**
 * Removes all objects and uploads in parts under a submission's prefix, and what is being written there: its
 * writer fails, though it goes on until its body ends. Gives how many objects and uploads there were.
 */
export const removeAllIn = async (folder: string, prefix: string, folders: Folders): Promise<number> => {
  const start = startOf(folder, prefix);
  const flat = flatName(folder, start);
  // In this order: parts become an object by way of `incoming`.
  const dropped = await namesIn(folders.parts, flat);
  for (const name of dropped)
    await rename(join(folders.parts, name), join(folders.incoming, `${name}.${randomUUID()}`)).catch(
      unlessAbsent,
    );
  if (dropped.length > 0) await syncFolder(folders.parts);
  for (const name of await namesIn(folders.incoming, flat))
    await rm(join(folders.incoming, name), { recursive: true, force: true });
  const objects = await namesIn(dirname(start), basename(start));
  for (const name of objects) await unlink(join(dirname(start), name)).catch(unlessAbsent);
  if (objects.length > 0) await syncFolder(dirname(start));
  return dropped.length + objects.length;
};

/** The keys of the objects under a submission's prefix, in order. */
export const keysIn = async (folder: string, prefix: string): Promise<readonly string[]> => {
  const start = startOf(folder, prefix);
  const names = await namesIn(dirname(start), basename(start));
  return names.flatMap((name) => keyIn(join(dirname(start), name)) ?? []).sort();
};

/** Null for what is removed at this moment, and for a damaged file. */
export const keyIn = (path: string): string | null => {
  const object = openIntact(path);
  object?.close();
  return object?.record.key ?? null;
};

const startOf = (folder: string, prefix: string): string => {
  const start = prefix.endsWith('/') ? startIn(folder, prefix) : null;
  if (start === null) throw new Error(`${prefix} is not the prefix of a submission's objects`);
  return start;
};

/** One at a time: a folder may hold many of others. */
const namesIn = async (folder: string, start: string): Promise<readonly string[]> => {
  const names: string[] = [];
  const entries = await opendir(folder).catch(unlessAbsent);
  for await (const { name } of entries ?? []) if (name.startsWith(start)) names.push(name);
  return names;
};

const unlessAbsent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};
