import { UPLOADS } from '../keys.ts';
import { type Answer, Refusal, xmlAnswer } from './answer.ts';
import { copyObject } from './copyObject.ts';
import { getObject } from './getObject.ts';
import { isJoin, isMultipart, joinParts, multipart } from './multipart.ts';
import { type Bucket, putObject, type Upload } from './putObject.ts';
import type { S3Request } from './request.ts';
import type { Storage } from './storage.ts';

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const MAX_KEYS = 1_000;

/** Answers a request whose signature is valid. Throws a `Refusal` for what can't be done. */
export const route = async (bucket: Bucket, request: S3Request, upload: Upload): Promise<Answer> => {
  const { storage } = bucket;
  if (request.bucket !== bucket.bucket) throw new Refusal('NoSuchBucket', 'the bucket does not exist');
  const isUpload = request.method === 'PUT' && !request.headers.has('x-amz-copy-source');
  if (isUpload && request.key !== '') return putObject(bucket, request, upload);
  if (isJoin(request)) return joinParts(bucket, request, upload);
  refuseBody(request, upload.payloadHash);
  if (isMultipart(request)) return multipart(bucket, request, upload.storedAt);
  if (request.key === '') return answerBucket(bucket, request);
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return getObject(storage, request);
    case 'PUT':
      return copyObject(storage, request, upload.storedAt);
    case 'DELETE':
      await storage.remove(request.key);
      return { status: 204, headers: {} };
    default:
      throw new Refusal('MethodNotAllowed', 'an object knows GET, HEAD, PUT and DELETE');
  }
};

const answerBucket = async ({ region, storage }: Bucket, request: S3Request): Promise<Answer> => {
  if (request.method === 'HEAD') return { status: 200, headers: { 'x-amz-bucket-region': region } };
  if (request.method === 'GET') return listObjects(storage, request);
  throw new Refusal('NotImplemented', 'of a bucket only HEAD and a list are known');
};

/** ListObjectsV2, of uploads and of what is a submission's only. */
const listObjects = async (storage: Storage, { query }: S3Request): Promise<Answer> => {
  const prefix = query.get('prefix') ?? '';
  const isOwn = /^(uploads|evidence)\/[0-9a-z]{26}\/$/.test(prefix);
  if (query.get('list-type') !== '2' || !(isOwn || prefix === UPLOADS))
    throw new Refusal('NotImplemented', `of a bucket only HEAD is known, and a list of ${UPLOADS}`);
  const limit = Number(/^[1-9]\d{0,3}$/.exec(query.get('max-keys') ?? String(MAX_KEYS))?.[0] ?? Number.NaN);
  if (!(limit <= MAX_KEYS))
    throw new Refusal('InvalidArgument', `max-keys is not a number from 1 to ${MAX_KEYS}`);
  const after = query.get('start-after') ?? '';
  const keys = isOwn
    ? (await storage.under(prefix)).filter((key) => key > after).slice(0, limit)
    : await storage.uploads(after, limit);
  return xmlAnswer(200, 'ListBucketResult', {
    Prefix: prefix,
    KeyCount: String(keys.length),
    Contents: keys.map((Key) => ({ Key })),
  });
};

const refuseBody = ({ headers }: S3Request, payloadHash: string): void => {
  if (headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0')
    throw new Refusal('InvalidRequest', 'this request takes no body');
  if (payloadHash !== 'UNSIGNED-PAYLOAD' && payloadHash !== EMPTY_SHA256)
    throw new Refusal('XAmzContentSHA256Mismatch', 'the payload hash is not that of no body');
};
