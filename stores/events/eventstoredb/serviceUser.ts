import { setTimeout as sleep } from 'node:timers/promises';
import type { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb.js';
import users from '@eventstore/db-client/generated/users_grpc_pb.js';
import messages from '@eventstore/db-client/generated/users_pb.js';
import { credentials, type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { StoreMisconfigured } from '../../../kernel/errors.ts';
import type { Address } from './address.ts';
import { createAppender } from './appender.ts';
import { type Connection, callsOn, connect, type Line } from './connection.ts';
import { changeMetadata, type Members, membersOf } from './metadata.ts';
import { createReader, type Reader } from './reader.ts';

type Account = Readonly<{ name: string; password: string }>;

const ANSWER_MS = 3_000;

/**
 * Makes a user in no group who may read `$all`, at an administrator's address, whatever was there: one with
 * another password is given this one, and readers of `$all` that others have named stay. Password and right
 * are then tried. Gives what was done, for people. Throws `StoreMisconfigured` and `StoreUnavailable`.
 */
export const makeServiceUser = async (address: Address, account: Account): Promise<string> => {
  const { name } = account;
  const closing = new AbortController();
  const { signal: closed } = closing;
  const admin = connect({ address, answerMs: ANSWER_MS, closed });
  const service = connect({ address: { ...address, user: account }, answerMs: ANSWER_MS, closed });
  const appender = createAppender({ connection: admin, answerMs: ANSWER_MS, inFlight: 1 });
  const reader = createReader(admin, ANSWER_MS);
  const logIn = () => service.retrying(async () => undefined);
  try {
    const isNew = await createAccount(admin, account);
    const hasOther = !isNew && (await refusalOf(logIn)) !== null;
    if (hasOther) await resetPassword(admin, account);
    await untilAllowed(logIn, `The user ${name} can't log in with its new password: is it disabled?`);
    const change = withReader(name, await defaultReaders(reader));
    const isGiven = await changeMetadata({ reader, appender }, '$all', change);
    const readAll = () => createReader(service, ANSWER_MS).newestOfAll(() => true);
    await untilAllowed(readAll, `The user ${name} may not read $all though its metadata allow it.`);
    const right = isGiven ? 'from now on, beside those who might already' : 'already';
    return `The user ${name} ${isNew ? CREATED : hasOther ? CHANGED : UNCHANGED}. It may read $all ${right}.`;
  } finally {
    closing.abort();
    appender.close();
  }
};

const CREATED = 'has been created';
const CHANGED = 'had another password: it has been given that of EVENTSTOREDB_PASSWORD';
const UNCHANGED = 'is there already, with this password';

/** Creates an account, in no group, unless there is one of this name; whether it is new. */
const createAccount = (admin: Connection, { name, password }: Account): Promise<boolean> => {
  const account = new messages.CreateReq.Options()
    .setLoginName(name)
    .setFullName('Intake')
    .setPassword(password);
  const request = new messages.CreateReq().setOptions(account);
  const create = (line: Line) => sendOn(line, (client, ...rest) => client.create(request, ...rest));
  return admin.retrying((line) =>
    create(line).then(
      () => true,
      (error: unknown) => {
        if (isConflict(error)) return false;
        throw error;
      },
    ),
  );
};

/** Gives an account this password, whatever it had. */
const resetPassword = (admin: Connection, { name, password }: Account): Promise<void> => {
  const account = new messages.ResetPasswordReq.Options().setLoginName(name).setNewPassword(password);
  const request = new messages.ResetPasswordReq().setOptions(account);
  return admin.retrying((line) => sendOn(line, (client, ...rest) => client.resetPassword(request, ...rest)));
};

type Rest = [Metadata, Readonly<{ deadline: number }>, (error: ServiceError | null) => void];

/** Sends a request to the service of users, by the line's own connection. */
const sendOn = (line: Line, send: (client: UsersClient, ...rest: Rest) => unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    const channel = callsOn(line).getChannel();
    const client = new users.UsersClient('', credentials.createInsecure(), { channelOverride: channel });
    send(client, line.metadata, { deadline: Date.now() + ANSWER_MS }, (error) => {
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
