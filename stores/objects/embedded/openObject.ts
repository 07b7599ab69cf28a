import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { ObjectDamaged } from '../../../kernel/errors.ts';
import { type ObjectRecord, readRecord } from './record.ts';

/** An open object: it stays readable though its key is overwritten. Use `bytes` or `close`. */
export type OpenObject = Readonly<{
  record: ObjectRecord;
  /** The bytes from `start` to `end`, both included; closes the file at its end. */
  bytes(start: number, end: number): Readable;
  close(): void;
}>;

/** Opens an object, null when there is none. Safe beside the process that owns the folder. */
export const openObject = (folder: string, key: string): OpenObject | null => openFile(pathIn(folder, key));

/** The file of a key. */
export const pathIn = (folder: string, key: string): string => {
  const hash = sha256(key);
  const start = startIn(folder, key);
  return start === null ? join(folder, hash.slice(0, 2), hash.slice(2)) : `${start}${hash}`;
};

/**
 * How the paths of all uploads, or of all evidence, of one submission start: those of the key, or of the
 * prefix, `key`. Null for what is of no submission.
 */
export const startIn = (folder: string, key: string): string | null => {
  const [, kind, ulid] = /^(uploads|evidence)\/([0-9a-z]{26})\//.exec(key) ?? [];
  if (kind === undefined || ulid === undefined) return null;
  // Uploads are few, and listed in their order; evidence stays.
  const fan = kind === 'uploads' ? kind : join(kind, sha256(ulid).slice(0, 2));
  return join(folder, fan, `sub_${ulid}.`);
};

/** A path as one name, for what is written or put together elsewhere. */
export const flatName = (folder: string, path: string): string => relative(folder, path).replaceAll(sep, '.');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Opens an object's file, null when there is none. In one turn, as the databases are read: each step by
 * itself would cost more than all of this. Throws `ObjectDamaged`.
 */
export const openFile = (path: string): OpenObject | null => {
  const file = openUnlessAbsent(path);
  if (file === null) return null;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  try {
    const { record, bytes } = readRecord(file);
    if (bytes) close();
    const stream = (start: number, end: number): Readable => {
      isOpen = false; // the stream closes it
      return createReadStream('', { fd: file, start, end });
    };
    const part = (start: number, end: number) => Readable.from([bytes?.subarray(start, end + 1)]);
    return { record, bytes: bytes ? part : stream, close };
  } catch (error) {
    close();
    throw error;
  }
};

/** As `openFile`; null also for a damaged file, which must not hide others. */
export const openIntact = (path: string): OpenObject | null => {
  try {
    return openFile(path);
  } catch (error) {
    if (error instanceof ObjectDamaged) return null;
    throw error;
  }
};

const openUnlessAbsent = (path: string): number | null => {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
