import { waitFor } from '../kernel/timeLimit.ts';
import type { Tracing } from '../kernel/trace.ts';
import { type Config, InvalidSettings } from './settings/config.ts';

/** How traces are recorded, null where nothing records them; `close` sends those that wait. */
type Traces = Readonly<{ tracing: Tracing | null; close(): Promise<void> }>;

/** How long a stop waits for a collector. */
const LAST_MS = 2_000;

/**
 * Records traces where a collector's address is set, or an SDK of OpenTelemetry was registered before
 * the service. Throws `InvalidSettings` where the packages that send them are not installed.
 */
export const openTraces = async (
  { otlpEndpoint }: Pick<Config, 'otlpEndpoint'>,
  loadSdk: () => Promise<typeof import('../telemetry/otlp.ts')> = () => import('../telemetry/otlp.ts'),
): Promise<Traces> => {
  const { registeredTracing, traceFault, tracingOf } = await import('../telemetry/traces.ts');
  if (otlpEndpoint === null) return { tracing: registeredTracing(), close: async () => undefined };
  const { otlpProvider } = await loadSdk().catch(notInstalled);
  const provider = otlpProvider(otlpEndpoint);
  return {
    tracing: tracingOf(provider),
    close: () => waitFor(provider.shutdown().catch(traceFault), LAST_MS),
  };
};

const notInstalled = (error: NodeJS.ErrnoException): never => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  const detail = 'needs optional packages that are not installed: run npm ci without --omit=optional';
  throw new InvalidSettings([{ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', detail }]);
};
