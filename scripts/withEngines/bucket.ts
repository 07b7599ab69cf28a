import { CreateBucketCommand, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3';

/** A bucket to make: where, and who for. */
export type Bucket = Readonly<{
  endpoint: string;
  region: string;
  bucket: string;
  credentials: Readonly<{ accessKeyId: string; secretAccessKey: string }>;
}>;

/**
 * Makes a bucket whose files browsers may put and get (docs/operating.md). Throws when the store doesn't
 * answer.
 */
export const makeBucket = async ({ endpoint, region, bucket, credentials }: Bucket): Promise<void> => {
  // The pinned release runs on Node 20; its notice about those of 2027 helps nobody here.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true, maxAttempts: 1 });
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [RULE] } }));
  } finally {
    client.destroy();
  }
};

const RULE = {
  AllowedOrigins: ['*'],
  AllowedMethods: ['GET', 'PUT', 'POST', 'HEAD'],
  AllowedHeaders: ['content-type', 'x-amz-checksum-sha256', 'x-amz-server-side-encryption'],
  ExposeHeaders: ['etag'],
  MaxAgeSeconds: 3600,
};

/** The settings that name a bucket. */
export const s3Settings = ({
  endpoint,
  region,
  bucket,
  credentials,
}: Bucket): Readonly<Record<string, string>> => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: bucket,
  S3_REGION: region,
  S3_PATH_STYLE: 'true',
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});
