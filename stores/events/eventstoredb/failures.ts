import { type ServiceError, status } from '@grpc/grpc-js';
import {
  isPassing,
  StoreMisconfigured,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../../kernel/errors.ts';
import type { Endpoint } from './address.ts';

/**
 * What a failed call means: the error for the caller, whether trying again may help, whether the fault was
 * with this call alone and not with its line, and the node to turn to, where it was named.
 */
export type Failure = Readonly<{ error: Error; again: boolean; callOnly?: boolean; leader?: Endpoint }>;

/** The target of a call: a node as host:port, and whether in the name of a user. */
export type CallTarget = Readonly<{ node: string; asUser: boolean }>;

/** The server is down, gave up, or refused for now. */
export const notNow = (reason: string): StoreUnavailable =>
  new StoreUnavailable(`the event store can't be used now: ${reason}`);

/** A node has not answered. */
export const noAnswer = ({ node }: Pick<CallTarget, 'node'>, answerMs: number): StoreUnavailable =>
  notNow(`${node} gave no answer within ${answerMs} ms`);

/** A right is missing, or a user that could have it. */
export const denied = ({ asUser }: Pick<CallTarget, 'asUser'>, may: string): StoreMisconfigured =>
  new StoreMisconfigured(
    asUser
      ? `The user of the event store lacks a right: it must ${may}.`
      : `The event store is given no user that could ${may}: its connection string needs user:password@, and TLS.`,
  );

/** What an error of a call to a node means. */
export const failureOf = (error: unknown, target: CallTarget): Failure => {
  if (error instanceof StoreUnavailable) return { error, again: isPassing(error) };
  if (error instanceof WrongExpectedRevision || !isServiceError(error))
    return { error: error as Error, again: false };
  const exception = error.metadata?.get('exception')[0];
  if (exception === 'not-leader')
    return { error: notNow(`${target.node} is no longer its leader`), again: true, ...leaderOf(error) };
  const permanent = permanentError(error, exception, target);
  if (permanent) return { error: permanent, again: false };
  // So ends a subscription whose reader was slow (23.10).
  const callOnly = error.code === status.ABORTED;
  return { error: notNow(`${target.node}: ${reasonOf(error)}`), again: true, callOnly };
};

/** gRPC's text of a deadline includes all that happened until then. */
const reasonOf = ({ code, details }: ServiceError): string =>
  code === status.DEADLINE_EXCEEDED ? 'no answer in time' : details || `status ${code}`;

// A request that stays wrong: a position of another log, a stream that was deleted for ever.
const FOR_GOOD: readonly number[] = [
  status.INVALID_ARGUMENT,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
];

const REFUSED: readonly number[] = [status.UNAUTHENTICATED, status.PERMISSION_DENIED];

/** The error for what waiting does not mend, null for any other. */
const permanentError = (error: ServiceError, exception: unknown, target: CallTarget): Error | null => {
  const { code, details } = error;
  if (code === status.UNAUTHENTICATED && target.asUser)
    return new StoreMisconfigured(
      'The event store refuses the user or the password of its connection string.',
    );
  if (REFUSED.includes(code) || exception === 'access-denied')
    return denied(target, 'read $all, and read and write streams and their metadata');
  if (code === status.UNIMPLEMENTED)
    return new StoreMisconfigured(
      'The event store lacks a function: it must be an EventStoreDB of version 23.10 or newer.',
    );
  if (FOR_GOOD.includes(code)) return new Error(`the event store refuses a request: ${details}`);
  if (/certificate|self.signed|wrong version number|unsupported protocol/i.test(details))
    return new StoreMisconfigured(
      `No TLS connection to the event store at ${target.node}: ${details}. See tls and tlsCAFile in its connection string.`,
    );
  return null;
};

const leaderOf = ({ metadata }: ServiceError): Readonly<{ leader?: Endpoint }> => {
  const host = metadata.get('leader-endpoint-host')[0];
  const port = Number(metadata.get('leader-endpoint-port')[0]);
  return typeof host === 'string' && port > 0 ? { leader: { host, port } } : {};
};

/** Whether the server refused the caller. */
export const isRefusal = (error: unknown): boolean => isServiceError(error) && REFUSED.includes(error.code);

/** Whether a server listened, and no connection could be made all the same. */
export const isUnconnected = (error: unknown): error is ServiceError =>
  isServiceError(error) && error.code === status.UNAVAILABLE && !NO_LISTENER.test(error.details);

/** Node's codes for a connection that no server accepted. */
const NO_LISTENER = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/;

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error;
