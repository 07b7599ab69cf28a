import type { Administrator } from '../../../commands/authenticate.ts';
import type { Context } from '../koa.ts';
import { Problem } from '../problems/problem.ts';
import { type Origins, requireOrigin } from './cors.ts';
import { bearerOf, sessionFault, unauthorized } from './credentials.ts';
import type { RateLimits } from './rateLimits.ts';

/** What authentication by session token needs. */
export type AdministratorAdmission = Readonly<{
  /** The administrator of a session token, null for one that is unknown or has ended. */
  sessions: Readonly<{ administrator(token: string): Promise<Administrator | null> }>;
  /** Origins whose pages may call where administrators do (ALLOWED_ORIGINS). */
  origins: Origins;
  rateLimits: RateLimits;
}>;

const TOKEN = /^ast_[A-Za-z0-9_-]{43}$/;

/**
 * The administrator of a request's session token (agent-1). Throws 401 for a missing, unknown or ended one,
 * or an API key; then 403 for a page of an origin that is not listed, or for a role without access.
 */
export const admitAdministrator = async (
  ctx: Context,
  address: () => string,
  access: 'session' | 'superAdmin',
  { sessions, origins, rateLimits }: AdministratorAdmission,
): Promise<Administrator> => {
  const token = bearerOf(ctx.req.headers.authorization);
  const administrator = TOKEN.test(token) ? await sessions.administrator(token) : null;
  if (administrator === null)
    throw await unauthorized(rateLimits.authFailures, address, sessionFault(ctx.req.headers));
  ctx.state.userId = administrator.userId;
  requireOrigin(ctx, origins);
  if (access === 'superAdmin' && administrator.role !== 'super_admin')
    throw new Problem('super-admin-required');
  return administrator;
};
