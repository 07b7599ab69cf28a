import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import type { SignedUpload } from './port.ts';

type Signer = Parameters<typeof createPresignedPost>[0];
type Headers = Readonly<Record<string, string>>;

/** The object that a form writes. Sizes in bytes. */
type FormTerms = Readonly<{ bucket: string; key: string; maxSize: number; expiresInSeconds: number }>;

/** The store's own type for a file of unknown type; a client replaces it by the actual one. */
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
