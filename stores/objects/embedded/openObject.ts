import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { submissionOfUpload } from '../keys.ts';
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
  const hash = createHash('sha256').update(key).digest('hex');
  const submissionId = submissionOfUpload(key);
  return submissionId === null
    ? join(folder, hash.slice(0, 2), hash.slice(2))
    : join(folder, 'uploads', `${submissionId}.${hash}`);
};

/**
 * Opens an object's file, null when there is none. In one turn, as the databases are read: each step by itself
 * would cost more than all of this. Throws `ObjectDamaged`.
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

const openUnlessAbsent = (path: string): number | null => {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};
