import { createRateLimits } from '../../http/engine/access/rateLimits.ts';
import { healthRoutes } from '../../http/routes/health.ts';
import { routesOf } from '../../runtime/routes.ts';
import type { Config } from '../../runtime/settings/config.ts';
import type { Core } from '../../runtime/wire.ts';
import { memoryCounts } from '../controls/counts.ts';
import { memoryObjects } from '../controls/objects.ts';

/** The route table, to be looked at: its routes send nothing and store no files. */
export const routeTable = (config: Config, core: Core) =>
  routesOf(config, core, {
    objects: memoryObjects().objects,
    provider: null,
    sender: { send: () => Promise.reject(new Error('nothing is sent here')) },
    publicUrl: () => 'http://localhost',
    stopping: new AbortController().signal,
    filePages: {
      list: () => Promise.reject(new Error('nothing is shown here')),
      draw: () => Promise.reject(new Error('nothing is shown here')),
      close: async () => undefined,
    },
    trials: {
      run: () => Promise.reject(new Error('nothing is tried here')),
      close: async () => undefined,
    },
    rateLimits: createRateLimits({ requestsPerSecond: 0, authFailures: 0, counts: memoryCounts() }),
    readiness: async () => [],
    nodes: { beat: async () => undefined, stop: async () => undefined, all: async () => [] },
    common: healthRoutes({ readiness: async () => [], scrape: async () => '' }),
  });
