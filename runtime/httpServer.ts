import { randomUUID } from 'node:crypto';
import type { Role } from '../cli/runtime.ts';
import { createRateLimits } from '../http/engine/access/rateLimits.ts';
import { createApp } from '../http/engine/app.ts';
import { type RunningServer, startServer } from '../http/engine/server/server.ts';
import { type Checks, operationRoutes } from '../http/routes/operations.ts';
import type { Sender } from '../outbound/send.ts';
import { MAX_VISIBILITY_WAIT_MS } from '../projections/engine/progress.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createObserver } from '../telemetry/requestObserver.ts';
import { createScrape } from '../telemetry/scrape.ts';
import { readStoreMetrics } from '../telemetry/storeMetrics.ts';
import { reactorsOf } from './loops.ts';
import { routesOf } from './routes.ts';
import type { Config } from './settings/config.ts';
import type { Core } from './wire.ts';

/** `isClosed`: no call of the API that only reads, or does more, can be answered now. */
type Ports = Readonly<{
  objects: ObjectStore;
  sender: Sender;
  metrics: Metrics;
  checks: Checks;
  isClosed(isRead: boolean): boolean;
  hasStarted(): boolean;
}>;

/**
 * Starts the HTTP server of a process: health and metrics, and the API if that is among its roles. Throws
 * when the port is taken.
 */
export const startHttpServer = (
  config: Config,
  core: Core,
  { objects, sender, metrics, checks, isClosed, hasStarted }: Ports,
  roles: readonly Role[],
): Promise<RunningServer> => {
  const observer = createObserver(core.logger, core.report, core.recorder);
  const scrape = createScrape(
    metrics,
    () => readStoreMetrics(core, reactorsOf(core)),
    (error) => observer.failed(error, null),
  );
  // Node.js makes 128 at once.
  const newRequestId = () => randomUUID();
  const { rateLimit: requestsPerSecond, authFailures } = config;
  const rateLimits = createRateLimits({ requestsPerSecond, authFailures, countTest: core.countTest });
  const common = operationRoutes({ checks, observer, clock: core.clock, scrape, hasStarted });
  const app = createApp({
    routes: roles.includes('api') ? routesOf(config, core, { objects, sender, rateLimits, common }) : common,
    keys: core.credentials,
    sessions: core.administrators,
    origins: config.allowedOrigins,
    clock: core.clock,
    awaitPosition: (position) => core.progress.reached(position, MAX_VISIBILITY_WAIT_MS),
    observer,
    rateLimits,
    idempotency: core.idempotency,
    reserve: core.reserve,
    proxies: config.trustProxy,
    unavailableParts: core.availability.unavailable,
    isClosed,
    metricsToken: config.metricsToken,
    newRequestId,
  });
  const { host, port } = config;
  return startServer(app.callback(), { host, port, observer, newRequestId });
};
