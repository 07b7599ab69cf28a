import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Administrator } from '../../../commands/authenticate.ts';
import type { Context } from '../koa.ts';
import { Problem } from '../problems/problem.ts';
import type { Access } from '../route.ts';
import { admitKey, type Caller, type KeyAdmission } from './apiKeys.ts';
import { type Origins, requireOrigin } from './cors.ts';
import { bearerOf, credentialFault, metricsToken, sessionToken, unauthorized } from './credentials.ts';

/** What authentication needs. */
export type Admission = KeyAdmission &
  Readonly<{
    /** The administrator of a session token, null for one that is unknown or has ended. */
    sessions: Readonly<{ administrator(token: string): Promise<Administrator | null> }>;
    /** Origins whose pages may call where administrators do (ALLOWED_ORIGINS). */
    origins: Origins;
    /** METRICS_TOKEN; null where it is unset. */
    metricsToken: string | null;
  }>;

/**
 * The caller of a request that may pass: null where nobody needs to authenticate, and for the operator.
 * Throws 401, 403 and 429, in this order.
 */
export const admit = async (
  ctx: Context,
  address: () => string,
  access: Access,
  admission: Admission,
): Promise<Caller | Administrator | null> => {
  switch (access) {
    case 'none':
      requireOrigin(ctx, admission.origins);
      return null;
    case 'operator': {
      if (isOperator(ctx.req, admission.metricsToken)) return null;
      const detail = credentialFault(metricsToken, ctx.req.headers);
      throw await unauthorized(admission.rateLimits.authFailures, address, detail);
    }
    case 'session':
    case 'superAdmin':
      return admitAdministrator(ctx, address, access, admission);
    default:
      return admitKey(ctx, address, access, admission);
  }
};

const TOKEN = /^ast_[A-Za-z0-9_-]{43}$/;

/**
 * The administrator of a request's session token (agent-1). Throws 401 for a missing, unknown or ended one,
 * or an API key; then 403 for a page of an origin that is not listed, or for a role without access.
 */
const admitAdministrator = async (
  ctx: Context,
  address: () => string,
  access: 'session' | 'superAdmin',
  { sessions, origins, rateLimits }: Admission,
): Promise<Administrator> => {
  const { headers } = ctx.req;
  const token = bearerOf(headers.authorization);
  const administrator = TOKEN.test(token) ? await sessions.administrator(token) : null;
  if (administrator === null)
    throw await unauthorized(rateLimits.authFailures, address, credentialFault(sessionToken, headers));
  ctx.state.userId = administrator.userId;
  requireOrigin(ctx, origins);
  if (access === 'superAdmin' && administrator.role !== 'super_admin')
    throw new Problem('super-admin-required');
  return administrator;
};

/**
 * Whether a request is the operator's: with a token (METRICS_TOKEN), whether it bears that token; without
 * one, whether it comes from this machine, judged by the socket alone. Throws 403 `local-only` otherwise.
 */
export const isOperator = ({ headers, socket }: IncomingMessage, token: string | null): boolean => {
  // Digests have one length, and comparing them reveals nothing of either text.
  if (token !== null) return timingSafeEqual(digest(bearerOf(headers.authorization)), digest(token));
  // What a proxy on this machine forwards comes from anywhere.
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined);
  if (isForwarded || !LOOPBACK.test(socket.remoteAddress ?? '')) throw new Problem('local-only');
  return true;
};

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
