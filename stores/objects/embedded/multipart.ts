import { UPLOADS } from '../keys.ts';
import type { UnfinishedUpload } from '../port.ts';
import { type Answer, noSuchUpload, Refusal, xmlAnswer } from './answer.ts';
import { expectedChecksums, verified } from './checksums.ts';
import { PartsChanged } from './partsFolder.ts';
import { type Bucket, contentLength, mimeTypeOf, received, type Upload } from './putObject.ts';
import type { S3Request } from './request.ts';
import type { Storage } from './storage.ts';

/** More than a list of all parts has. */
const MAX_LIST_BYTES = 4_194_304;
const MAX_UPLOADS = 1_000;

/** Whether a request is about an upload in parts. */
export const isMultipart = ({ query }: S3Request): boolean =>
  ['uploads', 'uploadId', 'partNumber'].some((name) => query.has(name));

/** Whether a request joins an upload in parts, whose list of parts is its body. */
export const isJoin = ({ method, query }: S3Request): boolean => method === 'POST' && query.has('uploadId');

/** Begins, lists and drops uploads in parts; the service itself does so without requests. */
export const multipart = async (bucket: Bucket, request: S3Request, storedAt: string): Promise<Answer> => {
  const { storage } = bucket;
  const { method, key, query } = request;
  if (key === '') return listUploads(bucket, request);
  if (method === 'POST' && query.has('uploads')) {
    const uploadId = await storage.parts.begin({
      ...{ key, mimeType: mimeTypeOf(request), storedAt },
    });
    return xmlAnswer(200, 'InitiateMultipartUploadResult', {
      Bucket: request.bucket,
      Key: key,
      UploadId: uploadId,
    });
  }
  const unfinished = { key, uploadId: query.get('uploadId') ?? '' };
  switch (method) {
    case 'GET':
      return listParts(storage, unfinished);
    case 'DELETE':
      if (!(await storage.parts.drop(unfinished))) throw noSuchUpload();
      return { status: 204, headers: {} };
    default:
      throw new Refusal('MethodNotAllowed', 'an upload in parts knows GET, POST, PUT and DELETE');
  }
};

const listParts = async (storage: Storage, upload: UnfinishedUpload): Promise<Answer> => {
  const parts = await storage.parts.list(upload);
  if (parts === null) throw noSuchUpload();
  return xmlAnswer(200, 'ListPartsResult', {
    ...{ Key: upload.key, UploadId: upload.uploadId, IsTruncated: 'false' },
    Part: parts.map(({ partNumber, size, etag }) => ({
      ...{ PartNumber: String(partNumber), Size: String(size), ETag: etag },
    })),
  });
};

const listUploads = async ({ storage }: Bucket, { method, query }: S3Request): Promise<Answer> => {
  const limit = Number(
    /^[1-9]\d{0,3}$/.exec(query.get('max-uploads') ?? String(MAX_UPLOADS))?.[0] ?? Number.NaN,
  );
  if (method !== 'GET' || !(limit <= MAX_UPLOADS))
    throw new Refusal('InvalidArgument', `max-uploads is a number from 1 to ${MAX_UPLOADS}`);
  const [prefix, after] = [query.get('prefix') ?? UPLOADS, query.get('key-marker') ?? ''];
  const found = await storage.parts.unfinished(prefix, after, limit);
  return xmlAnswer(200, 'ListMultipartUploadsResult', {
    Upload: found.map(({ key, uploadId }) => ({ Key: key, UploadId: uploadId })),
  });
};

/** Makes an object of the parts that a request lists. */
export const joinParts = async (
  { storage, limits }: Bucket,
  request: S3Request,
  { raw, payloadHash, storedAt, invite }: Upload,
): Promise<Answer> => {
  const upload = { key: request.key, uploadId: request.query.get('uploadId') ?? '' };
  const length = contentLength(request, { ...limits, maximumBytes: MAX_LIST_BYTES });
  invite();
  const body: Buffer[] = [];
  for await (const bytes of verified(received(raw, length, limits), expectedChecksums(request, payloadHash)))
    body.push(bytes);
  const object = storage.parts.joined(upload, listedParts(Buffer.concat(body).toString()));
  if (object === null) throw noSuchUpload();
  const record = await storage.put({ key: upload.key, storedAt, ...object }).catch((error) => {
    throw error instanceof PartsChanged ? new Refusal('InvalidPart', error.message) : error;
  });
  await storage.parts.drop(upload);
  return xmlAnswer(200, 'CompleteMultipartUploadResult', { Key: upload.key, ETag: record.etag });
};

const listedParts = (xml: string) =>
  [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    partNumber: Number(/<PartNumber>(\d{1,5})<\/PartNumber>/.exec(part)?.[1]),
    etag: `"${/<ETag>(?:"|&quot;)?([0-9a-f]+)(?:"|&quot;)?<\/ETag>/.exec(part)?.[1]}"`,
  }));
