import { LeaseLost } from '../kernel/errors.ts';
import { pause } from '../kernel/signals.ts';
import type { Projection } from '../projections/engine/projection.ts';
import { PATIENCE_MS, RebuildInProgress, runRebuild } from '../projections/engine/rebuild/leased.ts';
import { CommandFailed } from './failure.ts';
import type { Output } from './output.ts';
import { createRebuildView } from './rebuildView.ts';
import type { Core } from './runtime.ts';

/** Events committed at once by a command: no request waits for this process. */
export const PAGE = 5_000;
const GRACE_MS = 5_000;
/** A server that starts on embedded stores ends every lease; its own loops acquire theirs a moment later. */
const RETRY_MS = 1_000;

/**
 * Rebuilds read models from this process until it is done or cancelled, and shows how it goes. Throws
 * `CommandFailed` when it was cancelled or another process does it.
 */
export const rebuildFromHere = async (
  { log, documents, owner, isServed }: Pick<Core, 'log' | 'documents' | 'owner' | 'isServed'>,
  projections: readonly Projection[],
  anew: boolean,
  signal: AbortSignal,
  output: Output,
): Promise<void> => {
  const view = createRebuildView(output);
  const attempt = async (isAnew: boolean): Promise<boolean> => {
    const options = { log, documents, owner, signal, page: PAGE, patienceMs: PATIENCE_MS, graceMs: GRACE_MS };
    view.start();
    try {
      return await runRebuild({ ...options, isServed, onEvent: view.show, anew: isAnew }, projections);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      view.pauseFor('a server has started and taken every lease: going on in a second');
      await pause(RETRY_MS, signal);
      return attempt(false);
    }
  };
  try {
    if (!(await attempt(anew))) throw cancelled();
    view.done();
  } catch (error) {
    if (error instanceof RebuildInProgress)
      throw new CommandFailed('rebuild-under-way', error.message, '`intake projections status` shows it.');
    throw error;
  } finally {
    view.close();
  }
};

const cancelled = (): CommandFailed =>
  new CommandFailed(
    'cancelled',
    'The rebuild was cancelled; what serves is as it was.',
    'The same command resumes it; with --anew it starts again.',
  );
