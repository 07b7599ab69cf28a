import type { Report } from '../../../kernel/report.ts';
import { pause } from '../../../kernel/signals.ts';
import type { ProjectPorts } from '../live.ts';
import { forgetParked, parkedFor } from '../parked.ts';
import { readModelStates } from '../readModels.ts';
import { RebuildInProgress, runDrop, runRebuild } from './leased.ts';
import type { RebuildEvent } from './rebuild.ts';

const POLL_MS = 10_000;
/** Less than a command commits at once: this process answers requests at the same time. */
export const PAGE = 2_000;
/** How long old collections stay after a swap: queries may still read them. */
export const GRACE_MS = 5_000;
const REPORT_MS = 10_000;

type Ports = ProjectPorts &
  Readonly<{ catalogue(): Promise<Readonly<{ canRead(type: string, schema: number): boolean }>> }>;

/**
 * Rebuilds read models that are outdated, new, or lack parked events that are known by now, until the signal
 * is aborted.
 */
export const rebuildOutdated = async (
  ports: Ports,
  signal: AbortSignal,
  graceMs = GRACE_MS,
): Promise<void> => {
  const { log, documents, owner, report } = ports;
  while (!signal.aborted) {
    const { due, rows } = await dueIn(ports);
    const onEvent = reporting(report);
    const options = { log, documents, owner, signal, page: PAGE, patienceMs: 0, graceMs, onEvent };
    try {
      // An unfinished collection of an older release may lack those events too.
      const isDone = due.length === 0 || (await runRebuild({ ...options, anew: rows.length > 0 }, due));
      if (isDone) await forgetParked(documents.tables, rows);
      await runDrop(options, ports.projections);
    } catch (error) {
      if (!(error instanceof RebuildInProgress)) throw error;
    }
    await pause(POLL_MS, signal);
  }
};

const dueIn = async ({ projections, documents: { models, tables }, catalogue }: Ports) => {
  const { outdated, newer } = await readModelStates(projections, models);
  if (newer.length > 0) return { due: [], rows: [] };
  const { canRead } = await catalogue();
  const { rows, projections: affected } = await parkedFor(tables, projections, canRead);
  return { due: [...new Set([...outdated.map(({ projection }) => projection), ...affected])], rows };
};

/** Logs the steps of a rebuild, its progress now and then. */
export const reporting = (report: Report): ((event: RebuildEvent) => void) => {
  let reportedAt = performance.now();
  return ({ event, ...facts }) => {
    if (event === 'progress') {
      if (performance.now() - reportedAt < REPORT_MS) return;
      reportedAt = performance.now();
    }
    if (event === 'quarantined') report.error(MESSAGES[event], named(facts));
    else report.info(MESSAGES[event], facts);
  };
};

const MESSAGES: Readonly<Record<RebuildEvent['event'], string>> = {
  waiting: 'a rebuild waits for another one',
  begun: 'a rebuild of a read model started',
  progress: 'read models are being rebuilt',
  holding: 'live read models are paused for the swap',
  compared: 'a rebuilt read model was compared',
  serves: 'a rebuilt read model serves',
  quarantined: 'a document was quarantined: its projection threw on an event',
  dropped: 'the old collection of a read model was dropped',
};

// Not as `key`: the log cuts members of that name out.
const named = (facts: object): object => {
  const { key: document, ...others } = facts as Readonly<{ key?: unknown }>;
  return { ...others, document };
};
