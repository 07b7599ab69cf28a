import { setTimeout as sleep } from 'node:timers/promises';
import users from '@eventstore/db-client/generated/users_grpc_pb.js';
import messages from '@eventstore/db-client/generated/users_pb.js';
import { credentials, type ServiceError, status } from '@grpc/grpc-js';
import { StoreMisconfigured } from '../../../kernel/errors.ts';
import type { Address } from './address.ts';
import { createAppender } from './appender.ts';
import { type Connection, callsOn, connect, type Line } from './connection.ts';
import { changeMetadata, type Members, membersOf } from './metadata.ts';
import { createReader, type Reader } from './reader.ts';

type Account = Readonly<{ name: string; password: string }>;

/** `address` is an administrator's. `answerMs`: how long an answer may take (default 3 s). */
type Options = Readonly<{ address: Address; account: Account; answerMs?: number }>;

/** What was done. */
type Outcome = Readonly<{
  user: 'created' | 'given this password' | 'unchanged';
  right: 'given' | 'unchanged';
}>;

/**
 * Makes a user in no group who may read `$all`, whatever was there: one with another password is given this
 * one, and readers of `$all` that others have named stay. Password and right are then tried. Throws
 * `StoreMisconfigured` and `StoreUnavailable`.
 */
export const makeServiceUser = async ({ address, account, answerMs = 3_000 }: Options): Promise<Outcome> => {
  const closing = new AbortController();
  const { signal: closed } = closing;
  const admin = connect({ address, answerMs, closed });
  const service = connect({ address: { ...address, user: account }, answerMs, closed });
  const accounts = createAccounts(admin, answerMs);
  const appender = createAppender({ connection: admin, answerMs, inFlight: 1 });
  const reader = createReader(admin, answerMs);
  const logIn = () => service.retrying(async () => undefined);
  try {
    const isNew = await accounts.create(account);
    const isOther = !isNew && (await refusalOf(logIn)) !== null;
    if (isOther) await accounts.resetPassword(account);
    await untilAllowed(logIn, `The user ${account.name} can't log in with its new password: is it disabled?`);
    const change = withReader(account.name, await defaultReaders(reader));
    const isGiven = await changeMetadata({ reader, appender }, '$all', change);
    const readAll = () => createReader(service, answerMs).newestOfAll(() => true);
    await untilAllowed(readAll, `The user ${account.name} may not read $all though its metadata allow it.`);
    return {
      user: isNew ? 'created' : isOther ? 'given this password' : 'unchanged',
      right: isGiven ? 'given' : 'unchanged',
    };
  } finally {
    closing.abort();
    appender.close();
  }
};

/** What an administrator does with accounts. Both throw `StoreMisconfigured` and `StoreUnavailable`. */
const createAccounts = (connection: Connection, answerMs: number) => {
  const options = () => ({ deadline: Date.now() + answerMs });
  return {
    /** Creates it, in no group, unless there is one of this name; whether it is new. */
    create: ({ name, password }: Account): Promise<boolean> =>
      connection.retrying((line) => {
        const account = new messages.CreateReq.Options()
          .setLoginName(name)
          .setFullName('Intake')
          .setPassword(password);
        const request = new messages.CreateReq().setOptions(account);
        return answered((done) => usersOn(line).create(request, line.metadata, options(), done)).then(
          () => true,
          (error: unknown) => {
            if (isConflict(error)) return false;
            throw error;
          },
        );
      }),
    /** Gives it this password, whatever it had. */
    resetPassword: ({ name, password }: Account): Promise<void> =>
      connection.retrying((line) => {
        const account = new messages.ResetPasswordReq.Options().setLoginName(name).setNewPassword(password);
        const request = new messages.ResetPasswordReq().setOptions(account);
        return answered((done) => usersOn(line).resetPassword(request, line.metadata, options(), done));
      }),
  };
};

/** The service of users, by the line's own connection. */
const usersOn = (line: Line) =>
  new users.UsersClient('', credentials.createInsecure(), { channelOverride: callsOn(line).getChannel() });

const answered = (call: (done: (error: ServiceError | null) => void) => unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    call((error) => {
      if (!error) resolve();
      else if (error.code === status.PERMISSION_DENIED) reject(new StoreMisconfigured(NO_ADMINISTRATOR));
      else reject(error);
    });
  });

const NO_ADMINISTRATOR = 'The user of the connection string is no administrator: it may not manage users.';

/** The server names a write that it could not finish alike, but with another status. */
const isConflict = (error: unknown): boolean => {
  const { code, metadata } = error as Partial<ServiceError>;
  return code === status.FAILED_PRECONDITION && metadata?.get('exception')[0] === 'user-conflict';
};

/** Why the server does not allow something; null when it does. */
const refusalOf = async (attempt: () => Promise<unknown>): Promise<StoreMisconfigured | null> => {
  try {
    await attempt();
    return null;
  } catch (error) {
    if (error instanceof StoreMisconfigured) return error;
    throw error;
  }
};

// A server caches logins: a new password takes effect a second or more later.
const LATE_MS = 10_000;
const PAUSE_MS = 100;

const untilAllowed = async (attempt: () => Promise<unknown>, otherwise: string): Promise<void> => {
  const end = performance.now() + LATE_MS;
  for (;;) {
    const cause = await refusalOf(attempt);
    if (!cause) return;
    if (performance.now() > end) throw new StoreMisconfigured(otherwise, { cause });
    await sleep(PAUSE_MS);
  }
};

/** Who may read `$all` by default: administrators, unless the server's settings name others. */
const defaultReaders = async (reader: Reader): Promise<unknown> => {
  const newest = await reader.newest('$settings');
  const settings = newest ? membersOf(newest, 'the settings of the server') : {};
  return aclOf(settings.$systemStreamAcl).$r ?? '$admins';
};

const withReader =
  (name: string, defaults: unknown) =>
  (members: Members): Members | null => {
    const acl = aclOf(members.$acl);
    const readers: readonly unknown[] = [acl.$r ?? defaults].flat();
    if (readers.includes(name) || readers.includes(EVERYBODY)) return null;
    return { ...members, $acl: { ...acl, $r: [...readers, name] } };
  };

const EVERYBODY = '$all';

const aclOf = (member: unknown): Members =>
  typeof member === 'object' && member !== null ? (member as Members) : {};
