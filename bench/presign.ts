import { createHmac, hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../kernel/clock.ts';
import { embeddedObjects } from '../stores/objects/embedded.ts';
import type { ObjectStore, UploadTerms } from '../stores/objects/port.ts';
import { s3ObjectStore } from '../stores/objects/s3/store.ts';
import { type Scope, signingKey, stringToSign } from '../stores/objects/sigv4.ts';
import { type Cost, compare, cost, type Row } from './measure.ts';
import { optionsOf } from './options.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'presigned uploads and downloads against a hash and an HMAC of the same strings';

const GOAL = { figure: 'P5', yardstick: 'hash and HMAC of the same strings', goal: 0.5, by: 'cpu' } as const;
const COUNT = 10_000;
const REGION = 'us-east-1';
const credentials = { accessKeyId: 'intake', secretAccessKey: 'a-secret-of-forty-characters-as-at-aws' };
const key = 'uploads/01jd7x3v9q4m8k2n5p6r7s8t9v/fil_01jd7x3v9q4m8k2n5p6r7s8t9w';
const terms = { key, expiresInSeconds: 86_400 };
const uploads: Readonly<Record<string, UploadTerms>> = {
  upload: { ...terms, mimeType: 'image/jpeg', size: 123_456 },
  'upload with checksum': { ...terms, mimeType: 'image/jpeg', size: 123_456, sha256: 'ab'.repeat(32) },
};
const saved = { ...terms, expiresInSeconds: 300, fileName: 'receipt.jpg', mimeType: 'image/jpeg' };

/** Measures signed URLs of both stores; `--rounds N` (default 11). Its rows are those of P5. */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { rounds: given } = optionsOf(options, { rounds: 11 });
  const rounds = Math.max(5, given);
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  const place = { bucket: 'files', region: REGION, credentials };
  const embedded = await embeddedObjects({ ...place, folder, port: 0, clock: systemClock });
  const bucket = s3ObjectStore({ ...place, endpoint: 'http://127.0.0.1:9000', pathStyle: true });
  try {
    const rows = [];
    for (const [name, store] of Object.entries({ embedded: embedded.objects, S3: bucket }))
      for (const [what, sign] of Object.entries(signing(store))) {
        const bare = await bareOf(await sign());
        const often = () => cost(COUNT, async () => repeat(sign));
        rows.push(await compare({ ...GOAL, what: `one URL, ${name}: ${what}` }, rounds, bare, often));
      }
    return rows;
  } finally {
    await bucket.close();
    await embedded.close();
    rmSync(folder, { recursive: true });
  }
};

type Signed = Readonly<{ method: string; url: string; headers: Readonly<Record<string, string>> }>;

const signing = (store: ObjectStore): Readonly<Record<string, () => Promise<Signed>>> => ({
  ...Object.fromEntries(Object.entries(uploads).map(([what, one]) => [what, () => store.signUpload(one)])),
  download: () => store.signDownload(saved),
});

const repeat = async (sign: () => Promise<Signed>): Promise<void> => {
  for (let n = 0; n < COUNT; n += 1) await sign();
};

/**
 * The yardstick: the two strings of the signature as they are, the day's key derived before. Proves that they
 * are the same strings by the signature that they give.
 */
const bareOf = async ({ method, url, headers }: Signed): Promise<() => Promise<Cost>> => {
  const { pathname, search, host, searchParams } = new URL(url);
  const query = search.slice(1).replace(/&X-Amz-Signature=\w+$/, '');
  const sent = new Map(Object.entries({ ...headers, 'content-length': '123456', host }));
  const names = (searchParams.get('X-Amz-SignedHeaders') ?? '').split(';');
  const lines = names.map((name) => `${name}:${sent.get(name)}\n`).join('');
  const canonical = `${method}\n${pathname}\n${query}\n${lines}\n${names.join(';')}\nUNSIGNED-PAYLOAD`;
  const timestamp = searchParams.get('X-Amz-Date') ?? '';
  const scope: Scope = { date: timestamp.slice(0, 8), region: REGION, service: 's3' };
  const secret = signingKey(credentials.secretAccessKey, scope);
  const text = stringToSign(scope, timestamp, canonical);
  const once = (): string => {
    hash('sha256', canonical, 'hex');
    return createHmac('sha256', secret).update(text).digest('hex');
  };
  if (once() !== searchParams.get('X-Amz-Signature')) throw new Error('the yardstick signs another text');
  return () =>
    cost(COUNT, () => {
      for (let n = 0; n < COUNT; n += 1) once();
    });
};
