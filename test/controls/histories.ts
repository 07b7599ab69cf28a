import * as fc from 'fast-check';
import type { Recorded } from '../../domain/kernel.ts';
import type { SubmissionEvent } from '../../domain/submission/events.ts';
import { runThrough, submissionCommands } from './commands.ts';
import { batchId, logged } from './events.ts';

/** The same submission under another identifier, in a batch. */
const renamed = (event: SubmissionEvent, n: number): SubmissionEvent => {
  const submissionId = `sub_01hv6x3m8q2r5t7w9y0a1b2c3${n}`;
  return { ...event, data: { ...event.data, submissionId, batchId } } as SubmissionEvent;
};

/** Several histories side by side: one event of each in turn. */
const interleaved = (histories: readonly (readonly SubmissionEvent[])[]): readonly Recorded[] => {
  const longest = Math.max(...histories.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) =>
    histories.flatMap((history) => history[turn] ?? []),
  );
  return logged(turns.flat());
};

/** Logs of one to three submissions of one batch, each with a history of its own, side by side. */
export const batchLogs = fc
  .array(submissionCommands, { minLength: 1, maxLength: 3 })
  .map((all) =>
    interleaved(all.map((commands, n) => runThrough(commands).map((event) => renamed(event, n)))),
  );
