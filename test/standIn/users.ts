import type { IUsersServer } from '@eventstore/db-client/generated/users_grpc_pb.js';
import messages from '@eventstore/db-client/generated/users_pb.js';
import { type Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { accessDenied, failed, unauthenticated } from './answers.ts';
import type { Log } from './log.ts';

export type User = Readonly<{ name: string; password: string }>;

/**
 * Who may do what: one administrator, and the users that are made through it. Without an administrator
 * everybody may do all.
 */
export type Users = Readonly<{
  admin: string | null;
  passwords: Map<string, string>;
  /** Passwords that were reset are taken after so many log-ins with what was there before. */
  late: { logIns: number };
}>;

export const usersFor = (admin: User | null): Users => ({
  admin: admin?.name ?? null,
  passwords: new Map(admin ? [[admin.name, admin.password]] : []),
  late: { logIns: 0 },
});

/** Why somebody may not come in, if they may not. */
export const refusalOfLogin = (users: Users, metadata: Metadata): StatusObject | null => {
  if (users.admin === null) return null;
  const { name, password } = callerOf(metadata);
  if (users.passwords.get(name) !== password) return unauthenticated();
  if (name !== users.admin && users.late.logIns > 0) {
    users.late.logIns -= 1;
    return unauthenticated();
  }
  return null;
};

/** Whether somebody may read `$all`: administrators may, and who its metadata name. */
export const mayReadAll = ({ admin }: Users, log: Log, metadata: Metadata): boolean => {
  const { name } = callerOf(metadata);
  if (admin === null || name === admin) return true;
  const newest = log.stream('$$$all').at(-1);
  const { $acl } = JSON.parse(Buffer.from(newest?.data ?? []).toString() || '{}') as {
    $acl?: { $r?: string | readonly string[] };
  };
  return [$acl?.$r ?? '$admins'].flat().some((role) => role === name || role === '$all');
};

/** The service of users, for administrators. */
export const usersService = (users: Users): IUsersServer => {
  const unimplemented = (_call: unknown, callback: (error: StatusObject) => void): void =>
    callback(failed(status.UNIMPLEMENTED, 'not part of the stand-in'));
  const refusal = (metadata: Metadata): StatusObject | null =>
    refusalOfLogin(users, metadata) ?? (callerOf(metadata).name === users.admin ? null : accessDenied());
  return {
    create: ({ request, metadata }, callback) => {
      const name = request.getOptions()?.getLoginName() ?? '';
      const conflict = users.passwords.has(name) ? conflictOf(name) : null;
      const refused = refusal(metadata) ?? conflict;
      if (!refused) users.passwords.set(name, request.getOptions()?.getPassword() ?? '');
      callback(refused, refused ? null : new messages.CreateResp());
    },
    resetPassword: ({ request, metadata }, callback) => {
      const refused = refusal(metadata);
      const options = request.getOptions();
      if (!refused && options) users.passwords.set(options.getLoginName(), options.getNewPassword());
      callback(refused, refused ? null : new messages.ResetPasswordResp());
    },
    details: (call) => call.emit('error', failed(status.UNIMPLEMENTED, 'not part of the stand-in')),
    update: unimplemented,
    delete: unimplemented,
    disable: unimplemented,
    enable: unimplemented,
    changePassword: unimplemented,
  };
};

const conflictOf = (name: string): StatusObject =>
  failed(status.FAILED_PRECONDITION, 'Conflict.', { exception: 'user-conflict', 'login-name': name });

const callerOf = (metadata: Metadata): User => {
  const [, encoded = ''] = String(metadata.get('authorization')[0] ?? '').split(' ');
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return { name, password: password.join(':') };
};
