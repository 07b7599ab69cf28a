import {
  LeaseLost,
  ReadModelNotBuilt,
  StoreMisconfigured,
  StoreUnavailable,
} from '../../../kernel/errors.ts';
import { BROKEN_CONNECTION, tlsFaultOf } from '../../connectionFaults.ts';

/** The client's errors by their names and codes: its classes stay in client.ts. */
type Failure = Error &
  Readonly<{
    code?: unknown;
    /** Of what Node itself could not do for the client: open a file, resolve a name. */
    syscall?: string;
    errorLabels?: readonly string[];
    /** What a bulk write failed with. */
    errorResponse?: unknown;
    writeErrors?: readonly { code: number }[];
  }>;

/**
 * The error that callers get: `StoreUnavailable` for a server that is down, has no primary or can't write
 * now, `StoreMisconfigured` for a refused user, a missing right or a server that lacks a feature.
 * Anything else is a bug here and stays as it is.
 */
export const failureOf = (where: string, error: unknown): unknown => {
  const isOwn = [StoreMisconfigured, LeaseLost, ReadModelNotBuilt].some((one) => error instanceof one);
  if (!(error instanceof Error) || isOwn) return error;
  if (error instanceof StoreUnavailable)
    return new StoreUnavailable(`${where}: ${error.message}`, { cause: error });
  const { name, code, message, syscall = '', errorLabels = [], errorResponse, cause } = error as Failure;
  // Of what is not an answer of the server, a bulk write's error has the message alone (mongodb 7.9.0,
  // bulk/common.js).
  if (errorResponse instanceof Error && errorResponse.name !== 'MongoServerError')
    return failureOf(where, errorResponse);
  // When no server can be chosen, the cause is what was found at the only one.
  const isIncompatible = [error, cause].some(
    (one) => (one as Error | undefined)?.name === 'MongoCompatibilityError',
  );
  const isRefused = isIncompatible || (typeof code === 'number' && REFUSED.has(code));
  if (isRefused) return new StoreMisconfigured(`${where} refuses the service: ${message}`, { cause: error });
  if (syscall === 'open' || tlsFaultOf(error) !== null)
    return new StoreMisconfigured(
      `No TLS connection to ${where}: ${message}. See the files that the connection string names.`,
      { cause: error },
    );
  const isTemporary =
    syscall.startsWith('query') ||
    UNREACHABLE.test(name) ||
    // A connection that broke between two commands: the client passes on its socket's error.
    (typeof code === 'string' && BROKEN_CONNECTION.has(code)) ||
    errorLabels.includes('RetryableWriteError') ||
    (typeof code === 'number' && TEMPORARY.has(code));
  return isTemporary
    ? new StoreUnavailable(`${where} can't be used now: ${message}`, { cause: error })
    : error;
};

/** Whether every fault of a write is that a document of the same `_id` exists already. */
export const isDuplicate = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code, writeErrors } = error as Failure;
  return code === DUPLICATE && (writeErrors ?? []).every((one) => one.code === DUPLICATE);
};

/** Whether the server found that there is no such collection or index. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && [26, 27].includes(Number((error as Failure).code));

const DUPLICATE = 11_000;

const UNREACHABLE =
  /^(?:Mongo)?(ServerSelection|Network|NetworkTimeout|PoolCleared|PoolClearedOnNetwork|PoolClosed|WaitQueueTimeout|TopologyClosed|ClientClosed|NotConnected|ServerClosed|StalePrimary)Error$/;

/** Unauthorized, authentication failed, no replica set, unknown or refused commands or mechanisms. */
const REFUSED = new Set([13, 18, 8000, 20, 59, 115, 238, 334]);

/**
 * No primary or one that steps down, time-outs, a majority that can't be reached, a disk that is full, writes
 * that are blocked (setUserWriteBlockMode), faults inside; and searches that are ended, since an index or a
 * collection is dropped under them.
 */
const TEMPORARY = new Set([
  ...[1, 6, 7, 43, 50, 64, 89, 91, 100, 112, 133, 134, 175, 189, 237, 262, 9001, 10107, 11600, 11601],
  ...[371, 11602, 13435, 13436, 14031],
]);
