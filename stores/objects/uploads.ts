import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import type { UploadTerms } from './port.ts';

/** The headers an upload must be sent with, in lower case. Throws `TypeError` for an invalid SHA-256. */
export const uploadHeaders = ({ size, mimeType, sha256 }: UploadTerms): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {};
  if (size !== undefined) headers['content-length'] = String(size);
  if (mimeType !== undefined) headers['content-type'] = mimeType;
  if (sha256 !== undefined) headers['x-amz-checksum-sha256'] = base64(sha256);
  return headers;
};

/** The largest object that S3 takes at once, in bytes. */
const MAX_SIZE = 5_368_709_120;

/** What a form is signed for; `more` are fields beside those of the terms. It is answered as a PUT is. */
export const formTerms = (terms: UploadTerms, more: Readonly<Record<string, string>> = {}) => {
  const { key, expiresInSeconds, mimeType, sha256, size, maxSize = MAX_SIZE } = terms;
  const fields: Readonly<Record<string, string>> = {
    ...(mimeType !== undefined && { 'Content-Type': mimeType }),
    ...(sha256 !== undefined && { 'x-amz-checksum-sha256': base64(sha256) }),
    ...more,
    success_action_status: '200',
  };
  return { key, expiresInSeconds, minSize: size ?? 0, maxSize: size ?? maxSize, fields };
};

const digest = Buffer.alloc(32);

const base64 = (sha256: string): string => {
  // Writing stops at what is no hexadecimal digit.
  if (sha256.length !== 64 || digest.write(sha256, 'hex') !== digest.length)
    throw new TypeError('sha256 is not 64 hexadecimal digits');
  return digest.toString('base64');
};

/** Without the length: every client sends it by itself, and fetch refuses it. */
export const headersToSend = ({
  'content-length': _,
  ...headers
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> => headers;

/** The type that an uploader gave; null for what S3 and stores like it call an object without one. */
export const givenType = (stored: string | null | undefined): string | null =>
  stored == null || ['binary/octet-stream', 'application/octet-stream'].includes(stored) ? null : stored;

/** The bytes as they come; what breaks them off is thrown as `translate` gives it. */
export const translated = (body: Readable, translate: (error: unknown) => Error): Readable => {
  const bytes = new PassThrough();
  body.once('error', (error) => bytes.destroy(translate(error)));
  bytes.once('close', () => body.destroy());
  return body.pipe(bytes);
};

/** The SHA-256 of a stream in hex, which is never in memory as a whole. */
export const sha256Of = async (body: Readable): Promise<string> => {
  const hash = createHash('sha256');
  for await (const bytes of body) hash.update(bytes);
  return hash.digest('hex');
};
