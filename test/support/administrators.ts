import * as assert from 'uvu/assert';
import { authentication } from '../../commands/authenticate.ts';
import { completions } from '../../commands/completeInvitation.ts';
import { finishInvitation } from '../../commands/finishInvitation.ts';
import { invitations } from '../../commands/invite.ts';
import { normalEmail } from '../../domain/userEmail.ts';
import { hmacId } from '../../kernel/hmac.ts';
import { createIdentity } from '../../stores/identity.ts';
import { argon2Passwords } from '../../stores/passwords.ts';
import { standingClock } from '../controls/clock.ts';
import { context, failure } from '../controls/stores.ts';
import { client, type Reply } from './client.ts';
import { openCore } from './core.ts';
import type { TestService } from './service.ts';

export const PASSWORD = 'correct horse battery staple';

let made = 0;

/**
 * People who complete invitations and log in over HTTP, and the operator's commands that they need, given on the stores beside the service as the
 * command line would (test/cli/identity.test.ts runs it). Close it in the end.
 */
export const administrators = async (service: TestService) => {
  const anybody = client(service.url, null);
  const core = await openCore(service.config);
  const emailIdOf = (email: string): string => hmacId(core.masterKey, 'email', normalEmail(email));
  const invite = (email: string, companyId: string | null = null) => {
    const role = companyId === null ? 'super_admin' : 'org_admin';
    return core.invitations.invite({ email, role, companyId }, context);
  };
  const complete = (token: string, password = PASSWORD, more: object = {}): Promise<Reply> =>
    anybody.post('/api/invitation/complete', { token, password, ...more });
  const logIn = (email: string, password = PASSWORD): Promise<Reply> =>
    anybody.post('/api/auth/sessions', { email, password });
  return {
    anybody,
    newEmail: () => `person${++made}@example.com`,
    invite,
    validate: (token: string): Promise<Reply> =>
      anybody.get(`/api/invitation/validate?token=${encodeURIComponent(token)}`),
    complete,
    logIn,
    /** A user, with what a new session of that user may call. */
    user: async (companyId: string | null = null) => {
      const email = `person${++made}@example.com`;
      const { token } = await invite(email, companyId);
      const completed = await complete(token);
      assert.is(completed.status, 201, completed.text);
      const session = async () => {
        const loggedIn = await logIn(email);
        assert.is(loggedIn.status, 201, loggedIn.text);
        return client(service.url, loggedIn.body.token);
      };
      return { email, userId: completed.body.userId as string, session, api: await session() };
    },
    /** Completes an invitation beside the service, up to where a crash cuts it short: all is decided, and the user has no row yet. */
    completeHalf: async (token: string): Promise<void> => {
      const crash = () => Promise.reject(new Error('crashed'));
      const identity = { ...createIdentity(core.documents.tables), addUser: crash };
      const ports = { ...core, identity, emailIdOf, passwords: argon2Passwords() };
      const finish = finishInvitation(ports);
      const cause = { correlationId: 'test', causationId: 'test' };
      const { complete: half } = completions({ ...ports, finish });
      const error = await failure(half({ token, password: PASSWORD, name: null }, cause));
      assert.is(error.message, 'crashed');
    },
    revoke: (invitationId: string) => core.invitations.revokeInvitation(invitationId, context),
    disable: (userId: string) => core.users.disableUser(userId, context),
    reset: (userId: string) => core.users.resetUser(userId, false, context),
    /** Invitations and log-ins of that many hours ago. */
    ago: (hours: number) => {
      const { clock } = standingClock(new Date(Date.now() - hours * 3_600_000).toISOString());
      const identity = createIdentity(core.documents.tables);
      const ports = { ...core, clock, identity, emailIdOf };
      return {
        invite: (email: string) =>
          invitations(ports).invite({ email, role: 'super_admin', companyId: null }, context),
        logIn: (email: string) =>
          authentication({ ...ports, passwords: argon2Passwords() }).logIn(email, PASSWORD),
      };
    },
    close: core.close,
  };
};
