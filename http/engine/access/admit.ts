import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { permissions } from '../../../domain/permissions.ts';
import type { Context } from '../koa.ts';
import { Problem } from '../problems/problem.ts';
import type { Access } from '../route.ts';
import { admitKey, type KeyAdmission } from './apiKeys.ts';
import type { Caller } from './caller.ts';
import { requireOrigin, requireOwnPage } from './cors.ts';
import { bearerOf, credentialFault, metricsToken, unauthorized } from './credentials.ts';
import { admitPerson, isPersonal, type PersonAdmission } from './people.ts';

/** What authentication needs. `metricsToken`: METRICS_TOKEN; null where it is unset. */
export type Admission = KeyAdmission & PersonAdmission & Readonly<{ metricsToken: string | null }>;

/**
 * The caller of a request that may pass: null where nobody needs to authenticate, and for the operator.
 * Throws 401, 403 and 429, in this order.
 */
export const admit = async (
  ctx: Context,
  address: () => string,
  access: Access,
  admission: Admission,
): Promise<Caller | null> => {
  if (access === 'none') {
    requireOrigin(ctx, admission.origins);
    return null;
  }
  if (access === 'page') {
    requireOwnPage(ctx.req.headers);
    return null;
  }
  if (access === 'operator') {
    if (isOperator(ctx.req, admission.metricsToken)) return null;
    const { headers } = ctx.req;
    const { credential } = admission.rateLimits.failures;
    throw await unauthorized(credential, address, headers, credentialFault(metricsToken, headers));
  }
  const permission = permissions[access];
  return isPersonal(ctx.req.headers, permission)
    ? admitPerson(ctx, address, permission, admission)
    : admitKey(ctx, address, permission, admission);
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
