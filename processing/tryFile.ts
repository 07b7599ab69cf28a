import { labelsOf } from '../domain/slots.ts';
import type { Result } from '../domain/submission/result.ts';
import type { Reviewing } from '../domain/workflowSettings.ts';
import type { Clock } from '../kernel/clock.ts';
import { StoreUnavailable } from '../kernel/errors.ts';
import { linkTo } from '../kernel/signals.ts';
import type { Processor } from './engine/processor.ts';
import { type ReadDefinition, readByDefinition, resultOf } from './readByDefinition.ts';
import type { InputFile, ShownAs, ShownPage } from './types.ts';

type Ports = Readonly<{
  processor: Pick<Processor, 'process' | 'check' | 'list' | 'draw' | 'close'>;
  clock: Clock;
}>;

/** The child process that reads on trial, which is there only while it is used: behind all documents. */
export const TRYING = { concurrency: 1, idleMs: 60_000, nice: 19 };

/** For all of a trial, in ms. */
const MAX_MS = 60_000;
/** Pages that are drawn, and the width of their pictures in pixels. */
const [MAX_PAGES, WIDTH] = [5, 1_200];

/** A file on trial: `fileName` is what its sender calls it. */
export type TriedFile = Readonly<{
  fileId: string;
  fileName: string | null;
  mimeType: string;
  content: Uint8Array;
}>;

/** A definition, or what a company makes of it. */
type TriedDefinition = ReadDefinition & Readonly<{ processing: Reviewing }>;

type DrawnPage = ShownPage & Readonly<{ as: ShownAs; bytes: Uint8Array }>;

/** What a file would give, without the fraud checks; `pages`: some of its pages as people see them. */
export type Tried = Readonly<{ kind: 'tried'; result: Result; pages: readonly DrawnPage[] }>;

/**
 * Reads a file by a definition and keeps nothing of it. A file that no session would accept is `refused`.
 * While as many are read as may be, another is `busy`, and so is one that takes over a minute (`isLate`).
 * Throws TransientFailure, and StoreUnavailable once it is closed; `close` ends the processor.
 */
export const tryFile = ({ processor, clock }: Ports) => {
  const closing = new AbortController();
  let running = 0;
  const examine = async (definition: TriedDefinition, file: InputFile, signal: AbortSignal) => {
    const { acceptedFormats } = definition.upload;
    const checked = await processor.check(acceptedFormats, [file], signal);
    if (checked.kind !== 'checked') return { kind: 'refused', reason: reasonOf(checked) } as const;
    const outcome = await readByDefinition({ processor, clock }, definition, [file], signal);
    const result = resultOf(outcome, definition);
    return { kind: 'tried', result, pages: await drawn(processor, file, result, signal) } as const;
  };
  return {
    run: async (definition: TriedDefinition, { fileName, ...tried }: TriedFile, gone: AbortSignal) => {
      closing.signal.throwIfAborted();
      if (running >= TRYING.concurrency) return { kind: 'busy', isLate: false } as const;
      running += 1;
      const late = AbortSignal.timeout(MAX_MS);
      const linked = linkTo(late, gone, closing.signal);
      const [label = ''] = labelsOf(definition.upload);
      try {
        const examined = await examine(definition, { ...tried, label }, linked.signal);
        return examined.kind === 'tried'
          ? named(examined, { fileId: tried.fileId, label, fileName })
          : examined;
      } catch (error) {
        closing.signal.throwIfAborted();
        if (linked.signal.aborted) return { kind: 'busy', isLate: true } as const;
        throw error;
      } finally {
        linked.unlink();
        running -= 1;
      }
    },
    close: async (): Promise<void> => {
      closing.abort(new StoreUnavailable('the service is stopping'));
      await processor.close();
    },
  };
};

type Names = Readonly<{ fileId: string; label: string; fileName: string | null }>;

/** What was tried with the name of its file, as a submission's result has it. */
const named = (tried: Tried, names: Names): Tried => {
  if (tried.result.kind !== 'extracted') return tried;
  const { extraction } = tried.result;
  const files = [{ ...names, fileIndex: 0 }];
  const result = { ...extraction.result, files };
  return { ...tried, result: { ...tried.result, extraction: { ...extraction, result } } };
};

const reasonOf = (outcome: object): string => ('reason' in outcome ? String(outcome.reason) : '');

/** The first page, and those where values or doubts are; none of a file that can't be shown. */
const drawn = async (
  processor: Pick<Processor, 'list' | 'draw'>,
  file: InputFile,
  result: Result,
  signal: AbortSignal,
): Promise<readonly DrawnPage[]> => {
  const listed = await processor.list(file, signal);
  if (listed.kind !== 'pages') return [];
  const wanted = placesIn(result);
  const chosen = listed.pages
    .filter(({ page }, index) => index === 0 || wanted.has(page))
    .slice(0, MAX_PAGES);
  const pages: DrawnPage[] = [];
  for (const one of chosen) {
    const picture = await processor.draw(file, one.page, WIDTH, signal);
    if (picture.kind === 'drawn') pages.push({ ...one, as: picture.as, bytes: picture.bytes });
  }
  return pages;
};

const placesIn = (result: Result): ReadonlySet<number> => {
  if (result.kind !== 'extracted') return new Set();
  const places = Object.values(result.extraction.result.fields).map(({ place }) => place);
  const doubts = result.reviewReasons.map((reason) => ('place' in reason ? reason.place : null));
  return new Set([...places, ...doubts].flatMap((place) => place?.page ?? []));
};
