import type { Administrator } from '../../../commands/authenticate.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import type { Context } from '../koa.ts';
import type { Observer } from '../observer.ts';
import type { Access } from '../route.ts';
import { admitAdministrator, type Sessions } from './administrators.ts';
import { admitted, type Caller, inCompany, type Keys, recognise, unauthorized } from './apiKeys.ts';
import { type Origins, requireOrigin } from './cors.ts';
import { keyFault, metricsFault } from './credentialFault.ts';
import { isOperator } from './operator.ts';
import type { RateLimits } from './rateLimits.ts';

/** What it takes to tell who calls. */
export type Admission = Readonly<{
  keys: Keys;
  sessions: Sessions;
  /** Pages of these origins may call where administrators do (ALLOWED_ORIGINS). */
  origins: Origins;
  clock: Clock;
  observer: Observer;
  /** The parts of the service that are away. */
  away(): readonly string[];
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
      return isOperator(ctx.req, metricsToken)
        ? null
        : unknownCaller(address, rateLimits, metricsFault(ctx.req.headers));
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
  { keys, clock, observer, away, rateLimits }: Admission,
): Promise<Caller> => {
  const key = await recognise(ctx.req.headers.authorization, keys);
  if (key === null) return unknownCaller(address, rateLimits, keyFault(ctx.req.headers));
  ctx.state.keyId = key.keyId;
  const caller = admitted(key);
  // A read goes on where nothing can be written: who reads is known all the same.
  if (!away().includes('documents'))
    await keys.touch(key, clock.now()).catch((error: unknown) => {
      if (ctx.method !== 'GET' || !(error instanceof StoreUnavailable)) throw error;
      observer.failed(error, ctx.state.requestId);
    });
  const { headers, refusal } = await rateLimits.request(caller.keyId);
  ctx.set(headers);
  const scoped = access === 'company' ? inCompany(caller) : caller;
  if (refusal) throw refusal;
  return scoped;
};

// A valid key always passes: a neighbour behind the same address must not shut it out.
const unknownCaller = async (
  address: () => string,
  { authFailures }: RateLimits,
  fault: string,
): Promise<never> => {
  await authFailures.admit(address());
  throw unauthorized(fault);
};
