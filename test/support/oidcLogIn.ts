import * as assert from 'uvu/assert';
import { ATTEMPT_COOKIE } from '../../http/engine/access/cookies.ts';
import { identityProvider } from '../../outbound/identityProvider.ts';
import { hashToken } from '../../stores/identity.ts';
import { createLogInAttempts } from '../../stores/logInAttempts.ts';
import { context } from '../controls/stores.ts';
import { client, type Reply } from './client.ts';
import { openCore } from './core.ts';
import type { Answer, OpenIdProvider } from './openIdProvider.ts';
import type { TestService } from './service.ts';

const PATH = '/api/auth/oidc';

/** A log-in that was begun: where the page goes, and the cookie that its browser has. */
export type Begun = Readonly<{ location: string; cookie: string }>;

/** Log-ins over HTTP by this provider, as the pages of the service at `url` do them. */
export const oidcLogIns = (url: string, provider: OpenIdProvider) => {
  const begin = async (returnTo?: string, invitation?: string): Promise<Begun> => {
    const { status, body, headers, text } = await client(url, null).post(PATH, { returnTo, invitation });
    assert.is(status, 200, text);
    return { location: body.location, cookie: cookieOf(headers) };
  };
  const complete = (cookie: string | null, answer: object): Promise<Reply> =>
    client(url, cookie === null ? null : { cookie }).post(`${PATH}/complete`, answer);
  return {
    begin,
    complete,
    /**
     * A log-in up to where the provider sends the browser back; `change` is what somebody makes of the
     * location.
     */
    answered: async (
      subject: string,
      change: (location: URL) => void = () => undefined,
    ): Promise<Begun & Readonly<{ answer: Answer }>> => {
      const begun = await begin();
      const location = new URL(begun.location);
      change(location);
      return { ...begun, answer: await provider.logIn(location.href, subject) };
    },
    /** A whole log-in; `invitation`: the token of the link that was opened before. */
    logIn: async (subject: string, invitation?: string): Promise<Reply> => {
      const { location, cookie } = await begin(undefined, invitation);
      return complete(cookie, await provider.logIn(location, subject));
    },
    /** What the page may call behind a log-in. */
    pageOf: ({ headers, body }: Reply) =>
      client(url, { cookie: cookieOf(headers), 'x-csrf-token': body.csrfToken }),
  };
};

/** The cookie of an answer, as a browser sends it. */
export const cookieOf = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? '';

/** The token in the cookie of a log-in that was begun. */
export const attemptTokenOf = ({ cookie }: Begun): string => cookie.slice(`${ATTEMPT_COOKIE}=`.length);

/** Log-ins beside the service on its stores, as another node does them. Close it in the end. */
export const nodeBeside = async ({ config }: TestService) => {
  if (config.oidc === null) throw new Error('the service has no identity provider');
  const core = await openCore(config);
  const provider = identityProvider(config.oidc, () => undefined);
  const attempts = createLogInAttempts(core.documents.tables);
  const { complete } = core.logInBy(provider);
  return {
    complete: (token: string, answer: Answer) =>
      complete(token, answer, { kind: 'cookie', address: '192.0.2.1', agent: 'curl' }, context),
    /** Lets a log-in that was begun be of eleven minutes ago. */
    expire: async (token: string): Promise<void> => {
      const attempt = await attempts.take(hashToken(token));
      if (attempt === null) throw new Error('there is no such attempt');
      const expiresAt = new Date(Date.now() - 60_000).toISOString();
      await attempts.add(hashToken(token), { ...attempt, expiresAt }, new Date(0).toISOString());
    },
    close: async (): Promise<void> => {
      await provider.close();
      await core.close();
    },
  };
};
