import { type ServiceError, status } from '@grpc/grpc-js';
import { isPassing, StoreMisconfigured, StoreUnavailable, WrongExpectedRevision } from '../../errors.ts';
import type { Endpoint } from './address.ts';

/**
 * What a failed call means: the error for the caller, whether trying again may help, whether the fault was with this call alone and not with
 * its line, and the node to turn to, where it was named.
 */
export type Failure = Readonly<{ error: Error; again: boolean; callOnly?: boolean; leader?: Endpoint }>;

/** The server is not there, gave up, or said "not now". */
export const notNow = (reason: string): StoreUnavailable =>
  new StoreUnavailable(`the event store can't be used now: ${reason}`);

/** Tells what an error of a call means. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof StoreUnavailable) return { error, again: isPassing(error) };
  if (error instanceof WrongExpectedRevision || !isServiceError(error))
    return { error: error as Error, again: false };
  const exception = error.metadata?.get('exception')[0];
  if (exception === 'not-leader')
    return { error: notNow('its leader has changed'), again: true, ...leaderOf(error) };
  const refused = refusedForGood(error, exception);
  if (refused) return refused;
  // So ends a subscription whose reader was slow (23.10).
  const callOnly = error.code === status.ABORTED;
  return { error: notNow(error.details || `status ${error.code}`), again: true, callOnly };
};

// A request that is as wrong the next time: a position of another log, a stream that was deleted for ever.
const FOR_GOOD: readonly number[] = [
  status.INVALID_ARGUMENT,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
];

const refusedForGood = (error: ServiceError, exception: unknown): Failure | null => {
  const refuse = (message: string): Failure => ({ error: new StoreMisconfigured(message), again: false });
  if (error.code === status.UNAUTHENTICATED)
    return refuse('The event store refuses the user or the password of its connection string.');
  if (error.code === status.PERMISSION_DENIED || exception === 'access-denied')
    return refuse(
      'The user of the event store lacks a right: it must read $all, and read and write streams and their metadata.',
    );
  if (error.code === status.UNIMPLEMENTED)
    return refuse('The event store lacks a function: it must be an EventStoreDB of version 23.10 or newer.');
  if (FOR_GOOD.includes(error.code))
    return { error: new Error(`the event store refuses a request: ${error.details}`), again: false };
  if (/certificate|self.signed|wrong version number|unsupported protocol/i.test(error.details))
    return refuse(
      `No TLS connection to the event store: ${error.details}. See tls and tlsCAFile in its connection string.`,
    );
  return null;
};

const leaderOf = ({ metadata }: ServiceError): Readonly<{ leader?: Endpoint }> => {
  const host = metadata.get('leader-endpoint-host')[0];
  const port = Number(metadata.get('leader-endpoint-port')[0]);
  return typeof host === 'string' && port > 0 ? { leader: { host, port } } : {};
};

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error;
