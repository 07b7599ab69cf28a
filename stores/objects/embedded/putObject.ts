import type { Readable } from 'node:stream';
import { type Answer, noSuchUpload, Refusal } from './answer.ts';
import { expectedChecksums, verified } from './checksums.ts';
import { maxLengthOf } from './extensions.ts';
import { partOf, type S3Request } from './request.ts';
import type { Storage } from './storage.ts';

/** The maximum size, and the minimum speed before the sender counts as disconnected. */
export type Limits = Readonly<{ maximumBytes: number; idleMs: number; leastBytesPerSecond: number }>;

/** The one bucket. `uploadRefusal`: why no upload is accepted for a key now; null when it is. */
export type Bucket = Readonly<{
  bucket: string;
  region: string;
  storage: Storage;
  limits: Limits;
  uploadRefusal(key: string): Promise<string | null>;
}>;

/** An upload: the raw request, the signed payload hash, and `invite`, which answers `Expect`. */
export type Upload = Readonly<{ raw: Readable; payloadHash: string; storedAt: string; invite(): void }>;

const SMALL_BYTES = 65_536;

/**
 * PUT of an object, or of a part: stored when every byte has come and each checksum holds, else not at all.
 */
export const putObject = async (
  { storage, limits, uploadRefusal }: Pick<Bucket, 'storage' | 'limits' | 'uploadRefusal'>,
  request: S3Request,
  upload: Upload,
): Promise<Answer> => {
  const length = contentLength(request, limits);
  const expected = expectedChecksums(request, upload.payloadHash);
  const mimeType = mimeTypeOf(request);
  const part = partOf(request);
  const unlessRefused = async (): Promise<void> => {
    const reason = await uploadRefusal(request.key);
    if (reason !== null) throw new Refusal('AccessDenied', reason);
  };
  // A small one without an invitation is on its way already: then it is asked once.
  if (length > SMALL_BYTES || request.headers.has('expect')) await unlessRefused();
  upload.invite();
  const object = {
    key: request.key,
    mimeType,
    storedAt: upload.storedAt,
    body: verified(received(upload.raw, length, limits), expected),
    // Much may have happened while the bytes came.
    confirm: unlessRefused,
  };
  const record = part ? await storage.parts.put(part, part.partNumber, object) : await storage.put(object);
  if (record === null) throw noSuchUpload();
  return { status: 200, headers: { ETag: record.etag, 'Content-Length': '0' } };
};

/** The media type that the uploader gave, null when none. */
export const mimeTypeOf = (request: S3Request): string | null => {
  const type = request.headers.get('content-type') ?? '';
  if (type.length > 255 || !/^[\x20-\x7e]*$/.test(type))
    throw new Refusal('InvalidArgument', 'Content-Type is no media type');
  return type === '' ? null : type;
};

/** The length of a body in bytes. Throws a `Refusal` for none, and for one that is too large. */
export const contentLength = (request: S3Request, limits: Limits): number => {
  const text = request.headers.get('content-length');
  if (text === undefined || request.headers.has('transfer-encoding'))
    throw new Refusal('MissingContentLength', 'Content-Length is needed');
  const maximum = Math.min(limits.maximumBytes, maxLengthOf(request.query));
  if (Number(text) > maximum)
    throw new Refusal('EntityTooLarge', `the upload has ${text} bytes, at most ${maximum} are allowed`);
  return Number(text);
};

/** The bytes of a body as they come. Throws a `Refusal` when they come too slowly, or are too few. */
export async function* received(raw: Readable, length: number, limits: Limits): AsyncGenerator<Buffer> {
  const timeoutMs = limits.idleMs + (length / limits.leastBytesPerSecond) * 1000;
  const late = () => raw.destroy(new Refusal('RequestTimeout', 'the body came too slowly'));
  const timer = setTimeout(late, Math.min(timeoutMs, 2 ** 31 - 1));
  let size = 0;
  try {
    // The request must outlive a body that is given up half way, or no answer could be sent.
    for await (const bytes of raw.iterator({ destroyOnReturn: false })) {
      size += bytes.length;
      yield bytes;
    }
  } finally {
    clearTimeout(timer);
  }
  if (size !== length) throw new Refusal('IncompleteBody', `${length} bytes were announced, ${size} came`);
}
