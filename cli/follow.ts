import type { Recorded } from '../domain/kernel.ts';
import type { SubmissionEvent } from '../domain/submission/events.ts';
import type { Submission } from '../domain/submission/state.ts';
import type { Core } from '../runtime/wire.ts';
import type { Output } from './output.ts';
import { untilStopped } from './signals.ts';
import { entryText, nextEntry } from './timeline.ts';

/** Shows a submission's events so far, then each new one as it comes, until SIGINT or SIGTERM. */
export const followStream = async (
  core: Core,
  stream: readonly Recorded<SubmissionEvent>[],
  output: Output,
): Promise<void> => {
  const signal = untilStopped();
  const last = stream.at(-1);
  if (!last) return;
  let state: Submission | null = null;
  const show = async (event: Recorded<SubmissionEvent>): Promise<void> => {
    const next = nextEntry(state, event);
    state = next.state;
    await output.answer(next.entry, () => entryText(next.entry));
  };
  for (const event of stream) await show(event);
  const options = { prefixes: [last.stream], page: 100, signal };
  for await (const { events } of core.log.follow(last.position, options)) {
    for (const event of events as readonly Recorded<SubmissionEvent>[]) await show(event);
  }
};
