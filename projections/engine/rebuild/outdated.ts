import type { Report } from '../../../kernel/report.ts';
import { pause } from '../../../kernel/signals.ts';
import type { ProjectPorts } from '../live.ts';
import { forgetParked, parkedFor } from '../parked.ts';
import { readModelStates } from '../readModels.ts';
import { RebuildInProgress, runDrop, runRebuild } from './leased.ts';
import type { RebuildEvent } from './rebuild.ts';

/** How often a process looks whether there is something to rebuild: releases change rarely. */
const LOOK_MS = 10_000;
/** Small pages: this process answers requests meanwhile. */
const PAGE = 500;
const GRACE_MS = 5_000;
const TELL_MS = 10_000;

type Ports = ProjectPorts &
  Readonly<{ catalogue(): Promise<Readonly<{ knows(type: string, schema: number): boolean }>> }>;

/**
 * Rebuilds the read models that this release makes in another version than the one that serves, that are new in it, or that have passed over events which it knows by
 * now, until the signal is aborted. What served before goes on serving until then.
 */
export const rebuildOutdated = async (
  ports: Ports,
  signal: AbortSignal,
  graceMs = GRACE_MS,
): Promise<void> => {
  const { log, documents, owner, report } = ports;
  while (!signal.aborted) {
    const { due, rows } = await dueIn(ports);
    const tell = telling(report);
    const options = { log, documents, owner, signal, page: PAGE, patienceMs: 0, graceMs, tell };
    try {
      // What an older release has begun to fill may have passed over those events too.
      const isDone = due.length === 0 || (await runRebuild({ ...options, anew: rows.length > 0 }, due));
      if (isDone) await forgetParked(documents.tables, rows);
      await runDrop(options, ports.projections);
    } catch (error) {
      if (!(error instanceof RebuildInProgress)) throw error;
    }
    await pause(LOOK_MS, signal);
  }
};

const dueIn = async ({ projections, documents: { models, tables }, catalogue }: Ports) => {
  const { outdated, newer } = await readModelStates(projections, models);
  if (newer.length > 0) return { due: [], rows: [] };
  const { knows } = await catalogue();
  const { rows, projections: passed } = await parkedFor(tables, projections, knows);
  const names = new Set([...outdated.map(({ projection }) => projection), ...passed]);
  return { due: [...names], rows };
};

const telling = (report: Report): ((event: RebuildEvent) => void) => {
  let told = performance.now();
  return ({ event, ...facts }) => {
    if (event === 'progress') {
      if (performance.now() - told < TELL_MS) return;
      told = performance.now();
    }
    if (event === 'quarantined') report.error(MESSAGES[event], named(facts));
    else report.info(MESSAGES[event], facts);
  };
};

const MESSAGES: Readonly<Record<RebuildEvent['event'], string>> = {
  waiting: 'a rebuild waits for another one',
  begun: 'a read model is rebuilt beside the one that serves',
  progress: 'read models are being rebuilt',
  holding: 'read models stand still for the swap',
  compared: 'a rebuilt read model was compared',
  serves: 'a rebuilt read model serves',
  quarantined: 'a document was quarantined: its projection threw on an event',
  dropped: 'the read model that served before was dropped',
};

// Not as `key`: the log cuts members of that name out.
const named = (facts: object): object => {
  const { key: document, ...others } = facts as Readonly<{ key?: unknown }>;
  return { ...others, document };
};
