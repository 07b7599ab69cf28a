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
