import { StoreMisconfigured, StoreUnavailable } from '../../../kernel/errors.ts';
import { BROKEN_CONNECTION, tlsFaultOf } from '../../connectionFaults.ts';

/** The parts in use of what the S3 client throws. */
type Thrown = Readonly<{ name?: string; code?: string; $metadata?: Readonly<{ httpStatusCode?: number }> }>;

/** The key is not there. A missing bucket also answers 404, but is no answer about a key. */
export const isAbsent = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Thrown).name !== 'NoSuchBucket';

/** The key is not there, or no longer has the ETag that the request named. */
export const isAbsentOrChanged = (error: unknown): boolean => isAbsent(error) || statusOf(error) === 412;

/** What a call gives, null when it fails because the key is absent. */
export const orNull = <T>(call: Promise<T>, absent: (error: unknown) => boolean): Promise<T | null> =>
  call.catch((error) => {
    if (absent(error)) return null;
    throw error;
  });

/**
 * An error that names bucket and endpoint: `StoreUnavailable` when the same call may succeed later,
 * `StoreMisconfigured` when it will not. The client's own error is not passed on: it carries key ids and
 * signatures.
 */
export const failure = (bucket: Bucket, error: unknown): Error => {
  if (error instanceof StoreUnavailable) return error;
  const where = whereIs(bucket);
  const status = statusOf(error);
  const { name = 'unknown error', code = name } = error as Thrown;
  if (status !== undefined) return refused(where, status, code);
  if (UNREACHABLE.has(code) || UNREACHABLE.has(name))
    return new StoreUnavailable(`${where} can't be reached: ${code}`);
  if (name === 'CredentialsProviderError')
    return new StoreMisconfigured(`no credentials were found for ${where}`);
  const tlsFault = tlsFaultOf(error);
  if (tlsFault !== null)
    return new StoreMisconfigured(
      `no TLS connection to ${where}: ${tlsFault}; NODE_EXTRA_CA_CERTS names an authority of your own`,
    );
  if (code.startsWith('HPE_')) return notS3(bucket, `it does not use HTTP (${code})`);
  return error instanceof Error ? error : new Error(`${where} failed: ${code}`);
};

/** What answers there is something else. */
export const notS3 = (bucket: Bucket, how: string): StoreMisconfigured =>
  new StoreMisconfigured(`${whereIs(bucket)} is not that of an S3 store: ${how}`);

type Bucket = Readonly<{ endpoint?: string; region: string; bucket: string }>;

/** Names a bucket and its store. */
export const whereIs = ({ endpoint, region, bucket }: Bucket): string =>
  `the bucket "${bucket}" at ${endpoint ? new URL(endpoint).origin : `AWS (${region})`}`;

const refused = (where: string, status: number, code: string): Error => {
  if (status >= 500 || status === 429 || TEMPORARY.has(code))
    return new StoreUnavailable(`${where} can't answer now: ${code} (HTTP ${status})`);
  if (status === 404) return new StoreMisconfigured(`${where} does not exist`);
  if (status === 403)
    return new StoreMisconfigured(
      `${where} refuses these credentials or what they may do: ${code} (HTTP 403)`,
    );
  return new StoreMisconfigured(
    `${where} refuses the request: ${code} (HTTP ${status}); is the region right?`,
  );
};

/** Temporary faults with status 400 and 409: the body came too slowly, or the bucket is being changed. */
const TEMPORARY: ReadonlySet<string> = new Set(['RequestTimeout', 'OperationAborted']);

/** The HTTP status of an answer of the store, undefined where there was none. */
export const statusOf = (error: unknown): number | undefined => (error as Thrown).$metadata?.httpStatusCode;

const UNREACHABLE: ReadonlySet<string> = new Set([
  ...BROKEN_CONNECTION,
  ...['ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'TimeoutError', 'AbortError', 'ERR_STREAM_PREMATURE_CLOSE'],
]);
