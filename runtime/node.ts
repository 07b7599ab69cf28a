import type { Role } from '../cli/runtime.ts';
import { pause } from '../kernel/signals.ts';
import { supervise } from '../kernel/supervise.ts';
import { waitFor } from '../kernel/timeLimit.ts';
import { version } from '../kernel/version.ts';
import { lagReader, readerOf } from '../projections/engine/lag.ts';
import { servedReadModels } from '../projections/engine/readModels.ts';
import { queueItems } from '../projections/queueStatus.ts';
import type { Availability } from '../stores/availability/availability.ts';
import { createFigures, type Gauges, NOT_MEASURED } from '../telemetry/figures.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { BEAT_MS, createNodes, type NodeOutage, type Nodes, type PartState } from '../telemetry/nodes.ts';
import { publicDetail } from './readiness.ts';
import type { Core } from './wire.ts';

type NodeCore = Pick<Core, 'clock' | 'availability' | 'documents' | 'owner'>;

/** The processes of the service; this one with its roles, figures, parts and outages. */
export const nodesOf = (core: NodeCore, { totals }: Metrics, roles: readonly Role[]): Nodes => {
  const { clock, availability, documents, owner: node } = core;
  const figures = createFigures(totals, clock);
  const now = (): string => clock.now().toISOString();
  const startedAt = now();
  return createNodes({
    tables: documents.tables,
    clock,
    own: async (gauges) => ({
      ...{ node, roles, version, startedAt, seenAt: now(), stoppedAt: null },
      minutes: await figures(gauges),
      parts: partsOf(availability),
      outages: outagesOf(availability),
    }),
  });
};

const outagesOf = ({ outages }: Availability): readonly NodeOutage[] =>
  outages().map(({ part, from, until, readable, error }) => ({
    ...{ part, from, until, readable },
    detail: publicDetail(error) ?? 'it could not be checked',
  }));

/** The parts as they were found last. */
const partsOf = (availability: Availability): readonly PartState[] => {
  const outages = outagesOf(availability);
  return availability.parts().map((part) => {
    const last = outages.find((outage) => outage.part === part);
    if (last?.until !== null)
      return { part, available: true, readable: true, since: last?.until ?? null, detail: null };
    const { readable, from: since, detail } = last;
    return { part, available: false, readable, since, detail };
  });
};

type MeasuredCore = Pick<Core, 'log' | 'documents' | 'clock' | 'projections'>;

/** How long a stop waits for the last word of the process. */
const LAST_MS = 1_000;

/**
 * Says every ten seconds that this process runs. Gives what ends its loops, by `end`, and then says that it
 * has stopped.
 */
export const withHeartbeat = (
  core: MeasuredCore & Pick<Core, 'report'>,
  nodes: Nodes,
  roles: readonly Role[],
  end: () => Promise<void>,
): (() => Promise<void>) => {
  const stop = new AbortController();
  const beat = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await nodes.beat(roles.includes('projections') ? await measured(core) : NOT_MEASURED);
      await pause(BEAT_MS, signal);
    }
    await waitFor(nodes.stop(), LAST_MS);
  };
  const beating = supervise('heartbeat', beat, stop.signal, core.report);
  return async () => {
    await end();
    stop.abort();
    await beating;
  };
};

const MAX_EVENTS = 200;

const measured = async (core: MeasuredCore): Promise<Gauges> => ({
  lagSeconds: await lagOf(core),
  queues: await queueItems(core.documents.models),
});

/** How far the read models are behind the log at the most, in seconds. */
const lagOf = async ({ log, documents: { models }, clock, projections }: MeasuredCore): Promise<number> => {
  const served = await servedReadModels(projections, models);
  const lags = await lagReader(log, models, clock.now(), MAX_EVENTS)(served.map(readerOf));
  return Math.max(0, ...Object.values(lags).map(({ seconds }) => seconds));
};
