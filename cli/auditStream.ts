import type { Submission } from '../domain/submission/state.ts';
import { submissionStream } from '../domain/submission/submission.ts';
import { eventIdOf } from '../domain/webhookDelivery.ts';
import { chainBreak } from '../evidence/chain.ts';
import { readStream } from '../evidence/collect.ts';
import { sentenceOf } from '../evidence/verify/sentences.ts';
import { changesBetween } from '../kernel/changes.ts';
import { counted } from '../kernel/counted.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Recorded } from '../kernel/event.ts';
import type { DeliveryDocument } from '../projections/deliveries.ts';
import { hashOf } from '../stores/events/hash.ts';
import type { Point } from './arguments.ts';
import { type AuditOptions, COMMAND } from './audit.ts';
import { type Audited, audited } from './audited.ts';
import { WrongUsage } from './commandLine.ts';
import { CommandFailed } from './failure.ts';
import { type Output, table } from './output.ts';
import type { Core } from './runtime.ts';
import { whileStoppable } from './signals.ts';
import type { Stores } from './stores.ts';
import { changeLines, entryText, headText, nextEntry, timelineOf } from './timeline.ts';
import { deliveryColumns } from './webhooks.ts';

type Events = readonly Audited[];

/** Shows a submission's stream: its timeline, the difference of two points, or each event as it comes. */
export const auditStream = async (stores: Stores, id: string, options: AuditOptions): Promise<void> => {
  const { core, output, upToDate } = stores;
  const { at, diff, follow } = options;
  const name = submissionStream(id);
  const stored = await readStream(core.events.read, name);
  const chain = chainOf(stored);
  const stream = audited(await core.open(stored));
  if (stream.length === 0) throw new DomainError('SubmissionNotFound', `There is no submission ${id} here.`);
  if (chain.document.brokenAt && stream[0]?.revision !== 0)
    throw new CommandFailed('chain-broken', `The stream ${name} is not whole: ${chain.text}`);
  if (follow) {
    output.notice(chain.text);
    return whileStoppable((signal) => followStream(core, stream, output, signal));
  }
  if (diff) return showDifference(stream, diff, chain, output);
  await upToDate();
  await showTimeline(core, stream, at, chain, output);
};

type Chain = ReturnType<typeof chainOf>;

/** Whether the chain of `prev` hashes of a stream is whole, for programs and on a line for people. */
const chainOf = (events: readonly Recorded[]) => {
  const { why, ...event } = chainBreak(events, hashOf) ?? { why: null };
  const brokenAt = why && { ...event, detail: sentenceOf(why) };
  const hashes = events.map(hashOf);
  // What to write down: nothing in the log vouches for the last event yet.
  const lastHash = hashes.at(-1) ?? null;
  const text =
    brokenAt === null
      ? `Chain whole: ${counted(events.length, 'event')}, the last one’s hash is ${lastHash}`
      : `CHAIN BROKEN at revision ${brokenAt.revision} (${brokenAt.type}, ${brokenAt.id}): ${brokenAt.detail}`;
  return { document: { whole: brokenAt === null, events: events.length, lastHash, brokenAt, hashes }, text };
};

const showTimeline = async (
  core: Pick<Core, 'deliveries'>,
  stream: Events,
  at: Point | undefined,
  chain: Chain,
  output: Output,
): Promise<void> => {
  const until = at === undefined ? stream.length - 1 : indexOf(stream, at);
  const visible = stream.slice(0, until + 1);
  const { entries, states } = timelineOf(visible);
  const state = states.at(-1) ?? null;
  const deliveries = await deliveriesOf(core, visible);
  await output.answer({ events: entries, state, deliveries, chain: chain.document }, async () => {
    const lines = [state === null ? '' : headText(state), chain.text, '', ...entries.map(entryText), ''];
    if (state) lines.push(`It ${at === undefined ? 'is' : 'was'} ${state.status} (its job: ${state.state}).`);
    if (deliveries.length === 0) return lines.join('\n');
    return [...lines, '', 'Webhooks, current state:', await table(deliveries, deliveryColumns)].join('\n');
  });
};

/** The webhooks that these events caused, oldest first. */
const deliveriesOf = async (
  { deliveries }: Pick<Core, 'deliveries'>,
  events: Events,
): Promise<readonly DeliveryDocument[]> => {
  const ids = new Set(events.map(({ id }) => id));
  const [first] = events;
  const all = first ? await deliveries.ofSubmission(first.data) : [];
  return all.filter(({ id }) => ids.has(eventIdOf(id)));
};

const showDifference = async (
  stream: Events,
  [from, to]: readonly Point[],
  chain: Chain,
  output: Output,
): Promise<void> => {
  if (from === undefined || to === undefined) return;
  const [first, last] = [indexOf(stream, from), indexOf(stream, to)];
  if (first > last) throw new WrongUsage('--diff takes the earlier point first.', COMMAND);
  const { entries, states } = timelineOf(stream);
  const state = states[last] ?? null;
  const changes = changesBetween(states[first], state);
  const between = entries.slice(first + 1, last + 1);
  await output.answer({ events: between, state, changes, chain: chain.document }, () =>
    [
      chain.text,
      '',
      ...between.map((entry) => entryText({ ...entry, changes: [] })),
      `From revision ${stream[first]?.revision} to ${stream[last]?.revision}:`,
      ...(changes.length === 0
        ? ['    nothing changed']
        : changes.flatMap(changeLines).map((line) => `    ${line}`)),
    ].join('\n'),
  );
};

/** Shows a submission's events so far, then each new one as it comes, until the signal is aborted. */
const followStream = async (
  core: Pick<Core, 'events' | 'open'>,
  stream: Events,
  output: Output,
  signal: AbortSignal,
): Promise<void> => {
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

/** The index of the last event at or before the point. */
const indexOf = (stream: Events, at: Point): number => {
  if ('revision' in at) {
    const found = stream.findIndex(({ revision }) => revision === at.revision);
    if (found >= 0) return found;
    const end = stream.at(-1)?.revision;
    throw new CommandFailed('no-such-revision', `It has the revisions 0 to ${end}, not ${at.revision}.`);
  }
  const index = stream.findLastIndex(({ metadata }) => metadata.at <= at.time);
  if (index >= 0) return index;
  throw new CommandFailed(
    'not-yet-there',
    `It was not there at ${at.time}: its first event is of ${stream[0]?.metadata.at}.`,
  );
};
