import type { Clock } from '../kernel/clock.ts';
import type { Tables } from '../stores/documents/port.ts';
import { changeRow, createPurge } from '../stores/documents/rows.ts';
import { type Gauges, type Minute, NOT_MEASURED } from './figures.ts';

/** A part as a process sees it, and since when; `readable`: an unavailable one that can still be read. */
export type PartState = Readonly<{
  part: string;
  available: boolean;
  readable: boolean;
  since: string | null;
  detail: string | null;
}>;

/** An outage that a process has seen; `until` is null while it lasts. */
export type NodeOutage = Readonly<{
  part: string;
  from: string;
  until: string | null;
  readable: boolean;
  detail: string;
}>;

/**
 * What a process says of itself every ten seconds, and when it stops. Times in ISO 8601, by its own clock.
 */
export type NodeRow = Readonly<{
  node: string;
  roles: readonly string[];
  version: string;
  startedAt: string;
  seenAt: string;
  stoppedAt: string | null;
  minutes: readonly Minute[];
  parts: readonly PartState[];
  outages: readonly NodeOutage[];
}>;

/** Whether a process runs; `silent`: it has not said so for more than 30 s. */
export type NodeState = 'running' | 'silent' | 'stopped';

/** How often a process says that it runs. */
export const BEAT_MS = 10_000;
const SILENT_MS = 30_000;
/** How long the row of a process stays that has stopped or is silent: its figures are of the last hour. */
const KEPT_MS = 3_600_000;
const MAX_NODES = 1_000;
/** How many rows each beat looks at that may have expired. */
const CHECKED = 10;

const TABLE = 'nodes';

/** `own` gives what this process says of itself, and is given what it has measured of the whole service. */
type Ports = Readonly<{
  tables: Tables;
  clock: Clock;
  own(gauges: Gauges): Promise<NodeRow>;
}>;

export type Nodes = Readonly<ReturnType<typeof createNodes>>;

/** The processes of the service, each with a row of its own. Throws `StoreUnavailable`. */
export const createNodes = ({ tables, clock, own }: Ports) => {
  const purge = createPurge<NodeRow>(tables, TABLE, CHECKED);
  const write = async (row: NodeRow): Promise<void> => {
    await changeRow<NodeRow>(tables, TABLE, row.node, () => row);
  };
  return {
    beat: async (gauges: Gauges): Promise<void> => {
      await write(await own(gauges));
      // Also one from the future: a clock was set back.
      const now = clock.now().getTime();
      await purge(({ seenAt }) => Math.abs(now - Date.parse(seenAt)) > KEPT_MS);
    },
    stop: async (): Promise<void> =>
      write({ ...(await own(NOT_MEASURED)), stoppedAt: clock.now().toISOString() }),
    /** Every process of the last hour, newest first, this one as it is now. */
    all: async (): Promise<readonly NodeRow[]> => {
      const self = await own(NOT_MEASURED);
      const others = (await rowsIn(tables)).filter(({ node }) => node !== self.node);
      return [self, ...others].sort((a, b) => (a.startedAt > b.startedAt ? -1 : 1));
    },
  };
};

/** What may be said of a process at a time. */
export const nodeState = ({ stoppedAt, seenAt }: NodeRow, now: Date): NodeState => {
  if (stoppedAt !== null) return 'stopped';
  return now.getTime() - Date.parse(seenAt) > SILENT_MS ? 'silent' : 'running';
};

/** Whether a process of the service runs, as far as it said so. Throws `StoreUnavailable`. */
export const someNodeRuns = async (tables: Tables, now: Date): Promise<boolean> => {
  const rows = await rowsIn(tables);
  return rows.some((row) => nodeState(row, now) === 'running');
};

const rowsIn = async (tables: Tables): Promise<readonly NodeRow[]> =>
  (await tables.list<NodeRow>(TABLE, { limit: MAX_NODES })).map(({ row }) => row);
