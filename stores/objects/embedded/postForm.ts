import { type Answer, Refusal } from './answer.ts';
import type { Identity } from './authenticate.ts';
import { expectedChecksums, verified } from './checksums.ts';
import { readForm } from './formBody.ts';
import { type AllowedSize, checkPolicy } from './formPolicy.ts';
import { type Bucket, contentLength, mimeTypeOf, received, type Upload } from './putObject.ts';
import { type S3Request, splitPath } from './request.ts';

/** The boundaries and headers of a form, and its fields. In bytes. */
const MAX_FORM = 1_048_576;

/** Whether a request is a form that a page sends. */
export const isForm = ({ method, headers }: S3Request): boolean =>
  method === 'POST' && /^multipart\/form-data\b/i.test(headers.get('content-type') ?? '');

/** POST of a form: its file is stored when its policy is signed and holds for every field and every byte. */
export const postForm = async (
  { bucket, storage, limits, uploadRefusal, ...identity }: Bucket & Identity,
  request: S3Request,
  { raw, storedAt, invite }: Omit<Upload, 'payloadHash'>,
  now: Date,
): Promise<Answer> => {
  if (request.bucket !== bucket) throw new Refusal('NoSuchBucket', 'the bucket does not exist');
  if (request.key !== '' || request.query.size > 0)
    throw new Refusal('MethodNotAllowed', 'a form is sent to the bucket, without a query');
  const length = contentLength(request, { ...limits, maximumBytes: limits.maximumBytes + MAX_FORM });
  invite();
  const contentType = request.headers.get('content-type') ?? '';
  const form = await readForm(received(raw, length, limits), contentType, limits.idleMs);
  try {
    const size = checkPolicy(form.fields, { ...identity, region: identity.region }, now);
    const { key } = splitPath(`/${bucket}/${form.fields.get('key') ?? ''}`);
    if (key === '') throw new Refusal('InvalidArgument', 'the form names no key');
    const asHeaders = { ...request, headers: form.fields };
    const unlessRefused = async (): Promise<void> => {
      const reason = await uploadRefusal(key);
      if (reason !== null) throw new Refusal('AccessDenied', reason);
    };
    await unlessRefused();
    const expected = expectedChecksums(asHeaders, 'UNSIGNED-PAYLOAD');
    const record = await storage.put({
      ...{ key, mimeType: mimeTypeOf(asHeaders), storedAt },
      body: verified(within(form.file, size), expected),
      confirm: async () => {
        await form.ended();
        await unlessRefused();
      },
    });
    const status = form.fields.get('success_action_status') === '200' ? 200 : 204;
    return { status, headers: { ETag: record.etag, ...(status === 200 && { 'Content-Length': '0' }) } };
  } finally {
    form.giveUp();
  }
};

/** Passes a file on, and throws a `Refusal` for one that is larger or smaller than allowed. */
async function* within(file: AsyncIterable<Buffer>, { least, most }: AllowedSize): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const bytes of file) {
    size += bytes.length;
    if (!(size <= most)) throw new Refusal('EntityTooLarge', `the file has more than ${most} bytes`);
    yield bytes;
  }
  if (!(size >= least))
    throw new Refusal('EntityTooSmall', `the file has ${size} bytes, ${least} are needed`);
}
