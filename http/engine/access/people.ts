import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Person, ProvenSession } from '../../../commands/authenticate.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { type Mode, modes } from '../../../kernel/scope.ts';
import type { SessionKind } from '../../../stores/identity.ts';
import type { Context } from '../koa.ts';
import { malformed, Problem } from '../problems/problem.ts';
import { setHeaders } from '../send.ts';
import type { PersonCaller } from './caller.ts';
import { cookieOf } from './cookies.ts';
import { type Origins, requireOrigin, requireOwnPage } from './cors.ts';
import { bearerOf, credentialFault, ended, sessionToken, unauthorized } from './credentials.ts';
import type { RateLimits } from './rateLimits.ts';
import { type Recording, recordUse } from './recordUse.ts';

export type PersonAdmission = Recording &
  Readonly<{
    sessions: Readonly<{
      /** The session of a token, as it was sent; null for one that is unknown or has ended. */
      session(token: string, kind: SessionKind): Promise<ProvenSession | null>;
      /** Whether a token is of a session that is known to have ended. */
      hasEnded(token: string): Promise<boolean>;
      record(tokenHash: string): Promise<void>;
    }>;
    /** A company by its identifier; null for none. */
    company(companyId: string): Promise<object | null>;
    /** Origins whose pages may call where people log in (ALLOWED_ORIGINS). */
    origins: Origins;
    rateLimits: RateLimits;
  }>;

const TOKEN = /^ast_[A-Za-z0-9_-]{43}$/;

/** Whether a request is a person's, by its credential; always where no key may call. */
export const isPersonal = (headers: IncomingHttpHeaders, { keys }: Permission): boolean =>
  !keys || cookieOf(headers) !== null || bearerOf(headers.authorization).startsWith('ast_');

/**
 * The person of a request's session (people-2). Throws 401 for a missing, unknown or ended one, or an API
 * key; 403 for a role without the permission, a page of a foreign origin, a change by cookie without its CSRF
 * token, or another company; then 429 and 400.
 */
export const admitPerson = async (
  ctx: Context,
  address: () => string,
  permission: Permission,
  admission: PersonAdmission,
): Promise<PersonCaller> => {
  const { headers } = ctx.req;
  const proven = await provenBy(headers, admission);
  if (proven === null) throw await refusalOf(ctx, address, admission);
  const { person, tokenHash, isUnrecorded } = proven;
  ctx.state.userId = person.userId;
  requireRole(person, permission);
  const csrfToken = requireOwnRequest(ctx, admission);
  const companyId = companyOf(person, headers['intake-company'], permission);
  const counted = admission.rateLimits.request(person.userId);
  setHeaders(ctx, counted.headers);
  if (counted.refusal) throw counted.refusal;
  if (companyId !== person.companyId) await requireCompany(companyId, admission);
  const mode = modeOf(headers['intake-mode']);
  if (isUnrecorded) await recordUse(ctx, () => admission.sessions.record(tokenHash), admission);
  return { kind: 'person', ...person, companyId, csrfToken, mode };
};

const provenBy = async (
  headers: IncomingHttpHeaders,
  { sessions }: PersonAdmission,
): Promise<ProvenSession | null> => {
  const cookie = cookieOf(headers);
  // Of two credentials neither is taken: which of them is meant can't be known.
  if (cookie !== null && headers.authorization !== undefined) return null;
  const token = tokenOf(headers);
  return TOKEN.test(token) ? sessions.session(token, cookie === null ? 'token' : 'cookie') : null;
};

const tokenOf = (headers: IncomingHttpHeaders): string =>
  cookieOf(headers) ?? bearerOf(headers.authorization);

/**
 * The 401 of a request without a session, a failure of its address only where it may be a guess. Throws 429.
 */
const refusalOf = async (
  { req: { headers }, state }: Context,
  address: () => string,
  { sessions, rateLimits }: PersonAdmission,
): Promise<Problem> => {
  const detail = faultOf(headers);
  // One that has waited for a change was admitted before.
  const token = tokenOf(headers);
  // Only what may be a token is worth a read of the store.
  const isKnown = state.userId !== null || (TOKEN.test(token) && (await sessions.hasEnded(token)));
  return isKnown ? ended(detail) : unauthorized(rateLimits.failures.credential, address, headers, detail);
};

const faultOf = (headers: IncomingHttpHeaders): string => {
  if (cookieOf(headers) === null) return credentialFault(sessionToken, headers);
  return headers.authorization === undefined
    ? 'The session of this cookie has ended: log in again.'
    : 'This request has a session cookie and an Authorization header: send one of them.';
};

const requireRole = ({ role }: Person, { roles }: Permission): void => {
  if (roles.includes(role)) return;
  const detail =
    roles.length === 0 ? 'This is for API keys.' : `This is for these roles: ${roles.join(', ')}.`;
  throw new Problem('role-required', detail);
};

/**
 * That the person's own page or program sends the request, and not a page of another site (people-3). Gives
 * the CSRF token of a session in a cookie.
 */
const requireOwnRequest = (ctx: Context, { origins }: PersonAdmission): string | null => {
  const { method, req } = ctx;
  const cookie = cookieOf(req.headers);
  if (cookie === null) {
    requireOrigin(ctx, origins);
    return null;
  }
  requireOwnPage(req.headers);
  const csrfToken = csrfTokenOf(cookie);
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && !isSame(String(req.headers['x-csrf-token']), csrfToken))
    throw new Problem('csrf-token-required');
  return csrfToken;
};

/**
 * What a page sends with each change beside its cookie, which a page of another site can't read (people-3).
 */
export const csrfTokenOf = (token: string): string => hash('sha256', `csrf:${token}`, 'base64url');

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));

/**
 * The company that a request is about. Throws 403 without one where it is needed, and for another than the
 * person's own.
 */
const companyOf = (
  { role, companyId }: Person,
  header: string | readonly string[] | undefined,
  { scope }: Permission,
): string | null => {
  const named = header === undefined ? companyId : String(header);
  if (role !== 'super_admin' && named !== companyId)
    throw new Problem('company-required', 'The company in the header `Intake-Company` is not yours.');
  if (scope === 'company' && named === null)
    throw new Problem('company-required', 'Name the company in the header `Intake-Company`.');
  return named;
};

/** A super_admin may name any company that there is. */
const requireCompany = async (companyId: string | null, { company }: PersonAdmission): Promise<void> => {
  if (companyId !== null && (await company(companyId)) === null)
    throw malformed([{ pointer: '/headers/intake-company', detail: 'must be the identifier of a company' }]);
};

const modeOf = (header: string | readonly string[] | undefined): Mode => {
  const mode = header === undefined ? 'live' : modes.find((one) => one === header);
  if (mode === undefined)
    throw malformed([{ pointer: '/headers/intake-mode', detail: `must be one of ${modes.join(', ')}` }]);
  return mode;
};
