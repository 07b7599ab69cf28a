import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import type { SignedUpload, UploadTerms } from './port.ts';

type Signer = Parameters<typeof createPresignedPost>[0];
type Headers = Readonly<Record<string, string>>;

/** The object that a form writes. Sizes in bytes. */
type FormTerms = Readonly<{ bucket: string; key: string; maxSize: number; expiresInSeconds: number }>;

/** A file of no known type: the store's own name for it, which a client replaces by what it knows. */
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * A form for one file of at most `maxSize` bytes: a policy can say so, which the address of a PUT can't.
 * `headers` are fields of the form. Signed at the machine's time.
 */
export const signForm = async (
  signer: Signer,
  { bucket, key, maxSize, expiresInSeconds }: FormTerms,
  headers: Headers,
): Promise<SignedUpload> => {
  const { url, fields } = await createPresignedPost(signer, {
    Bucket: bucket,
    Key: key,
    Expires: expiresInSeconds,
    // As a PUT is answered.
    Fields: { ...headers, success_action_status: '200' },
    Conditions: [
      ['content-length-range', 0, maxSize],
      ['starts-with', '$Content-Type', ''],
    ],
  });
  return { method: 'POST', url, headers: {}, fields: { ...fields, 'Content-Type': UNKNOWN_TYPE } };
};

/**
 * What a PUT of an upload is bound to, as input of its command. Throws `TypeError` for a SHA-256 that is
 * none.
 */
export const bounds = (terms: UploadTerms) => ({
  ...(terms.size !== undefined && { ContentLength: terms.size }),
  ...(terms.mimeType !== undefined && { ContentType: terms.mimeType }),
  ...(terms.sha256 !== undefined && { ChecksumSHA256: base64(terms.sha256) }),
});

/** The headers that an upload must have and that are signed, by their names in lower case. */
export const uploadHeaders = (terms: UploadTerms, encryption: string | undefined): Headers => ({
  ...(terms.size !== undefined && { 'content-length': String(terms.size) }),
  ...(terms.mimeType !== undefined && { 'content-type': terms.mimeType }),
  ...(terms.sha256 !== undefined && { 'x-amz-checksum-sha256': base64(terms.sha256) }),
  ...(encryption !== undefined && { 'x-amz-server-side-encryption': encryption }),
});

const base64 = (sha256: string): string => {
  if (!/^[0-9a-f]{64}$/i.test(sha256)) throw new TypeError('sha256 is not 64 hexadecimal digits');
  return Buffer.from(sha256, 'hex').toString('base64');
};
