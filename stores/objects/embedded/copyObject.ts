import { Readable } from 'node:stream';
import { type Answer, xmlAnswer } from './answer.ts';
import { expectedSha256, verified } from './checksums.ts';
import { mimeTypeOf } from './putObject.ts';
import { Refusal } from './refusal.ts';
import { decode, type S3Request, splitPath } from './request.ts';
import type { OpenObject, Storage } from './storage.ts';

/** PUT with x-amz-copy-source: the bytes that were opened are the ones copied, whatever happens to the source meanwhile. */
export const copyObject = async (storage: Storage, request: S3Request, storedAt: string): Promise<Answer> => {
  const source = await storage.open(sourceKey(request));
  if (!source) throw new Refusal('NoSuchKey', 'the source of the copy does not exist');
  try {
    const wanted = request.headers.get('x-amz-copy-source-if-match');
    const { etag, mimeType } = source.record;
    if (wanted !== undefined && bare(wanted) !== bare(etag))
      throw new Refusal('PreconditionFailed', 'the source has another ETag');
    const replaces = request.headers.get('x-amz-metadata-directive') === 'REPLACE';
    const type = replaces ? mimeTypeOf(request) : mimeType;
    const copy = await storage.put({ key: request.key, mimeType: type, storedAt, body: wholeOf(source) });
    return xmlAnswer(200, 'CopyObjectResult', { LastModified: copy.storedAt, ETag: copy.etag });
  } finally {
    await source.close();
  }
};

const bare = (etag: string): string => etag.replaceAll('"', '');

const sourceKey = (request: S3Request): string => {
  const text = request.headers.get('x-amz-copy-source') ?? '';
  if (text.includes('?')) throw new Refusal('NotImplemented', 'versions are not kept');
  const { bucket, key } = splitPath(decode(text.startsWith('/') ? text : `/${text}`));
  if (bucket !== request.bucket)
    throw new Refusal('NoSuchBucket', 'the source is in no bucket of this endpoint');
  return key;
};

/** The bytes, which must still be those that the ETag was made of: a disk can rot. */
const wholeOf = ({ record, bytes }: OpenObject): AsyncIterable<Buffer> => {
  const expected = expectedSha256('the ETag', bare(record.etag), 'InternalError');
  return verified(record.size > 0 ? bytes(0, record.size - 1) : Readable.from([]), [expected]);
};
