import type { Administrator } from '../commands/authenticate.ts';
import type { Clock } from '../runtime/clock.ts';
import { admitAdministrator, type Sessions } from './administrators.ts';
import { authenticate, type Caller, inCompany, type Keys, recognise, unauthorized } from './auth.ts';
import { type Origins, requireOrigin } from './cors.ts';
import type { Context } from './koa.ts';
import { isOperator } from './operator.ts';
import type { RateLimits } from './rateLimits.ts';
import type { Access } from './route.ts';

/** What it takes to tell who calls. */
export type Admission = Readonly<{
  keys: Keys;
  sessions: Sessions;
  /** Pages of these origins may call where administrators do (ALLOWED_ORIGINS). */
  origins: Origins;
  clock: Clock;
  rateLimits: RateLimits;
  /** What the operator's requests bear; null: they come from this machine. */
  metricsToken: string | null;
}>;

/** Who calls, if they may: null where nobody needs to say who they are. Throws 401, 403 and 429, in this order. */
export const admit = async (
  ctx: Context,
  address: () => string,
  access: Access,
  admission: Admission,
): Promise<Caller | Administrator | null> => {
  const { rateLimits, origins, metricsToken, sessions } = admission;
  const { authFailures } = rateLimits;
  switch (access) {
    case 'none':
      requireOrigin(ctx, origins);
      return null;
    case 'operator':
      return isOperator(ctx.req, metricsToken) ? null : unknownCaller(address, rateLimits);
    case 'session':
    case 'superAdmin':
      return admitAdministrator(ctx, address, access, { sessions, origins, authFailures });
    default:
      return admitKey(ctx, address, access, admission);
  }
};

const admitKey = async (
  ctx: Context,
  address: () => string,
  access: 'company' | 'anyKey',
  { keys, clock, rateLimits }: Admission,
): Promise<Caller> => {
  const key = await recognise(ctx.req.headers.authorization, keys);
  if (key === null) return unknownCaller(address, rateLimits);
  ctx.state.keyId = key.keyId;
  const caller = await authenticate(key, keys, clock.now());
  const { headers, refusal } = await rateLimits.request(caller.keyId);
  ctx.set(headers);
  const scoped = access === 'company' ? inCompany(caller) : caller;
  if (refusal) throw refusal;
  return scoped;
};

// A valid key always passes: a neighbour behind the same address must not shut it out.
const unknownCaller = async (address: () => string, { authFailures }: RateLimits): Promise<never> => {
  await authFailures.admit(address());
  throw unauthorized();
};
