import { UPLOADS } from '../keys.ts';
import { type Answer, xmlAnswer } from './answer.ts';
import { Refusal } from './refusal.ts';
import type { S3Request } from './request.ts';
import type { Storage } from './storage.ts';

const MAX_KEYS = 1_000;

/**
 * GET of the bucket (ListObjectsV2): keys of uploads, in order. Throws `NotImplemented` for any other prefix.
 */
export const listObjects = async (storage: Storage, { query }: S3Request): Promise<Answer> => {
  if (query.get('list-type') !== '2' || query.get('prefix') !== UPLOADS)
    throw new Refusal('NotImplemented', `of a bucket only HEAD is known, and a list of ${UPLOADS}`);
  const limit = Number(/^[1-9]\d{0,3}$/.exec(query.get('max-keys') ?? String(MAX_KEYS))?.[0] ?? Number.NaN);
  if (!(limit <= MAX_KEYS))
    throw new Refusal('InvalidArgument', `max-keys is not a number from 1 to ${MAX_KEYS}`);
  const keys = await storage.uploads(query.get('start-after') ?? '', limit);
  return xmlAnswer(200, 'ListBucketResult', {
    Prefix: UPLOADS,
    KeyCount: String(keys.length),
    Contents: keys.map((Key) => ({ Key })),
  });
};
