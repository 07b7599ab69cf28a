import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Code, Refusal } from './refusal.ts';
import type { S3Request } from './request.ts';

type Tally = Readonly<{ add(bytes: Buffer): void; digest(): Buffer }>;
type Expected = Readonly<{ name: string; tally: Tally; value: Buffer; otherwise: Code }>;

/**
 * The checksums that a request binds its body to, by header, by hoisted query parameter or by its signed
 * payload hash. Throws a `Refusal` for a value that can't be one.
 */
export const expectedChecksums = (request: S3Request, payloadHash: string): readonly Expected[] => {
  const read = (name: string): string | undefined => request.headers.get(name) ?? request.query.get(name);
  const inBase64 = ([name, algorithm, invalid]: (typeof NAMED)[number]): Expected[] => {
    const text = read(name);
    if (text === undefined) return [];
    const value = Buffer.from(text, 'base64');
    if (value.length !== LENGTH[algorithm])
      throw new Refusal(invalid, `the value of ${name} is no ${algorithm} in base64`);
    return [{ name, tally: tallyOf(algorithm), value, otherwise: 'BadDigest' }];
  };
  return [...NAMED.flatMap(inBase64), ...payload(payloadHash)];
};

/** A SHA-256 in hex that a body must have, and the code of the refusal when it has another. */
const expectedSha256 = (name: string, hex: string, otherwise: Code): Expected => ({
  name,
  tally: tallyOf('sha256'),
  value: Buffer.from(hex, 'hex'),
  otherwise,
});

/** Passes a body on and throws a `Refusal` at its end when it is not the one that was expected. */
export async function* verified(
  body: AsyncIterable<Buffer>,
  expected: readonly Expected[],
): AsyncGenerator<Buffer> {
  for await (const bytes of body) {
    for (const { tally } of expected) tally.add(bytes);
    yield bytes;
  }
  const broken = expected.find(({ tally, value }) => !tally.digest().equals(value));
  if (broken) throw new Refusal(broken.otherwise, `${broken.name} is not that of the bytes received`);
}

const NAMED = [
  ['x-amz-checksum-sha256', 'sha256', 'InvalidRequest'],
  ['x-amz-checksum-sha1', 'sha1', 'InvalidRequest'],
  ['x-amz-checksum-crc32', 'crc32', 'InvalidRequest'],
  ['content-md5', 'md5', 'InvalidDigest'],
] as const;

const LENGTH = { sha256: 32, sha1: 20, crc32: 4, md5: 16 } as const;

const payload = (hash: string): readonly Expected[] => {
  if (hash === 'UNSIGNED-PAYLOAD') return [];
  if (!/^[0-9a-f]{64}$/.test(hash))
    throw new Refusal('InvalidArgument', 'x-amz-content-sha256 is no SHA-256 in hex');
  return [expectedSha256('x-amz-content-sha256', hash, 'XAmzContentSHA256Mismatch')];
};

const tallyOf = (algorithm: keyof typeof LENGTH): Tally => {
  if (algorithm === 'crc32') return cyclicRedundancy();
  const hash = createHash(algorithm);
  return { add: (bytes) => void hash.update(bytes), digest: () => hash.digest() };
};

const cyclicRedundancy = (): Tally => {
  let value = 0;
  return {
    add: (bytes) => {
      value = crc32(bytes, value);
    },
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
};
