import { Readable } from 'node:stream';
import { ObjectDamaged } from '../../../kernel/errors.ts';
import { type Answer, Refusal, xmlAnswer } from './answer.ts';
import type { OpenObject } from './openObject.ts';
import { mimeTypeOf } from './putObject.ts';
import type { ObjectRecord } from './record.ts';
import { decode, type S3Request, splitPath } from './request.ts';
import type { Storage } from './storage.ts';

/**
 * Stores the bytes of an open object once more, even if its key is replaced or removed. Throws
 * `ObjectDamaged`, and stores nothing, when they are no longer those that its ETag was made of: a disk can
 * rot.
 */
export const copyOf = (
  storage: Storage,
  { record, bytes }: OpenObject,
  target: Pick<ObjectRecord, 'key' | 'mimeType' | 'storedAt'>,
): Promise<ObjectRecord> =>
  storage.put({
    ...target,
    body: record.size > 0 ? bytes(0, record.size - 1) : Readable.from([]),
    confirm: async (copy) => {
      if (copy.etag !== record.etag) throw new ObjectDamaged(`the stored object ${record.key} is damaged`);
    },
  });

/** PUT with x-amz-copy-source. */
export const copyObject = async (storage: Storage, request: S3Request, storedAt: string): Promise<Answer> => {
  const source = storage.open(sourceKey(request));
  if (!source) throw new Refusal('NoSuchKey', 'the source of the copy does not exist');
  try {
    const expected = request.headers.get('x-amz-copy-source-if-match');
    const { etag, mimeType } = source.record;
    if (expected !== undefined && bare(expected) !== bare(etag))
      throw new Refusal('PreconditionFailed', 'the source has another ETag');
    const replaces = request.headers.get('x-amz-metadata-directive') === 'REPLACE';
    const type = replaces ? mimeTypeOf(request) : mimeType;
    const copy = await copyOf(storage, source, { key: request.key, mimeType: type, storedAt });
    return xmlAnswer(200, 'CopyObjectResult', { LastModified: copy.storedAt, ETag: copy.etag });
  } finally {
    source.close();
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
