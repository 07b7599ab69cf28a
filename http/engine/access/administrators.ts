import type { Administrator } from '../../../commands/authenticate.ts';
import type { Context } from '../koa.ts';
import { Problem } from '../problems/problem.ts';
import { bearerOf, unauthorized } from './apiKeys.ts';
import { type Origins, requireOrigin } from './cors.ts';
import { sessionFault } from './credentialFault.ts';
import type { AuthFailures } from './rateLimits.ts';

/** Whose session a token is, null for one that is over or unknown. */
export type Sessions = Readonly<{ administrator(token: string): Promise<Administrator | null> }>;

type Gate = Readonly<{ sessions: Sessions; origins: Origins; authFailures: AuthFailures }>;

const TOKEN = /^ast_[A-Za-z0-9_-]{43}$/;

/**
 * The administrator whose session token a request bears (agent-1). Throws 401 for a missing, unknown or ended one, an API key
 * among them; then 403 for a page of an origin that is not listed, or a role that may not.
 */
export const admitAdministrator = async (
  ctx: Context,
  address: () => string,
  access: 'session' | 'superAdmin',
  { sessions, origins, authFailures }: Gate,
): Promise<Administrator> => {
  const token = bearerOf(ctx.req.headers.authorization);
  const administrator = TOKEN.test(token) ? await sessions.administrator(token) : null;
  if (administrator === null) {
    await authFailures.admit(address());
    throw unauthorized(sessionFault(ctx.req.headers));
  }
  ctx.state.userId = administrator.userId;
  requireOrigin(ctx, origins);
  if (access === 'superAdmin' && administrator.role !== 'super_admin')
    throw new Problem('super-admin-required');
  return administrator;
};
