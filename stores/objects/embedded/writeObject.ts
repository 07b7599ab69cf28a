import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { encodeRecord, type ObjectRecord } from './record.ts';

/** An object to be stored. */
export type NewObject = Pick<ObjectRecord, 'key' | 'mimeType' | 'storedAt'> &
  Readonly<{
    body: AsyncIterable<Buffer>;
    /** Called once all bytes are there: the object is stored unless it throws. */
    confirm?: (record: ObjectRecord) => Promise<void>;
  }>;

/**
 * Writes an object to a new file, which is durable then; its folder is not. An error of the body is thrown
 * on.
 */
export const writeObject = async (
  path: string,
  { key, mimeType, storedAt, body }: NewObject,
): Promise<ObjectRecord> => {
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

/** Makes new names in a folder durable. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
