import { createHmac, randomBytes } from 'node:crypto';
import type { Cause, Position } from '../kernel/event.ts';
import { hashToken } from '../stores/identity.ts';
import type { LogInAttempt, LogInAttempts } from '../stores/logInAttempts.ts';
import type { authentication, Client } from './authenticate.ts';
import { type Claims, type ProvenUserPorts, provenUser, type Refusal } from './provenUser.ts';

/**
 * What binds the provider's answer to the attempt: in the request itself, in the ID token, and for the code.
 */
export type AttemptSecrets = Readonly<{ state: string; nonce: string; verifier: string }>;

/** What the provider sent the browser back with. */
export type ProviderAnswer = Readonly<{ code: string; state: string; iss: string | null }>;

/** An identity provider. Both throw `IdentityProviderUnavailable`. */
export type IdentityProvider = Readonly<{
  /** Where the browser logs in. */
  location(secrets: AttemptSecrets): Promise<string>;
  /** What the provider says of who logged in; null for an answer that is not valid. */
  claims(answer: ProviderAnswer, secrets: AttemptSecrets): Promise<Claims | null>;
}>;

/** How long an attempt may take, in milliseconds (logins-8). */
export const ATTEMPT_MS = 600_000;

type People = Pick<ReturnType<typeof authentication>, 'begin' | 'refuse'>;
type Ports = ProvenUserPorts &
  Readonly<{ people: People; attempts: LogInAttempts; provider: IdentityProvider }>;
type Goal = Omit<LogInAttempt, 'expiresAt'>;
type Session = Awaited<ReturnType<People['begin']>>;

/** The session; or why there is none: also an attempt that is over, or an answer that is not valid. */
export type Completed =
  | Readonly<{ refusal: null; session: Session; returnTo: string; position: Position }>
  | Readonly<{ refusal: Refusal | 'attempt' | 'answer' }>;

/** Log-in of people by an identity provider (logins-7 to logins-14). */
export const logInByProvider = (ports: Ports) => {
  const { people, attempts, provider, clock } = ports;
  const prove = provenUser(ports);
  return {
    /**
     * Begins an attempt, to accept this invitation if one is given: `token` is for the browser alone. Throws
     * `IdentityProviderUnavailable`.
     */
    begin: async (goal: Goal): Promise<Readonly<{ token: string; location: string }>> => {
      const token = randomBytes(32).toString('base64url');
      const location = await provider.location(secretsOf(token));
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + ATTEMPT_MS).toISOString();
      await attempts.add(hashToken(token), { ...goal, expiresAt }, now.toISOString());
      return { token, location };
    },

    /** Completes an attempt, once (logins-8). Throws `IdentityProviderUnavailable`. */
    complete: async (
      token: string | null,
      answer: ProviderAnswer,
      client: Client,
      cause: Cause,
    ): Promise<Completed> => {
      // The answer to another attempt of this browser does not use this one up.
      if (token === null || answer.state !== secretsOf(token).state) return { refusal: 'attempt' };
      const attempt = await attempts.take(hashToken(token));
      if (attempt === null || attempt.expiresAt <= clock.now().toISOString()) return { refusal: 'attempt' };
      const claims = await provider.claims(answer, secretsOf(token));
      if (claims === null) return { refusal: 'answer' };
      const proven = await prove(claims, attempt.invitationId ?? null, cause);
      if (proven.refusal === null) {
        const session = await people.begin(proven.row, 'oidc', client, cause);
        return { refusal: null, session, returnTo: attempt.returnTo, position: proven.position };
      }
      if (proven.row !== null) people.refuse(proven.row, 'oidc', proven.refusal, client, cause);
      return { refusal: proven.refusal };
    },
  };
};

/** The secrets of an attempt follow from its token: no row and no address has them all. */
const secretsOf = (token: string): AttemptSecrets => {
  const derived = (purpose: string): string =>
    createHmac('sha256', token).update(purpose).digest('base64url');
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') };
};
