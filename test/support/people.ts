import * as assert from 'uvu/assert';
import { authentication } from '../../commands/authenticate.ts';
import { completions } from '../../commands/completeInvitation.ts';
import { finishInvitation } from '../../commands/finishInvitation.ts';
import { invitations } from '../../commands/invite.ts';
import { normalEmail } from '../../domain/userEmail.ts';
import { createBackground } from '../../kernel/background.ts';
import type { Role } from '../../kernel/scope.ts';
import { createIdentity, type SessionKind, type UserRow } from '../../stores/identity.ts';
import { argon2Passwords } from '../../stores/passwords.ts';
import { standingClock } from '../controls/clock.ts';
import { shown } from '../controls/identity.ts';
import { context, failure, operatorContext } from '../controls/stores.ts';
import { condemn } from '../harness.ts';
import { client, type Reply } from './client.ts';
import { openCore } from './core.ts';
import type { TestService } from './service.ts';

export const PASSWORD = 'correct horse battery staple';

let made = 0;

/**
 * People who complete invitations and log in over HTTP, and the operator's commands that they need, given on
 * the stores beside the service as the command line would (test/cli/identity.test.ts runs it). Close it in
 * the end.
 */
export const peopleOf = async (service: Pick<TestService, 'url' | 'config'>) => {
  const anybody = client(service.url, null);
  const core = await openCore(service.config);
  const background = createBackground((error) => condemn(error as Error));
  const emailIdOf = (email: string): string => core.nameOf('email', normalEmail(email));
  const invite = (
    email: string,
    companyId: string | null = null,
    role: Role = companyId === null ? 'super_admin' : 'org_admin',
  ) => shown(core.invitations.invite({ email, role, companyId }, context));
  const complete = (token: string, password = PASSWORD, more: object = {}): Promise<Reply> =>
    anybody.post('/api/invitation/complete', { token, password, ...more });
  const logIn = (email: string, password = PASSWORD, more: object = {}, headers = {}): Promise<Reply> =>
    anybody.post('/api/auth/sessions', { email, password, ...more }, { headers });
  return {
    anybody,
    password: PASSWORD,
    log: core.log,
    /** The store's leases, under other names than the service's own. */
    leases: core.documents.leases,
    /** Changes a user's row, as another node does. */
    changeRow: (userId: string, members: Partial<UserRow>) =>
      createIdentity(core.documents.tables).changeUser(userId, (row) => ({ ...row, ...members })),
    newEmail: () => `person${++made}@example.com`,
    invite,
    validate: (token: string): Promise<Reply> =>
      anybody.get(`/api/invitation/validate?token=${encodeURIComponent(token)}`),
    complete,
    logIn,
    /**
     * A user, with what a new session of that user may call, by token (`session`, `api`) or by cookie
     * (`page`).
     */
    user: async (companyId: string | null = null, role?: Role, name: string | null = null) => {
      const email = `person${++made}@example.com`;
      const { token } = await invite(email, companyId, role);
      const completed = await complete(token, PASSWORD, { name });
      assert.is(completed.status, 201, completed.text);
      const session = async () => {
        const loggedIn = await logIn(email);
        assert.is(loggedIn.status, 201, loggedIn.text);
        return client(service.url, loggedIn.body.token);
      };
      const page = async (headers = {}) => {
        const loggedIn = await logIn(email, PASSWORD, { session: 'cookie' }, headers);
        assert.is(loggedIn.status, 201, loggedIn.text);
        return pageOf(service.url, loggedIn);
      };
      return { email, userId: completed.body.userId as string, session, page, api: await session() };
    },
    /**
     * Completes an invitation beside the service, up to where a crash cuts it short: all is decided, and the
     * user has no row yet.
     */
    completeHalf: async (token: string): Promise<void> => {
      const crash = () => Promise.reject(new Error('crashed'));
      const identity = { ...createIdentity(core.documents.tables), addUser: crash };
      const ports = { ...core, identity, emailIdOf, passwords: argon2Passwords() };
      const finish = finishInvitation(ports);
      const cause = { correlationId: 'test', causationId: 'test' };
      const { complete: half } = completions({ ...ports, finish, passwordLogIn: true });
      const error = await failure(half({ token, password: PASSWORD, name: null }, cause));
      assert.is(error.message, 'crashed');
    },
    /** Completes an invitation beside the service, as it would be while PASSWORD_LOGIN is on. */
    completeBefore: (token: string) => {
      const ports = { ...core, identity: createIdentity(core.documents.tables), emailIdOf };
      const passwords = argon2Passwords();
      const finish = finishInvitation(ports);
      const before = completions({ ...ports, passwords, finish, passwordLogIn: true });
      return before.complete({ token, password: PASSWORD, name: null }, context);
    },
    revoke: (invitationId: string) => core.invitations.revokeInvitation(invitationId, context),
    disable: (userId: string) => core.users.disableUser(userId, operatorContext),
    reset: (userId: string) => shown(core.users.resetUser(userId, false, operatorContext)),
    /** Invitations and log-ins of that many hours ago. */
    ago: (hours: number) => {
      const { clock } = standingClock(new Date(Date.now() - hours * 3_600_000).toISOString());
      const identity = createIdentity(core.documents.tables);
      const ports = { ...core, clock, identity, emailIdOf };
      return {
        invite: (email: string) =>
          shown(invitations(ports).invite({ email, role: 'super_admin', companyId: null }, context)),
        logIn: (email: string, kind: SessionKind = 'token') =>
          authentication({ ...ports, passwords: argon2Passwords(), background, passwordLogIn: true }).logIn(
            email,
            PASSWORD,
            { kind, address: '192.0.2.1', agent: 'curl' },
            context,
            () => undefined,
          ),
      };
    },
    close: core.close,
  };
};

/**
 * What a page of the service may call after this log-in: its cookie, and its CSRF token unless it is told to
 * leave it out.
 */
const pageOf = (url: string, { headers, body }: Reply) => {
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const { csrfToken } = body as { csrfToken: string };
  const api = client(url, { cookie, 'x-csrf-token': csrfToken });
  return { cookie, csrfToken, api, withoutToken: client(url, { cookie }) };
};
