import { type authentication, SESSION_MS } from '../../commands/authenticate.ts';
import type { changePassword } from '../../commands/changePassword.ts';
import { permissionsOf } from '../../domain/permissions.ts';
import { normalEmail } from '../../domain/userEmail.ts';
import { Type } from '../../kernel/schema.ts';
import type { companyQueries } from '../../projections/companies.ts';
import type { UserDocument } from '../../projections/users.ts';
import { ChangePassword, LoggedIn, LogIn, Me, OwnSessions } from '../../schemas/identity.ts';
import { logInId } from '../../schemas/parameters.ts';
import { NoMembers } from '../../schemas/sessions.ts';
import { BROWSER_COOKIE, type createBrowserMarks, KNOWN_S } from '../engine/access/browserMarks.ts';
import { endCookie, setCookie } from '../engine/access/cookies.ts';
import { csrfTokenOf } from '../engine/access/people.ts';
import { type AuthFailures, countedAttempt, type RateLimits } from '../engine/access/rateLimits.ts';
import { Problem } from '../engine/problems/problem.ts';
import { wholeList } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { causeOf } from './caller.ts';
import { clientOf } from './clients.ts';
import { companyOf } from './companies.ts';

/**
 * `passwordLogIn`: whether others than super_admins may log in by password (PASSWORD_LOGIN). `publicUrl`: the
 * API's address.
 */
type AuthPorts = Readonly<{
  people: ReturnType<typeof authentication>;
  passwordLogIn: boolean;
  changePassword: ReturnType<typeof changePassword>;
  user(userId: string): Promise<UserDocument | null>;
  company: ReturnType<typeof companyQueries>['find'];
  rateLimits: Pick<RateLimits, 'failures' | 'logInBegun' | 'emailFailures' | 'emailLogIns'>;
  browsers: ReturnType<typeof createBrowserMarks>;
  publicUrl(): string;
}>;

/** Where a request comes from. */
type From = Readonly<{ address(): string; cookie(name: string): string | null }>;

/** Log-in and log-out of people, their sessions and passwords (logins-1, people-4, people-19). */
export const authRoutes = ({
  people,
  passwordLogIn,
  changePassword: change,
  user,
  company,
  rateLimits,
  browsers,
  publicUrl,
}: AuthPorts): readonly Route[] => {
  /** An attempt with a password; one that gives null counts as failed, of the address and of the e-mail. */
  const attempted = <T>(email: string, from: From, attempt: () => Promise<T | null>): Promise<T | null> => {
    const { failures, emailFailures } = rateLimits;
    const counted = (limit: AuthFailures, origin: string, made: () => Promise<T | null>) =>
      countedAttempt(limit, origin, made, (outcome) => outcome !== null);
    const address = from.address();
    const origin = browsers.browserOf(from.cookie(BROWSER_COOKIE), email) ?? address;
    return counted(failures.logIn, address, () => counted(emailFailures(email), origin, attempt));
  };
  return [
    route({
      name: 'logIn',
      summary: 'Log a person in',
      description:
        'The session token is given once. It is valid for twelve hours, or until the log-out, a reset of the password, or the user is disabled. With `session` `cookie` a page gets it as a cookie that no script can read, and ends after two idle hours.',
      method: 'POST',
      path: '/api/auth/sessions',
      access: 'none',
      body: LogIn,
      answers: { 201: LoggedIn },
      headers: ['Set-Cookie'],
      refusals: ['login-failed', 'password-login-off', 'rate-limited'],
    })({
      run: async ({ body: { email, password, session: kind = 'token' }, ...request }) => {
        const client = clientOf(kind, request);
        const normal = normalEmail(email);
        const { emailLogIns } = rateLimits;
        await rateLimits.logInBegun(client.address);
        emailLogIns.admit(normal);
        const begun = await attempted(normal, request, () =>
          people.logIn(email, password, client, causeOf(request), () => emailLogIns.count(normal)),
        );
        // The same for all: whose the e-mail is, and whether the password is right, is told to nobody
        // (logins-16).
        if (begun === null && !passwordLogIn) throw new Problem('password-login-off');
        if (begun === null)
          throw new Problem('login-failed', undefined, { headers: { 'WWW-Authenticate': 'Bearer' } });
        const { token, expiresAt } = begun;
        if (kind === 'token') return { status: 201, body: { token, csrfToken: null, expiresAt } };
        const session = setCookie(token, SESSION_MS / 1_000);
        const browser = setCookie(browsers.issue(normal), KNOWN_S, BROWSER_COOKIE);
        const headers = { 'Set-Cookie': [session['Set-Cookie'], browser['Set-Cookie']] };
        return { status: 201, headers, body: { token: null, csrfToken: csrfTokenOf(token), expiresAt } };
      },
    }),
    route({
      name: 'getMe',
      summary: 'Get the person of the session',
      description: 'With the role, what it permits, and the company.',
      method: 'GET',
      path: '/api/auth/me',
      access: 'own.sessions',
      answers: { 200: Me },
    })({
      run: async ({ caller }) => {
        const { userId, role, companyId, csrfToken, sessionId, expiresAt } = caller;
        const [person, own] = await Promise.all([
          user(userId),
          companyId === null ? null : company(companyId),
        ]);
        const { email = null, name = null } = person ?? {};
        const who = { userId, email, name, role, company: own && companyOf(own) };
        const session = { sessionId, csrfToken, expiresAt };
        return { status: 200, body: { ...who, permissions: permissionsOf(role), ...session } };
      },
    }),
    route({
      name: 'listOwnSessions',
      summary: 'List the sessions of the person that have not ended, newest first',
      description: 'With the program or browser of each; `current` is the session of the request.',
      method: 'GET',
      path: '/api/auth/sessions',
      access: 'own.sessions',
      answers: { 200: OwnSessions },
    })({
      run: async ({ caller: { userId, sessionId: current } }) => {
        const found = await people.sessions(userId);
        const items = found.map(({ sessionId, kind, agent, createdAt, lastSeenAt, expiresAt }) => ({
          ...{ sessionId, kind, agent, createdAt, lastSeenAt, expiresAt },
          current: sessionId === current,
        }));
        return { status: 200, body: wholeList(items) };
      },
    }),
    route({
      name: 'logOut',
      summary: 'End the session of the request',
      description: 'Its token or cookie is refused from then on.',
      method: 'DELETE',
      path: '/api/auth/sessions',
      access: 'own.sessions',
      answers: { 204: Type.Null() },
      headers: ['Set-Cookie', 'Clear-Site-Data'],
    })({
      run: async ({ caller: { userId, sessionId, csrfToken }, ...request }) => {
        await people.end(userId, sessionId, causeOf(request));
        return { status: 204, body: null, headers: csrfToken === null ? {} : endCookie(publicUrl()) };
      },
    }),
    route({
      name: 'endOwnSession',
      summary: 'End one of the person’s sessions',
      description: 'Its token or cookie is refused from then on.',
      method: 'DELETE',
      path: '/api/auth/sessions/{sessionId}',
      access: 'own.sessions',
      parameters: { sessionId: logInId },
      answers: { 204: Type.Null() },
    })({
      run: async ({ caller, parameters, ...request }) => {
        const ended = await people.end(caller.userId, parameters.sessionId, causeOf(request));
        if (ended === 0) throw new Problem('not-found');
        return { status: 204, body: null };
      },
    }),
    route({
      name: 'endOwnSessions',
      summary: 'End all of the person’s sessions, this one too',
      description: 'Their tokens and cookies are refused from then on.',
      method: 'POST',
      path: '/api/auth/sessions/end-all',
      access: 'own.sessions',
      body: NoMembers,
      answers: { 204: Type.Null() },
      headers: ['Set-Cookie', 'Clear-Site-Data'],
    })({
      run: async ({ caller: { userId, csrfToken }, ...request }) => {
        await people.end(userId, null, causeOf(request));
        return { status: 204, body: null, headers: csrfToken === null ? {} : endCookie(publicUrl()) };
      },
    }),
    route({
      name: 'changePassword',
      summary: 'Change the own password',
      description:
        'All other sessions of the person end, this one goes on. A wrong current password counts as a failed log-in. What a password must be is as for an invitation.',
      method: 'POST',
      path: '/api/auth/password',
      access: 'own.sessions',
      body: ChangePassword,
      answers: { 204: Type.Null() },
      refusals: ['password-wrong', 'password-login-off', 'no-password', 'rate-limited'],
    })({
      run: async ({ caller: { userId, sessionId }, body, ...request }) => {
        const address = request.address();
        await rateLimits.logInBegun(address);
        const email = (await user(userId))?.email ?? userId;
        const position = await attempted(normalEmail(email), request, () =>
          change({ userId, sessionId, address }, body, causeOf(request)),
        );
        if (position === null) throw new Problem('password-wrong');
        return { status: 204, position, body: null };
      },
    }),
  ];
};
