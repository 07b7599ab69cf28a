import { present, user, userStream } from '../domain/user.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Cause, Position } from '../kernel/event.ts';
import type { Passwords } from '../stores/passwords.ts';
import { companyNameOf, mayUsePassword, passwordLogInOff, requireGoodPassword } from './goodPassword.ts';
import type { Context } from './handle.ts';
import type { IdentityPorts } from './invite.ts';
import { load } from './load.ts';

/** `passwordLogIn`: whether others than super_admins may log in by password (PASSWORD_LOGIN). */
type Ports = Pick<IdentityPorts, 'handle' | 'log' | 'identity'> &
  Readonly<{ passwords: Passwords; passwordLogIn: boolean }>;

/** Who changes the own password in which session; `address` is where the request came from. */
type Changing = Readonly<{ userId: string; sessionId: string; address: string }>;
type Change = Readonly<{ current: string; password: string }>;

/**
 * A person's change of the own password, which ends all other sessions. Null where the current one is wrong,
 * or another change or a reset came first. Throws `PasswordLogInOff`, `NoPassword`, `PasswordRefused`.
 */
export const changePassword =
  ({ handle, log, identity, passwords, passwordLogIn }: Ports) =>
  async (
    { userId, sessionId, address }: Changing,
    { current, password }: Change,
    cause: Cause,
  ): Promise<Position | null> => {
    const { email, role, companyId, subjectId } = present(await load(log, user, userStream(userId)));
    if (!mayUsePassword(passwordLogIn, { role, subjectId })) throw passwordLogInOff();
    const passwordHash = (await identity.user(userId))?.passwordHash ?? null;
    if (passwordHash === null) throw new DomainError('NoPassword', 'There is no password to change.');
    // Before the current one is looked at: what is refused for the new one tells nothing of it.
    await requireGoodPassword(password, { email, companyName: await companyNameOf(log, companyId) });
    if (!(await passwords.verify(passwordHash, current, address))) return null;
    const next = await passwords.hash(password, address);
    let isChanged = false;
    // The row first: the event of a change that another one forestalls would be false.
    await identity.changeUser(userId, (row) => {
      isChanged = row.passwordHash === passwordHash && row.disabledAt === null;
      if (!isChanged) return null;
      const epoch = row.epoch + 1;
      return { ...row, passwordHash: next, epoch, goesOn: { sessionId, epoch } };
    });
    if (!isChanged) return null;
    const context: Context = { ...cause, actor: { kind: 'user', id: userId } };
    return (await handle(user, userStream(userId), { type: 'ChangePassword' }, context)).position;
  };
