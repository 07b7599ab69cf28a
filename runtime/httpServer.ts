import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Role } from '../cli/runtime.ts';
import { createRateLimits } from '../http/engine/access/rateLimits.ts';
import { createApp } from '../http/engine/app.ts';
import { joinedPages, noPages } from '../http/engine/pages.ts';
import { type RunningServer, startServer } from '../http/engine/server/server.ts';
import { consolePages } from '../http/routes/console.ts';
import { docsFiles } from '../http/routes/documents.ts';
import { type Checks, createReadiness, healthRoutes } from '../http/routes/health.ts';
import { MAX_VISIBILITY_WAIT_MS } from '../projections/engine/progress.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createObserver } from '../telemetry/requestObserver.ts';
import { createScrape } from '../telemetry/scrape.ts';
import { readStoreMetrics } from '../telemetry/storeMetrics.ts';
import { reactorsOf } from './loops.ts';
import { type RouteConfig, type RoutePorts, routesOf } from './routes.ts';
import { type Config, publicUrlOf } from './settings/config.ts';
import type { Core } from './wire.ts';

/** `isClosed`: no call of the API that only reads, or does more, can be answered now. */
type Ports = Pick<RoutePorts, 'objects' | 'sender' | 'filePages' | 'trials' | 'provider' | 'nodes'> &
  Readonly<{
    metrics: Metrics;
    checks: Checks;
    isClosed(isRead: boolean): boolean;
    hasStarted(): boolean;
  }>;

type ServerConfig = RouteConfig &
  Pick<Config, 'host' | 'port' | 'allowedOrigins' | 'authFailures' | 'rateLimit' | 'trustProxy'> &
  Pick<Config, 'metricsToken'>;

/**
 * Starts the HTTP server of a process: health and metrics, and the API if that is among its roles. Throws
 * when the port is taken.
 */
export const startHttpServer = async (
  config: ServerConfig,
  core: Core,
  { metrics, checks, isClosed, hasStarted, ...ports }: Ports,
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
  const rateLimits = createRateLimits({ requestsPerSecond, authFailures, counts: core.counts });
  const readiness = createReadiness({ checks, observer, clock: core.clock, hasStarted });
  const common = healthRoutes({ readiness, scrape });
  const stopping = new AbortController();
  // Each request that waits for a change listens.
  setMaxListeners(0, stopping.signal);
  const isApi = roles.includes('api');
  const routePorts = {
    ...{ ...ports, rateLimits, readiness, common },
    stopping: stopping.signal,
    publicUrl: () => publicUrlOf(config, server.port),
  };
  const app = createApp({
    routes: isApi ? routesOf(config, core, routePorts) : common,
    pages: isApi ? joinedPages(consoleOf(config, core), docsFiles(DOCS)) : noPages,
    keys: core.credentials,
    sessions: core.people,
    company: core.companies.find,
    origins: config.allowedOrigins,
    publicUrl: config.publicUrl,
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
    tracing: core.tracing,
  });
  const { host, port, publicUrl } = config;
  const server = await startServer(app.callback(), { host, port, publicUrl, observer, newRequestId });
  return { ...server, close: () => closing(server, stopping) };
};

/** Ends the waits for changes first: a request that waits would hold the end up. */
const closing = (server: RunningServer, stopping: AbortController): Promise<void> => {
  stopping.abort();
  return server.close();
};

/** The folders that `npm run build` compiles the console and what the pages at /docs load to. */
const CONSOLE = fileURLToPath(new URL('../console', import.meta.url));
const DOCS = fileURLToPath(new URL('../docs', import.meta.url));

const consoleOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, { logger }: Pick<Core, 'logger'>) =>
  consolePages({
    folder: CONSOLE,
    publicUrl,
    missing: () => logger.warn({ folder: CONSOLE }, 'there is no console: npm run build compiles it'),
  });
