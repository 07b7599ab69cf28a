import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { Refusal } from './answer.ts';

/** What may come before the file: in all, of one field, and how many. The first two in bytes. */
const MAX_BEFORE = 131_072;
const MAX_FIELD = 20_480;
const MAX_FIELDS = 40;

/** A form whose file is about to be read. `ended` resolves once nothing but the end came after the file. */
export type FormBody = Readonly<{
  fields: ReadonlyMap<string, string>;
  file: AsyncIterable<Buffer>;
  ended(): Promise<void>;
  /** Reads no more of it. */
  giveUp(): void;
}>;

/**
 * Reads a form up to its field `file`, which must be the last one and begin within `fieldsMs` milliseconds:
 * until then nobody has signed anything. Field names in lower case. Throws a `Refusal` for what is no such
 * form.
 */
export const readForm = async (
  body: AsyncIterable<Buffer>,
  contentType: string,
  fieldsMs: number,
): Promise<FormBody> => {
  const parser = parserOf(contentType);
  const fields = new Map<string, string>();
  const stop = new AbortController();
  let refusal: Refusal | null = null;
  let file: Readable | null = null;
  const refuse = (reason: Refusal): void => {
    refusal ??= reason;
    stop.abort();
  };
  parser.on('field', (name, value, _nameTruncated, isTruncated) => {
    if (file) return refuse(malformed('nothing may come after the file'));
    if (isTruncated) return refuse(tooMuch());
    const key = name.toLowerCase();
    if (fields.has(key)) refuse(malformed('a field is given twice'));
    fields.set(key, value);
  });
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(event, () => refuse(malformed('a form has at most 40 fields, and then exactly one file')));
  const found = new Promise<Readable>((resolve) => {
    parser.on('file', (name, stream) => {
      file = stream;
      stream.on('error', () => undefined); // it is thrown where the whole form fails
      if (name !== 'file') refuse(malformed('the file is the field `file`'));
      resolve(stream);
    });
  });
  const whole: Promise<void> = pipeline(
    untilFile(body, () => file !== null),
    parser,
    { signal: stop.signal },
  ).catch((error) => {
    const reason =
      refusal ?? (error instanceof Refusal || error.code ? error : malformed('the form is not whole'));
    file?.destroy(reason);
    throw reason;
  });
  const late = () => refuse(new Refusal('RequestTimeout', 'the fields before the file came too slowly'));
  const timer = setTimeout(late, fieldsMs);
  const opened = await Promise.race([found, whole]).finally(() => clearTimeout(timer));
  if (!opened) throw malformed('the form has no file');
  whole.catch(() => undefined); // thrown by `ended`, or no longer wanted
  return { fields, file: opened, ended: () => whole, giveUp: () => stop.abort() };
};

async function* untilFile(body: AsyncIterable<Buffer>, isFile: () => boolean): AsyncGenerator<Buffer> {
  let before = 0;
  for await (const bytes of body) {
    if (!isFile()) before += bytes.length;
    if (before > MAX_BEFORE + bytes.length) throw tooMuch();
    yield bytes;
  }
}

const parserOf = (contentType: string): BusboyInstance => {
  try {
    const headers: BusboyHeaders = { 'content-type': contentType };
    const limits = { fields: MAX_FIELDS, files: 1, fieldSize: MAX_FIELD, headerPairs: 20, headerSize: 4_096 };
    return new Busboy({ headers, limits });
  } catch {
    throw malformed('the body is no multipart/form-data');
  }
};

const malformed = (message: string) => new Refusal('MalformedPOSTRequest', message);
const tooMuch = () => new Refusal('MaxPostPreDataLengthExceeded', 'the fields before the file are too large');
