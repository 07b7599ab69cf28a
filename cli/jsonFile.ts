import { createReadStream, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { jsonFault } from '../schemas/jsonFault.ts';
import { unsafeJsonFaults } from '../schemas/unsafeJson.ts';
import { CommandFailed } from './failure.ts';

const MAX_BYTES = 1_048_576;

/**
 * The value in a JSON file (UTF-8). Throws `CommandFailed`, which names the line and column where it is no
 * JSON, and the members that could not be stored unchanged.
 */
export const readJsonFile = async (path: string): Promise<unknown> =>
  readJsonText(path, await readText(path));

/** The value in a JSON text; `path` is what it is called in what is thrown, as by `readJsonFile`. */
export const readJsonText = (path: string, text: string): unknown => {
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

const readText = async (path: string): Promise<string> => {
  const bytes = await readBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandFailed('not-utf-8', `${path} is not text in UTF-8.`, 'Save it as UTF-8.');
  }
};

const readBytes = async (path: string): Promise<Uint8Array> => {
  try {
    if (statSync(path).isDirectory()) throw new CommandFailed('no-file', `${path} is a folder, not a file.`);
    // A device such as /dev/zero has no size and no end.
    const bytes = await buffer(createReadStream(path, { end: MAX_BYTES }));
    if (bytes.length > MAX_BYTES) throw new CommandFailed('file-too-large', `${path} is larger than 1 MiB.`);
    return bytes;
  } catch (error) {
    if (error instanceof CommandFailed || !(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'ENOENT') throw new CommandFailed('no-file', `There is no file ${path}.`);
    throw new CommandFailed('unreadable-file', `${path} can't be read: ${error.message}`);
  }
};
