import users from '@eventstore/db-client/generated/users_grpc_pb.js';
import messages from '@eventstore/db-client/generated/users_pb.js';
import { credentials, type ServiceError, status } from '@grpc/grpc-js';
import { StoreMisconfigured } from '../../../kernel/errors.ts';
import { type Connection, callsOn, type Line } from './connection.ts';

export type Account = Readonly<{ name: string; password: string }>;

/** What an administrator does with an account. Both throw `StoreMisconfigured` and `StoreUnavailable`. */
export type Accounts = Readonly<{
  /** Creates it, in no group, unless there is one of this name. Tells whether it is new. */
  create(account: Account): Promise<boolean>;
  /** Gives it this password, whatever it had. */
  resetPassword(account: Account): Promise<void>;
}>;

/** Accounts on the server of an administrator's connection; an answer may take `answerMs`. */
export const createAccounts = (connection: Connection, answerMs: number): Accounts => {
  const options = () => ({ deadline: Date.now() + answerMs });
  return {
    create: ({ name, password }) =>
      connection.retrying((line) => {
        const wanted = new messages.CreateReq.Options()
          .setLoginName(name)
          .setFullName('Intake')
          .setPassword(password);
        const request = new messages.CreateReq().setOptions(wanted);
        return answered((done) => usersOn(line).create(request, line.metadata, options(), done)).then(
          () => true,
          (error: unknown) => {
            if (isConflict(error)) return false;
            throw error;
          },
        );
      }),
    resetPassword: ({ name, password }) =>
      connection.retrying((line) => {
        const wanted = new messages.ResetPasswordReq.Options().setLoginName(name).setNewPassword(password);
        const request = new messages.ResetPasswordReq().setOptions(wanted);
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
