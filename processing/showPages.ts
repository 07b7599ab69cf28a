import { setMaxListeners } from 'node:events';
import type { Submission } from '../domain/submission/state.ts';
import { DomainError } from '../kernel/decider.ts';
import { StoreUnavailable } from '../kernel/errors.ts';
import { createNamedQueues } from '../kernel/semaphore.ts';
import type { Processor } from './engine/processor.ts';
import { TransientFailure } from './errors.ts';
import { type FetchPorts, withFiles } from './fetchFiles.ts';
import type { Drawn, InputFile, NoPage, Outcome, Pages } from './types.ts';

type Ports = Omit<FetchPorts, 'onFetched'> &
  Readonly<{ processor: Pick<Processor, 'list' | 'draw' | 'close'> }>;

type File = Submission['files'][number];

/** Why a file, or a page of it, can't be shown, for people. */
export type NotShown = Readonly<{ kind: 'not_shown'; reason: string }>;

/** The child processes that draw pages for people, which are there only while they are used. */
export const DRAWING = { concurrency: 2, idleMs: 60_000, stepCpuMs: 6_000, otherCpuMs: 6_000 };

const MIB = 1_024 ** 2;
/** Of a file that is shown, in bytes: it is fetched for each page. */
const MAX_SIZE = 100 * MIB;
/** Pages of one company that wait to be shown. */
const MAX_WAITING = 64;

/**
 * Shows submitted files page by page. A company has one page in progress and the others wait, so that it
 * holds up no other; what waits for a client that has `gone` is not begun. Both throw `PagesBusy` when too
 * many wait, and StoreUnavailable. `close` ends the processor.
 */
export const showPages = ({ processor, ...fetching }: Ports) => {
  const queues = createNamedQueues();
  const closing = new AbortController();
  const { signal } = closing;
  setMaxListeners(0, signal); // one for each waiting page
  const inTurn = async <T>(
    submission: Submission,
    file: File,
    gone: AbortSignal,
    work: (file: InputFile) => Promise<T>,
  ) => {
    const { companyId } = submission.routing;
    if (file.fileSize > MAX_SIZE)
      return notShown(
        `"${file.label}" is over ${MAX_SIZE / MIB} MiB, which is not shown: download the file.`,
      );
    if (queues.waiting(companyId) >= MAX_WAITING)
      throw new DomainError('PagesBusy', 'Too many pages of this company wait to be shown.');
    return queues.run(companyId, async () =>
      gone.aborted ? notShown('Nobody waits for it any more.') : onFile(submission, file, work),
    );
  };
  const onFile = async <T>(submission: Submission, file: File, work: (file: InputFile) => Promise<T>) => {
    const only = { ...submission, files: [file] };
    try {
      signal.throwIfAborted();
      const ports = { ...fetching, onFetched: () => undefined };
      const { result } = await withFiles(ports, only, signal, async ([fetched]) => fetched && work(fetched));
      if (result === undefined) throw new Error(`${file.fileId} was not fetched`);
      return result;
    } catch (error) {
      // A stream throws an error of its own.
      signal.throwIfAborted();
      if (!(error instanceof TransientFailure)) throw error;
      throw new StoreUnavailable(`a page of ${file.fileId} could not be shown: ${error.message}`, {
        cause: error,
      });
    }
  };
  return {
    /** The pages of a file, with their sizes in the units of the places on them. */
    list: (submission: Submission, file: File, gone: AbortSignal): Promise<Pages | NotShown> =>
      inTurn(submission, file, gone, async (fetched) => shown(await processor.list(fetched, signal))),
    /** A page (from 1) as a picture of at most `width` pixels across, or its text. */
    draw: (
      submission: Submission,
      file: File,
      page: number,
      width: number,
      gone: AbortSignal,
    ): Promise<Drawn | NoPage | NotShown> =>
      inTurn(submission, file, gone, async (fetched) =>
        shown(await processor.draw(fetched, page, width, signal)),
      ),
    close: async (): Promise<void> => {
      closing.abort(new StoreUnavailable('the service is stopping'));
      await processor.close();
    },
  };
};

const notShown = (reason: string): NotShown => ({ kind: 'not_shown', reason });

const shown = <T extends Pages | Drawn | NoPage>(result: T | Outcome): T | NotShown => {
  if (result.kind === 'extracted') throw new Error('a file that is shown is not searched for fields');
  return result.kind === 'failed' || result.kind === 'capture_quality_blocked'
    ? notShown(result.reason)
    : (result as T);
};
