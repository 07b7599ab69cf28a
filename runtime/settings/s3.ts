import type { SettingName } from './names.ts';
import type { Reader } from './parsers.ts';

const ENCRYPTIONS = ['AES256', 'aws:kms'] as const;

/** A bucket. `endpoint` null: AWS itself; `publicEndpoint` null: clients reach it where the service does; `credentials` null: the SDK's own chain. */
export type S3Engine = Readonly<{
  bucket: string;
  endpoint: string | null;
  publicEndpoint: string | null;
  region: string;
  pathStyle: boolean;
  encryption: (typeof ENCRYPTIONS)[number] | null;
  credentials: Readonly<{ accessKeyId: string; secretAccessKey: string; sessionToken?: string }> | null;
}>;

const NEEDING_A_BUCKET = [
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'S3_REGION',
  'S3_PATH_STYLE',
  'S3_SSE',
] as const;

/** Reads the bucket's settings; null when no bucket is named. */
export const s3Of = (settings: Reader): S3Engine | null => {
  const given = (name: SettingName): boolean => settings.text(name, null) !== null;
  if (!given('S3_BUCKET')) {
    for (const name of NEEDING_A_BUCKET) if (given(name)) settings.fault(name, 'needs S3_BUCKET');
    return null;
  }
  const bucket = settings.text('S3_BUCKET', '');
  if (!/^[A-Za-z0-9][\w.-]{1,62}$/.test(bucket))
    settings.fault('S3_BUCKET', 'must be the name of a bucket, such as intake-files');
  const isElsewhere = given('S3_ENDPOINT');
  if (!isElsewhere && !given('S3_REGION'))
    settings.fault('S3_REGION', 'must be set, or S3_ENDPOINT for a store that is not AWS');
  return {
    bucket,
    endpoint: settings.url('S3_ENDPOINT', null),
    publicEndpoint: settings.url('S3_PUBLIC_ENDPOINT', null),
    region: settings.text('S3_REGION', 'us-east-1'),
    pathStyle: settings.choice('S3_PATH_STYLE', ['true', 'false'], `${isElsewhere}`) === 'true',
    encryption: given('S3_SSE') ? settings.choice('S3_SSE', ENCRYPTIONS, 'AES256') : null,
    credentials: credentialsOf(settings),
  };
};

const credentialsOf = (settings: Reader): S3Engine['credentials'] => {
  const [id, secret] = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
  const accessKeyId = settings.text(id, null);
  const secretAccessKey = settings.text(secret, null);
  const sessionToken = settings.text('AWS_SESSION_TOKEN', null);
  if (accessKeyId !== null && secretAccessKey !== null)
    return { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) };
  if (accessKeyId !== null) settings.fault(secret, `must be set beside ${id}`);
  if (secretAccessKey !== null) settings.fault(id, `must be set beside ${secret}`);
  return null;
};
