import { fstatSync, readSync } from 'node:fs';
import { ObjectDamaged } from '../../../kernel/errors.ts';
import type { ObjectHead } from '../port.ts';

/** A stored object's record. It follows the bytes in the same file, so that one rename stores both. */
export type ObjectRecord = ObjectHead & Readonly<{ key: string; storedAt: string }>;

const MARK = Buffer.from('INTAKE-1');
const LENGTH_BYTES = 4;
/** More than a record has: most objects of text or JSON are read as a whole. */
const READ_BYTES = 16_384;

/** The end of an object's file: the record as JSON, its length, and a mark. */
export const encodeRecord = (record: ObjectRecord): Buffer => {
  const json = Buffer.from(JSON.stringify(record));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([json, length, MARK]);
};

/** A file's record, and the bytes of the object if the whole file was read with it; null for a longer one. */
export type ReadRecord = Readonly<{ record: ObjectRecord; bytes: Buffer | null }>;

/** Reads the record at a file's end. Throws `ObjectDamaged` when the file is not a whole object. */
export const readRecord = (file: number): ReadRecord => {
  const { size } = fstatSync(file);
  const end = Buffer.allocUnsafe(Math.min(size, READ_BYTES));
  const read = readSync(file, end, 0, end.length, size - end.length);
  const rest = end.subarray(0, -MARK.length);
  if (
    read < end.length ||
    end.length < MARK.length + LENGTH_BYTES ||
    !end.subarray(-MARK.length).equals(MARK)
  )
    throw damaged();
  const length = rest.readUInt32BE(rest.length - LENGTH_BYTES);
  const json = rest.subarray(Math.max(0, rest.length - LENGTH_BYTES - length), -LENGTH_BYTES);
  const record = parsed(json.toString());
  if (record.size + length + LENGTH_BYTES + MARK.length !== size) throw damaged();
  return { record, bytes: end.length === size ? end.subarray(0, record.size) : null };
};

const parsed = (json: string): ObjectRecord => {
  try {
    return JSON.parse(json) as ObjectRecord;
  } catch {
    throw damaged();
  }
};

const damaged = (): Error => new ObjectDamaged('the file of a stored object is damaged');
