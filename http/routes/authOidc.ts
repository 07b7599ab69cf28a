import { SESSION_MS } from '../../commands/authenticate.ts';
import type { completions } from '../../commands/completeInvitation.ts';
import { ATTEMPT_MS, type Completed, type logInByProvider } from '../../commands/logInByProvider.ts';
import { refusalOf } from '../../domain/invitation.ts';
import type { Of } from '../../kernel/schema.ts';
import { BeginLogIn, BegunLogIn, CompletedLogIn, CompleteLogIn, LogInMethods } from '../../schemas/logIn.ts';
import { ATTEMPT_COOKIE, setCookie } from '../engine/access/cookies.ts';
import { csrfTokenOf } from '../engine/access/people.ts';
import { countedAttempt, type RateLimits } from '../engine/access/rateLimits.ts';
import { Problem } from '../engine/problems/problem.ts';
import { type Route, route } from '../engine/route.ts';
import { causeOf } from './caller.ts';
import { clientOf } from './clients.ts';
import { countedCheck } from './invitations.ts';

/**
 * `byProvider`: null where no identity provider is set. `hasUsers` may throw while the users can't be read.
 */
type OidcPorts = Readonly<{
  methods: Omit<Of<typeof LogInMethods>, 'hasUsers'>;
  hasUsers(): Promise<boolean>;
  byProvider: ReturnType<typeof logInByProvider> | null;
  invitations: ReturnType<typeof completions>;
  rateLimits: Pick<RateLimits, 'failures' | 'logInBegun'>;
}>;

const HOME = '/console';

/** Log-in of people by an identity provider, for pages of the service (logins-7, logins-8). */
export const oidcRoutes = ({ methods, byProvider, ...ports }: OidcPorts): readonly Route[] => {
  const { rateLimits } = ports;
  const hasUsers = onceTrue(ports.hasUsers);
  const check = countedCheck({ ...ports, failures: rateLimits.failures.invitation });
  /** What the attempt keeps of an invitation's token. */
  const accepting = async (token: string, address: string) => {
    const { reason, invitation } = await check(token, address);
    if (reason !== null) throw refusalOf(reason);
    return { invitationId: invitation.invitationId };
  };
  return [
    route({
      name: 'getLogInMethods',
      summary: 'Get the ways in which people log in',
      description:
        'What a page of log-in offers: passwords, the identity provider, or both; and whether there is anybody yet who could log in.',
      method: 'GET',
      path: '/api/auth/methods',
      access: 'none',
      answers: { 200: LogInMethods },
    })({ run: async () => ({ status: 200, body: { ...methods, hasUsers: await hasUsers() } }) }),
    route({
      name: 'beginLogIn',
      summary: 'Begin a log-in by the identity provider',
      description:
        'For pages of the service: the page goes to `location`, and the identity provider sends the browser back to `/console/signed-in` with `code`, `state` and `iss`. The cookie binds the answer to this browser, for ten minutes. Whoever has opened the link of an `invitation` sends its token: the log-in accepts that one.',
      method: 'POST',
      path: '/api/auth/oidc',
      access: 'page',
      body: BeginLogIn,
      answers: { 200: BegunLogIn },
      headers: ['Set-Cookie'],
      refusals: [
        'not-found',
        'rate-limited',
        'identity-provider-unavailable',
        'invitation-invalid',
        'invitation-consumed',
        'invitation-expired',
      ],
    })({
      run: async ({ body: { returnTo = HOME, invitation }, address }) => {
        const provided = required(byProvider);
        await rateLimits.logInBegun(address());
        const accepts = invitation === undefined ? {} : await accepting(invitation, address());
        const { token, location } = await provided.begin({ returnTo, ...accepts });
        return {
          status: 200,
          headers: setCookie(token, ATTEMPT_MS / 1_000, ATTEMPT_COOKIE),
          body: { location },
        };
      },
    }),
    route({
      name: 'completeLogIn',
      summary: 'Complete a log-in by the identity provider',
      description:
        'With what the identity provider sent, `error` where it logged nobody in; once, by the browser that began it. The first log-in of an invited person accepts the invitation: that of the link, or of the only company with open ones. The answer sets the cookie of the session, as a log-in with `session` `cookie` does.',
      method: 'POST',
      path: '/api/auth/oidc/complete',
      access: 'page',
      body: CompleteLogIn,
      answers: { 201: CompletedLogIn },
      headers: ['Set-Cookie'],
      refusals: [
        'not-found',
        'login-failed',
        'login-expired',
        'login-refused',
        'rate-limited',
        'identity-provider-unavailable',
      ],
    })({
      check: ({ body: { code, error }, invalidMembers }) =>
        code === undefined && error === undefined && invalidMembers.size === 0
          ? [{ pointer: '/code', detail: 'must be given, unless there is an error' }]
          : [],
      run: async ({ body: { code, state, iss = null }, ...request }) => {
        const provided = required(byProvider);
        if (code === undefined) throw failed('The identity provider has logged nobody in.');
        const client = clientOf('cookie', request);
        const attempt = () =>
          provided.complete(request.cookie(ATTEMPT_COOKIE), { code, state, iss }, client, causeOf(request));
        const isBegun = ({ refusal }: Completed): boolean => refusal === null;
        const completed = await countedAttempt(rateLimits.failures.logIn, client.address, attempt, isBegun);
        if (completed.refusal !== null) throw refused(completed.refusal);
        const { session, returnTo, position } = completed;
        const { token, expiresAt } = session;
        const headers = setCookie(token, SESSION_MS / 1_000);
        return {
          status: 201,
          headers,
          position,
          body: { csrfToken: csrfTokenOf(token), expiresAt, returnTo },
        };
      },
    }),
  ];
};

/**
 * Asks no more once it is so: no user goes. Where that can't be read it is taken as so, this once: the page
 * of the log-in is there whatever can't be read.
 */
const onceTrue = (ask: () => Promise<boolean>) => {
  let isTrue = false;
  return async (): Promise<boolean> => {
    try {
      isTrue ||= await ask();
    } catch {
      return true;
    }
    return isTrue;
  };
};

const required = <T>(byProvider: T | null): T => {
  if (byProvider === null)
    throw new Problem('not-found', 'No identity provider is set here: people log in with a password.');
  return byProvider;
};

/** Why somebody whom the identity provider knows is not admitted: told to nobody else. */
const REFUSALS = {
  email: 'The identity provider does not say that your e-mail address is verified.',
  unknown: 'Nobody has invited your e-mail address, or the invitation has expired.',
  several:
    'Several companies have invited your e-mail address: open the link of the invitation that you accept.',
  invitation:
    'You can’t accept this invitation with your account at the identity provider: it is for another e-mail address, or no longer open, or the account has a user here already.',
  disabled: 'Your user is disabled.',
  subject: 'The user of your e-mail address belongs to another account at the identity provider.',
  role: 'The identity provider names no group of yours that has a role here.',
} as const;

const refused = (refusal: NonNullable<Completed['refusal']>): Problem => {
  if (refusal === 'attempt') return new Problem('login-expired', undefined, UNAUTHORIZED);
  return refusal === 'answer'
    ? failed('The answer of the identity provider is not valid.')
    : new Problem('login-refused', REFUSALS[refusal]);
};

const UNAUTHORIZED = { headers: { 'WWW-Authenticate': 'Bearer' } };

const failed = (detail: string): Problem => new Problem('login-failed', detail, UNAUTHORIZED);
