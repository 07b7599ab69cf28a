import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Code, Refusal } from './answer.ts';
import type { S3Request } from './request.ts';

type Checksum = Readonly<{ update(bytes: Buffer): unknown; digest(): Buffer }>;
type Expected = Readonly<{ name: string; checksum: Checksum; value: Buffer; otherwise: Code }>;

const NAMED = [
  { name: 'x-amz-checksum-sha256', algorithm: 'sha256', bytes: 32, invalid: 'InvalidRequest' },
  { name: 'x-amz-checksum-sha1', algorithm: 'sha1', bytes: 20, invalid: 'InvalidRequest' },
  { name: 'x-amz-checksum-crc32', algorithm: 'crc32', bytes: 4, invalid: 'InvalidRequest' },
  { name: 'content-md5', algorithm: 'md5', bytes: 16, invalid: 'InvalidDigest' },
] as const;

/**
 * The checksums that a request binds its body to, by header, by hoisted query parameter or by its signed
 * payload hash. Throws a `Refusal` for a value that can't be one.
 */
export const expectedChecksums = (request: S3Request, payloadHash: string): readonly Expected[] => {
  const named = NAMED.flatMap(({ name, algorithm, bytes, invalid }): Expected[] => {
    const text = request.headers.get(name) ?? request.query.get(name);
    if (text === undefined) return [];
    const value = Buffer.from(text, 'base64');
    if (value.length !== bytes)
      throw new Refusal(invalid, `the value of ${name} is no ${algorithm} in base64`);
    const checksum = algorithm === 'crc32' ? crc32Checksum() : createHash(algorithm);
    return [{ name, checksum, value, otherwise: 'BadDigest' }];
  });
  if (payloadHash === 'UNSIGNED-PAYLOAD') return named;
  const name = 'x-amz-content-sha256';
  if (!/^[0-9a-f]{64}$/.test(payloadHash))
    throw new Refusal('InvalidArgument', `${name} is no SHA-256 in hex`);
  const value = Buffer.from(payloadHash, 'hex');
  return [...named, { name, checksum: createHash('sha256'), value, otherwise: 'XAmzContentSHA256Mismatch' }];
};

/** Passes a body on and throws a `Refusal` at its end when it is not the one that was expected. */
export async function* verified(
  body: AsyncIterable<Buffer>,
  expected: readonly Expected[],
): AsyncGenerator<Buffer> {
  for await (const bytes of body) {
    for (const { checksum } of expected) checksum.update(bytes);
    yield bytes;
  }
  const broken = expected.find(({ checksum, value }) => !checksum.digest().equals(value));
  if (broken) throw new Refusal(broken.otherwise, `${broken.name} is not that of the bytes received`);
}

const crc32Checksum = (): Checksum => {
  let value = 0;
  return {
    update: (bytes) => {
      value = crc32(bytes, value);
    },
    digest: () => Buffer.from(value.toString(16).padStart(8, '0'), 'hex'),
  };
};
