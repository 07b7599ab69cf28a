import { type Point, point, submissionId } from './arguments.ts';
import { type Command, type Common, leaf, WrongUsage } from './commandLine.ts';
import { addEvidenceCommands } from './evidence.ts';
import type { Runtime } from './runtime.ts';
import { withStores } from './stores.ts';

/** The points to show, or to compare, and whether to follow the stream. */
export type AuditOptions = Readonly<{ at?: Point; diff?: readonly Point[]; follow?: true }>;

/** How its commands are called in what they print. */
export const COMMAND = 'intake audit';

/** `intake audit`: the event stream of one submission. */
export const addAuditCommand = (program: Command, runtime: Runtime): void => {
  const command = leaf(program, 'audit', 'show what happened to a submission, and by whom', [
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
  async (id: string, options: Common & AuditOptions): Promise<void> => {
    const { at, diff, follow } = options;
    if ([at, diff, follow].filter((option) => option !== undefined).length > 1) {
      throw new WrongUsage('--at, --diff and --follow exclude each other: give one of them.', COMMAND);
    }
    if (diff !== undefined && diff.length !== 2) {
      throw new WrongUsage('--diff takes two points: --diff 3 5.', COMMAND);
    }
    const { auditStream } = await import('./auditStream.ts');
    await withStores(runtime, options, (stores) => auditStream(stores, id, options));
  };
