import { createRateLimits } from '../../http/engine/access/rateLimits.ts';
import { operationRoutes } from '../../http/routes/operations.ts';
import { routesOf } from '../../runtime/routes.ts';
import type { Config } from '../../runtime/settings/config.ts';
import type { Core } from '../../runtime/wire.ts';
import { memoryCount } from '../controls/counts.ts';
import { memoryObjects } from '../controls/objects.ts';

/** The route table, to be looked at: its routes send nothing and store no files. */
export const routeTable = (config: Config, core: Core) =>
  routesOf(config, core, {
    objects: memoryObjects().objects,
    sender: { send: () => Promise.reject(new Error('nothing is sent here')) },
    rateLimits: createRateLimits({ requestsPerSecond: 0, authFailures: 0, countTest: memoryCount() }),
    common: operationRoutes({
      checks: {},
      observer: { answered: () => undefined, failed: () => undefined },
      clock: core.clock,
      scrape: async () => '',
      hasStarted: () => true,
    }),
  });
