import type { Submission } from '../domain/submission/state.ts';
import { type Audited, audited } from './audited.ts';
import type { Output } from './output.ts';
import type { Core } from './runtime.ts';
import { untilStopped } from './signals.ts';
import { entryText, nextEntry } from './timeline.ts';

/** Shows a submission's events so far, then each new one as it comes, until SIGINT or SIGTERM. */
export const followStream = async (core: Core, stream: readonly Audited[], output: Output): Promise<void> => {
  const signal = untilStopped();
  const last = stream.at(-1);
  if (!last) return;
  let state: Submission | null = null;
  const show = async (event: Audited): Promise<void> => {
    const next = nextEntry(state, event);
    state = next.state;
    await output.answer(next.entry, () => entryText(next.entry));
  };
  for (const event of stream) await show(event);
  const options = { prefixes: [last.stream], page: 100, signal };
  for await (const { events } of core.events.follow(last.position, options)) {
    for (const event of audited(await core.open(events))) await show(event);
  }
};
