import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { jsonFault } from '../schemas/jsonFault.ts';
import { unsafeJsonFaults } from '../schemas/unsafeJson.ts';
import { CommandFailed } from './failure.ts';

const MAX_BYTES = 1_048_576;

/**
 * The value in a JSON file (UTF-8). Throws `CommandFailed`, which names the line and column where it is no
 * JSON, and the members that could not be stored unchanged.
 */
export const readJsonFile = (path: string): unknown => {
  const text = readText(path);
  const fault = jsonFault(text);
  if (fault) {
    const { line, column, expected } = fault;
    const detail = `${path}:${line}:${column} is not JSON: ${expected} is expected here.`;
    throw new CommandFailed('not-json', detail);
  }
  const unsafe = unsafeJsonFaults(text);
  if (unsafe.length === 0) return JSON.parse(text);
  throw new CommandFailed('not-kept', `${path} holds what can't be stored unchanged.`, null, unsafe);
};

const readText = (path: string): string => {
  const bytes = readBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandFailed('not-utf-8', `${path} is not text in UTF-8.`, 'Save it as UTF-8.');
  }
};

const readBytes = (path: string): Uint8Array => {
  try {
    if (statSync(path).isDirectory()) throw new CommandFailed('no-file', `${path} is a folder, not a file.`);
    const bytes = readUpTo(path, MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) throw new CommandFailed('file-too-large', `${path} is larger than 1 MiB.`);
    return bytes;
  } catch (error) {
    if (error instanceof CommandFailed || !(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'ENOENT') throw new CommandFailed('no-file', `There is no file ${path}.`);
    throw new CommandFailed('unreadable-file', `${path} can't be read: ${error.message}`);
  }
};

/**
 * At most `most` bytes: a device such as /dev/zero has no size and no end, a pipe such as /dev/stdin comes in
 * pieces.
 */
const readUpTo = (path: string, most: number): Uint8Array => {
  const buffer = Buffer.alloc(most);
  const file = openSync(path, 'r');
  try {
    let length = 0;
    while (length < most) {
      const more = readSync(file, buffer, length, most - length, null);
      if (more === 0) break;
      length += more;
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
};
