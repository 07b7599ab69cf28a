import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type Clock, systemClock } from '../../../kernel/clock.ts';
import { StoreMisconfigured } from '../../../kernel/errors.ts';
import { downloadQuery } from '../contentDisposition.ts';
import { UPLOADS, uploadsOf } from '../keys.ts';
import type { ObjectHead, ObjectStore } from '../port.ts';
import { formTerms, givenType, headersToSend, sha256Of, translated, uploadHeaders } from '../uploads.ts';
import { failure, isAbsent, isAbsentOrChanged, notS3, orNull, whereIs } from './failure.ts';
import { s3Parts } from './parts.ts';
import { s3Presigner } from './presign.ts';
import { s3RemoveAll } from './removeAll.ts';

/**
 * Where the bucket is. `endpoint`: unset for AWS itself. `publicEndpoint`: what signed URLs name, when
 * clients reach the store under another address. `credentials`: unset for the SDK's own chain. `timeoutMs`:
 * for one attempt and for an idle connection.
 */
export type S3Settings = Readonly<{
  endpoint?: string;
  publicEndpoint?: string;
  region: string;
  bucket: string;
  pathStyle: boolean;
  serverSideEncryption?: 'AES256' | 'aws:kms';
  credentials?: Readonly<{ accessKeyId: string; secretAccessKey: string; sessionToken?: string }>;
  clock?: Clock;
  timeoutMs?: number;
}>;

const TIMEOUT_MS = 10_000;
const QUICK_MS = 3_000;
/** What a store may need to copy or join the largest file, as a multiple of the time for a call. */
const PATIENCE = 30;
/** Larger objects are copied with patience. In bytes. */
const LARGE = 104_857_600;

/**
 * The object store over S3, or over any server with its protocol. Signed URLs live at most seven days.
 * An absent key needs the permission to list the bucket: without it S3 answers 403 where this store would
 * give null.
 */
export const s3ObjectStore = (settings: S3Settings): ObjectStore => {
  // The pinned release runs on Node 20; else the SDK warns at each start about its releases of 2027.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const client = connect(settings, settings.endpoint);
  const signer = settings.publicEndpoint ? connect(settings, settings.publicEndpoint) : client;
  const { bucket: Bucket, clock = systemClock, serverSideEncryption, timeoutMs = TIMEOUT_MS } = settings;
  const patient = connect({ ...settings, timeoutMs: PATIENCE * timeoutMs }, settings.endpoint);
  const encryption = serverSideEncryption ? { ServerSideEncryption: serverSideEncryption } : {};
  const encrypted: Readonly<Record<string, string>> = serverSideEncryption
    ? { 'x-amz-server-side-encryption': serverSideEncryption }
    : {};
  const sample = () => getSignedUrl(signer, new GetObjectCommand({ Bucket, Key: 'k' }));
  const presigner = s3Presigner({ bucket: Bucket, clock, sample, config: signer.config });
  // For calls that move no bytes: they need no such time as a copy.
  const quick = { requestTimeout: Math.min(timeoutMs, QUICK_MS) };
  const call = <T>(result: Promise<T>): Promise<T> =>
    result.catch((error) => {
      throw failure(settings, error);
    });
  const copy: ObjectStore['copy'] = async (source, etag, target, mimeType, size = 0) => {
    const replacing = { MetadataDirective: 'REPLACE', ContentType: mimeType, ...encryption } as const;
    const from = { CopySource: `${Bucket}/${encodePath(source)}`, CopySourceIfMatch: etag };
    const command = new CopyObjectCommand({ Bucket, Key: target, ...from, ...replacing });
    const sender = size > LARGE ? patient : client;
    return (await call(orNull(sender.send(command), isAbsentOrChanged))) !== null;
  };
  const read = async (Key: string, terms: Readonly<{ Range?: string; IfMatch?: string }> = {}) => {
    const get = new GetObjectCommand({ Bucket, Key, ...terms });
    const found = await call(orNull(client.send(get), isAbsentOrChanged));
    if (!found) return null;
    if (!(found.Body instanceof Readable)) throw new Error('the object store gave no stream');
    return translated(found.Body, (error) => failure(settings, error));
  };
  const head = (Key: string): Promise<ObjectHead | null> =>
    call(orNull(client.send(new HeadObjectCommand({ Bucket, Key }), quick), isAbsent)).then(
      (found) => found && headOf(settings, found),
    );
  const remove = async (Key: string): Promise<void> => {
    await call(client.send(new DeleteObjectCommand({ Bucket, Key }), quick));
  };
  const put = async (Key: string, Body: string | Uint8Array, ContentType: string): Promise<void> => {
    await call(client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, ...encryption })));
  };
  const inParts = s3Parts({ bucket: Bucket, client, patient, presigner, encryption, call });
  const removeAll = s3RemoveAll({ bucket: Bucket, client, inParts, call });
  const prove = async (): Promise<void> => {
    // Without the permission to list the bucket an absent key is refused; so is a removal without its own.
    await head(PROOF.absent);
    await put(PROOF.source, 'proof', 'text/plain');
    for (const key of [PROOF.absent, PROOF.target]) await remove(key);
    await removeAll(PROOF.none);
    const upload = { key: PROOF.absent, uploadId: await inParts.begin(PROOF.absent, 'text/plain', false) };
    await inParts.unfinished(upload.key, '', 1);
    await inParts.parts(upload);
    await inParts.drop(upload);
    if (await copy(PROOF.source, '"another"', PROOF.target, 'text/plain'))
      throw new StoreMisconfigured(
        `${whereIs(settings)} copies files that have changed (it ignores x-amz-copy-source-if-match): evidence would not be what was checked. Use a store that keeps the condition.`,
      );
  };
  let isProven = false;

  return {
    signUpload: async (terms) => {
      const { key, maxSize, expiresInSeconds, isForm = maxSize !== undefined } = terms;
      if (isForm) {
        const form = await call(presigner.form(formTerms(terms, encrypted)));
        return { method: 'POST', headers: {}, ...form };
      }
      const headers = { ...uploadHeaders(terms), ...encrypted };
      const url = await call(
        presigner.url({ method: 'PUT', key, expiresInSeconds, query: UPLOADING, headers }),
      );
      return { method: 'PUT', url, headers: headersToSend(headers), fields: null };
    },
    signDownload: async ({ key, expiresInSeconds, fileName, mimeType }) => {
      const query = [...downloadQuery(fileName, mimeType), ['x-id', 'GetObject']] as const;
      const url = await call(presigner.url({ method: 'GET', key, expiresInSeconds, query, headers: {} }));
      return { method: 'GET', url, headers: {} };
    },
    head,
    read: (key, length) => read(key, length === undefined ? {} : { Range: `bytes=0-${length - 1}` }),
    sha256: async (key, etag) => {
      const bytes = await read(key, { IfMatch: etag });
      return bytes && sha256Of(bytes);
    },
    put,
    copy,
    remove,
    removeAll,
    uploads: async (after, limit) => {
      const list = new ListObjectsV2Command({ Bucket, Prefix: UPLOADS, StartAfter: after, MaxKeys: limit });
      const { Contents = [] } = await call(client.send(list, quick));
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
    check: async () => {
      await call(client.send(new HeadBucketCommand({ Bucket }), quick));
      if (!isProven) await prove();
      isProven = true;
    },
    close: async () => {
      for (const one of [client, patient, signer]) one.destroy();
    },
    inParts,
  };
};

/** The operation, as the SDK names it in its own URLs. */
const UPLOADING = [['x-id', 'PutObject']] as const;

/** A key and a prefix that never exist, a key to copy, which stays, and the copy that must not be made. */
const PROOF = {
  none: uploadsOf(`sub_${'0'.repeat(26)}`),
  absent: 'uploads/absent',
  source: 'uploads/proof',
  target: 'evidence/proof',
};

const connect = (settings: S3Settings, endpoint: string | undefined): S3Client => {
  const timeout = settings.timeoutMs ?? TIMEOUT_MS;
  return new S3Client({
    region: settings.region,
    forcePathStyle: settings.pathStyle,
    maxAttempts: 2,
    // WHEN_SUPPORTED would sign the checksum of no bytes into every upload URL.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(timeout, 3_000),
      requestTimeout: timeout,
      throwOnRequestTimeout: true,
      socketTimeout: timeout,
      httpAgent: { keepAlive: true, maxSockets: 64 },
      httpsAgent: { keepAlive: true, maxSockets: 64 },
    },
    ...(endpoint && { endpoint }),
    ...(settings.credentials && { credentials: settings.credentials }),
  });
};

const encodePath = (key: string): string => key.split('/').map(encodeURIComponent).join('/');

const headOf = (settings: S3Settings, output: HeadObjectCommandOutput): ObjectHead => {
  const { ContentLength: size, ETag: etag, ContentType: type } = output;
  if (size === undefined || etag === undefined) throw notS3(settings, 'it gave no size or ETag');
  return { size, etag, mimeType: givenType(type) };
};
