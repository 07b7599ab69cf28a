import type { authentication } from '../../commands/authenticate.ts';
import { Type } from '../../kernel/schema.ts';
import { LoggedIn, LogIn } from '../../schemas/identity.ts';
import { type AuthFailures, countedAttempt } from '../engine/access/rateLimits.ts';
import { Problem } from '../engine/problems/problem.ts';
import { type Route, route } from '../engine/route.ts';

type AuthPorts = Readonly<{
  administrators: ReturnType<typeof authentication>;
  authFailures: AuthFailures;
}>;

/** Log-in and log-out of administrators (logins-1). */
export const authRoutes = ({ administrators, authFailures }: AuthPorts): readonly Route[] => [
  route({
    name: 'logIn',
    summary: 'Log an administrator in',
    description:
      'The session token is shown once. It is valid for twelve hours, or until the log-out, a reset of the password, or the user is disabled.',
    method: 'POST',
    path: '/api/auth/sessions',
    access: 'none',
    body: LogIn,
    answers: { 201: LoggedIn },
    refusals: ['login-failed', 'rate-limited'],
  })({
    run: async ({ body: { email, password }, address }) => {
      const attempt = () => administrators.logIn(email, password);
      const session = await countedAttempt(authFailures, address(), attempt, (made) => made !== null);
      if (session === null)
        throw new Problem('login-failed', undefined, { headers: { 'WWW-Authenticate': 'Bearer' } });
      return { status: 201, body: session };
    },
  }),
  route({
    name: 'logOut',
    summary: 'End the session of the token',
    method: 'DELETE',
    path: '/api/auth/sessions',
    access: 'session',
    answers: { 204: Type.Null() },
  })({
    run: async ({ caller }) => {
      await administrators.logOut(caller.tokenHash);
      return { status: 204, body: null };
    },
  }),
];
