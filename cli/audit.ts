import { changesBetween } from '../kernel/changes.ts';
import { type Point, point, submissionId } from './arguments.ts';
import type { Audited } from './audited.ts';
import type { Chain } from './chain.ts';
import { type Command, type Common, leaf, WrongUsage } from './commandLine.ts';
import { addEvidenceCommands } from './evidence.ts';
import { CommandFailed } from './failure.ts';
import type { Output } from './output.ts';
import type { Core, Runtime } from './runtime.ts';
import { withStores } from './stores.ts';
import { deliveryColumns } from './webhooks.ts';

type Options = Common & Readonly<{ at?: Point; diff?: readonly Point[]; follow?: true }>;
type Events = readonly Audited[];

const COMMAND = 'intake audit';

/** `intake audit`: the event stream of one submission. */
export const addAuditCommand = (program: Command, runtime: Runtime): void => {
  const command = leaf(program, 'audit', 'show what happened to a submission, by whom, and what it changed', [
    'intake audit sub_01hv6x3m8q2r5t7w9y0a1b2c3d',
    'intake audit sub_01hv6x3m8q2r5t7w9y0a1b2c3d --at 2026-11-21T10:46:00Z --json | jq .state',
    'intake audit sub_01hv6x3m8q2r5t7w9y0a1b2c3d --diff 3 5',
    'intake audit sub_01hv6x3m8q2r5t7w9y0a1b2c3d --follow',
  ])
    .argument('<submission>', 'its identifier, or its session’s', submissionId)
    .option('--at <point>', 'as it was at a revision or a time', point)
    .option('--diff <points...>', 'what changed from one revision or time to another', points)
    .option('--follow', 'print new events until Ctrl-C; with --json one line an event')
    .action(audit(runtime));
  addEvidenceCommands(command, runtime);
};

const points = (text: string, before: readonly Point[] = []): readonly Point[] => [...before, point(text)];

const audit =
  (runtime: Runtime) =>
  async (id: string, options: Options): Promise<void> => {
    const { at, diff, follow } = options;
    if ([at, diff, follow].filter((option) => option !== undefined).length > 1) {
      throw new WrongUsage('--at, --diff and --follow exclude each other: give one of them.', COMMAND);
    }
    if (diff !== undefined && diff.length !== 2) {
      throw new WrongUsage('--diff takes two points: --diff 3 5.', COMMAND);
    }
    await withStores(runtime, options, async ({ core, output, upToDate }) => {
      const { submissionStream } = await import('../domain/submission.ts');
      const { chainOf } = await import('./chain.ts');
      const name = submissionStream(id);
      const { readStream } = await import('../evidence/collect.ts');
      const { audited } = await import('./audited.ts');
      const stored = await readStream(core.events.read, name);
      const chain = chainOf(stored);
      const stream = audited(await core.open(stored));
      if (stream.length === 0) throw unknown(id);
      if (chain.document.brokenAt && stream[0]?.revision !== 0)
        throw new CommandFailed('chain-broken', `The stream ${name} is not whole: ${chain.text}`);
      if (follow) {
        const { followStream } = await import('./follow.ts');
        output.notice(chain.text);
        return followStream(core, stream, output);
      }
      if (diff) return showDifference(stream, diff, chain, output);
      await upToDate();
      await showTimeline(core, stream, at, chain, output);
    });
  };

const unknown = (id: string): CommandFailed =>
  new CommandFailed(
    'submission-not-found',
    `There is no submission ${id} here.`,
    'Are the settings (DATA_DIR, or the engines) those that the server uses?',
  );

const showTimeline = async (
  core: Core,
  stream: Events,
  at: Point | undefined,
  chain: Chain,
  output: Output,
): Promise<void> => {
  const { timelineOf, entryText, headText } = await import('./timeline.ts');
  const until = at === undefined ? stream.length - 1 : indexOf(stream, at);
  const shown = stream.slice(0, until + 1);
  const { entries, states } = timelineOf(shown);
  const state = states.at(-1) ?? null;
  const deliveries = await core.deliveries.ofEvents(shown.map(({ id }) => id));
  await output.answer({ events: entries, state, deliveries, chain: chain.document }, async () => {
    const lines = [state === null ? '' : headText(state), chain.text, '', ...entries.map(entryText), ''];
    if (state) lines.push(`It ${at === undefined ? 'is' : 'was'} ${state.status} (its job: ${state.state}).`);
    if (deliveries.length === 0) return lines.join('\n');
    const { table } = await import('./table.ts');
    return [...lines, '', 'Webhooks, current state:', table(deliveries, deliveryColumns)].join('\n');
  });
};

const showDifference = async (
  stream: Events,
  [from, to]: readonly Point[],
  chain: Chain,
  output: Output,
): Promise<void> => {
  if (from === undefined || to === undefined) return;
  const { timelineOf, entryText, changeLines } = await import('./timeline.ts');
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
