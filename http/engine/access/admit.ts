import type { Administrator } from '../../../commands/authenticate.ts';
import type { Context } from '../koa.ts';
import type { Access } from '../route.ts';
import { type AdministratorAdmission, admitAdministrator } from './administrators.ts';
import { admitKey, type Caller, type KeyAdmission } from './apiKeys.ts';
import { requireOrigin } from './cors.ts';
import { metricsFault, unauthorized } from './credentials.ts';
import { isOperator } from './operator.ts';

/** What authentication needs. `metricsToken`: METRICS_TOKEN; null where it is unset. */
export type Admission = KeyAdmission & AdministratorAdmission & Readonly<{ metricsToken: string | null }>;

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
    case 'operator':
      if (isOperator(ctx.req, admission.metricsToken)) return null;
      throw await unauthorized(admission.rateLimits.authFailures, address, metricsFault(ctx.req.headers));
    case 'session':
    case 'superAdmin':
      return admitAdministrator(ctx, address, access, admission);
    default:
      return admitKey(ctx, address, access, admission);
  }
};
