import { readConnectionString } from '../../stores/events/eventstoredb/address.ts';
import { flag, matching, mongoConnectionString, oneOf, type Parser, text, url } from './parsers.ts';
import { optional, type Setting, secret } from './setting.ts';

const ofBucket = <T>(unset: string, parse: Parser<T>, about: string): Setting<T, null> =>
  optional(unset, parse, about, { needs: 'S3_BUCKET' });

/** The engines that replace the embedded stores. */
export const engineSettings = {
  EVENTSTOREDB_URL: secret(
    'none: embedded',
    // The driver's own parser: a second one would differ.
    (text, refuse) => {
      const { faults } = readConnectionString(text);
      return faults.length === 0 ? text : refuse(faults.join('; '));
    },
    'the log, in a KurrentDB, or an EventStoreDB (its name before version 25) of 23.10 or newer: `kurrentdb://user:password@host:2113` for one node, `kurrentdb+discover://…` for a cluster; several hosts are separated by commas, and the leader is discovered through them. `kurrent://` and `esdb://` mean the same as `kurrentdb://`, also with `+discover` ([options](#the-connection-string-of-eventstoredb))',
  ),
  MONGODB_URL: secret(
    'none: embedded',
    mongoConnectionString,
    'read models, tables and leases: `mongodb://user:password@a,b,c/intake?replicaSet=rs0` or `mongodb+srv://…`; the path names the database, `intake` unless it names another',
  ),
  S3_BUCKET: optional(
    'none: embedded',
    matching(/^[A-Za-z0-9][\w.-]{1,62}$/, 'must be the name of a bucket, such as intake-files'),
    'the bucket for uploads and evidence; it must be there',
  ),
  S3_ENDPOINT: ofBucket('AWS', url, 'the address of an S3 store that is not AWS'),
  S3_PUBLIC_ENDPOINT: ofBucket(
    '`S3_ENDPOINT`',
    url,
    'what upload and download addresses name, when clients reach the store elsewhere than the service does',
  ),
  S3_REGION: ofBucket('`us-east-1` with `S3_ENDPOINT`; else needed', text, 'the region of the bucket'),
  S3_PATH_STYLE: ofBucket(
    '`true` with `S3_ENDPOINT`, else `false`',
    flag,
    '`true`: the bucket is part of the path; `false`: of the host',
  ),
  S3_SSE: ofBucket(
    'none',
    oneOf('AES256', 'aws:kms'),
    '`AES256` or `aws:kms`: the store encrypts what is put there; uploads must send the header that comes with their address',
  ),
  KMS_KEY: optional(
    'none: `MASTER_KEY`',
    matching(/^[\w:/.-]{1,2048}$/, 'must be the id, ARN or alias of a key of AWS KMS'),
    'a symmetric key of AWS KMS that wraps what seals private data, in place of `MASTER_KEY` ([moving to it](operating.md#aws-kms))',
  ),
  KMS_ENDPOINT: optional('AWS', url, 'the address of a KMS that is not AWS', { needs: 'KMS_KEY' }),
  AWS_ACCESS_KEY_ID: optional(
    'the AWS SDK’s own search',
    text,
    'the service’s access key for the bucket and for KMS',
  ),
  AWS_SECRET_ACCESS_KEY: secret('the AWS SDK’s own search', text, 'set with `AWS_ACCESS_KEY_ID`'),
  AWS_SESSION_TOKEN: secret('none', text, 'of temporary credentials, beside the two'),
} as const;
