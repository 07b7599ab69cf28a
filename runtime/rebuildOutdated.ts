import type { RebuildEvent } from '../projections/rebuild/rebuild.ts';
import { standingOf } from '../projections/targets.ts';
import type { ProjectPorts } from './project.ts';
import { RebuildUnderWay, rebuildBeside } from './rebuild.ts';
import { pause } from './signals.ts';
import type { Report } from './supervise.ts';

/** How often a process looks whether there is something to rebuild: releases change rarely. */
const LOOK_MS = 10_000;
/** Small pages: this process answers requests meanwhile. */
const PAGE = 500;
const GRACE_MS = 5_000;
const TELL_MS = 10_000;

/**
 * Rebuilds the read models that this release makes in another version than the one that serves, or that are new in it, until the signal is aborted. What served
 * before goes on serving, as it was, until then.
 */
export const rebuildOutdated = async (ports: ProjectPorts, signal: AbortSignal): Promise<void> => {
  const { projections, log, documents, owner, report } = ports;
  while (!signal.aborted) {
    const { outdated, newer } = await standingOf(projections, documents.models);
    if (outdated.length > 0 && newer.length === 0) {
      const tell = telling(report);
      const options = { log, documents, owner, signal, page: PAGE, patienceMs: 0, graceMs: GRACE_MS, tell };
      try {
        await rebuildBeside(
          options,
          outdated.map(({ projection }) => projection),
        );
      } catch (error) {
        if (!(error instanceof RebuildUnderWay)) throw error;
      }
    }
    await pause(LOOK_MS, signal);
  }
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
