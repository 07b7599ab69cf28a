import { type Answer, Refusal } from './answer.ts';
import type { OpenObject } from './openObject.ts';
import type { ObjectRecord } from './record.ts';
import type { S3Request } from './request.ts';
import type { Storage } from './storage.ts';

/** GET and HEAD of an object, with conditions and one range. */
export const getObject = async (storage: Storage, request: S3Request): Promise<Answer> => {
  const object = storage.open(request.key);
  if (!object) throw new Refusal('NoSuchKey', 'the key does not exist');
  try {
    const answer = answerTo(request, object);
    if (!answer.body) object.close();
    return answer;
  } catch (error) {
    object.close();
    throw error;
  }
};

const answerTo = (request: S3Request, object: OpenObject): Answer => {
  const { record } = object;
  const { etag, size } = record;
  const condition = (name: string): boolean => matches(request.headers.get(name) ?? '', etag);
  if (request.headers.has('if-match') && !condition('if-match'))
    throw new Refusal('PreconditionFailed', 'the ETag is another one');
  if (condition('if-none-match')) return { status: 304, headers: { ETag: etag } };
  const isPartial = !request.headers.has('if-range') || request.headers.get('if-range') === etag;
  const range = isPartial ? readRange(request.headers.get('range'), size) : null;
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const headers = {
    ...describe(request, record),
    'Content-Length': String(end - start + 1),
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  };
  const status = range ? 206 : 200;
  if (request.method === 'HEAD' || size === 0) return { status, headers };
  return { status, headers, body: object.bytes(start, end) };
};

const describe = (request: S3Request, record: ObjectRecord): Readonly<Record<string, string>> => {
  const disposition = printable(request, 'response-content-disposition') ?? 'attachment';
  if (!/^attachment *(;|$)/i.test(disposition))
    throw new Refusal('InvalidArgument', 'response-content-disposition must be attachment');
  return {
    'Content-Type': printable(request, 'response-content-type') ?? record.mimeType ?? 'binary/octet-stream',
    'Content-Disposition': disposition,
    'Accept-Ranges': 'bytes',
    'Last-Modified': new Date(record.storedAt).toUTCString(),
    ETag: record.etag,
  };
};

const printable = (request: S3Request, name: string): string | undefined => {
  const text = request.query.get(name);
  if (text !== undefined && !/^[\x20-\x7e]*$/.test(text))
    throw new Refusal('InvalidArgument', `${name} holds more than printable ASCII`);
  return text;
};

const matches = (condition: string, etag: string): boolean =>
  condition.split(',').some((one) => ['*', etag, etag.replaceAll('"', '')].includes(one.trim()));

/**
 * The bytes that a Range header asks for, both ends included; null for the whole: no range, more than one, or
 * another unit. Throws `InvalidRange` for one that lies after the end.
 */
const readRange = (
  header: string | undefined,
  size: number,
): Readonly<{ start: number; end: number }> | null => {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < start) return null;
  if (start >= size) throw new Refusal('InvalidRange', `the object has ${size} bytes`);
  return { start, end };
};
