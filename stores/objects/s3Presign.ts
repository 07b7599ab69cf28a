import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Clock } from '../../kernel/clock.ts';
import { createPresigner, type Form, type Request, type Signing } from './presign.ts';

/** Signs for a bucket as `client` addresses it, with the credentials that `client` has at the time. */
export const s3Presigner = (client: S3Client, bucket: string, clock: Clock) => {
  let address: ReturnType<typeof addressOf> | null = null;
  const addressed = async () => {
    address ??= addressOf(client, bucket);
    try {
      return await address;
    } catch (error) {
      address = null;
      throw error;
    }
  };
  const signing = async (): Promise<Signing> => ({
    // The client renews them before they expire.
    credentials: await client.config.credentials(),
    now: new Date(clock.now().getTime() + client.config.systemClockOffset),
  });
  return {
    url: async (request: Request): Promise<string> => (await addressed()).url(await signing(), request),
    form: async (form: Omit<Form, 'bucket'>) => {
      const { formUrl: url, ...presigner } = await addressed();
      return { url, fields: presigner.form(await signing(), { ...form, bucket }) };
    },
  };
};

/**
 * A bucket's address and region, from one URL that the SDK signs. It doesn't sign the others: its middleware
 * takes a hundred times as long as the signature (docs/performance.md).
 */
const addressOf = async (client: S3Client, Bucket: string) => {
  const { origin, pathname, searchParams } = new URL(
    await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'k' })),
  );
  const [, , region = ''] = searchParams.get('X-Amz-Credential')?.split('/') ?? [];
  const path = pathname.slice(0, -'/k'.length);
  return { ...createPresigner(`${origin}${path}/`, region), formUrl: origin + (path || '/') };
};
