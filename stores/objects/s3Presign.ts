import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Clock } from '../../kernel/clock.ts';
import { createPresigner, type Form, type Request } from './presign.ts';

/** Signs for a bucket as `client` addresses it, with the credentials that `client` has at the time. */
export const s3Presigner = (client: S3Client, bucket: string, clock: Clock) => {
  let learned: Awaited<ReturnType<typeof learn>> | null = null;
  const presigner = async () => {
    learned ??= await learn(client, bucket);
    // The client renews the credentials before they expire.
    const credentials = await client.config.credentials();
    const now = new Date(clock.now().getTime() + client.config.systemClockOffset);
    return { ...learned, signing: { credentials, now } };
  };
  return {
    url: async (request: Request): Promise<string> => {
      const { url, signing } = await presigner();
      return url(signing, request);
    },
    form: async (terms: Omit<Form, 'bucket'>) => {
      const { formUrl, form, signing } = await presigner();
      return { url: formUrl, fields: form(signing, { ...terms, bucket }) };
    },
  };
};

/**
 * A bucket's address and region, from one URL that the SDK signs. It doesn't sign the others: its middleware
 * takes a hundred times as long as a signature.
 */
const learn = async (client: S3Client, Bucket: string) => {
  const { origin, pathname, searchParams } = new URL(
    await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'k' })),
  );
  const [, , region = ''] = searchParams.get('X-Amz-Credential')?.split('/') ?? [];
  const path = pathname.slice(0, -'/k'.length);
  return { ...createPresigner(`${origin}${path}/`, region), formUrl: origin + (path || '/') };
};
