import { submissionId } from './arguments.ts';
import { type Command, leaf } from './commandLine.ts';
import type { Runtime } from './runtime.ts';
import { onStores, type Stores } from './stores.ts';

/**
 * `intake submissions reprocess` and `sync`: what operators do with a submission, in the group that lists
 * them.
 */
export const addSubmissionCommands = (submissions: Command, runtime: Runtime): void => {
  submissions.commandsGroup('On the data folder or engines, for operators:');
  leaf(submissions, 'reprocess', 'start a new round of processing for one that failed or was blocked', [
    'intake submissions reprocess sub_01hv6x3m8q2r5t7w9y0a1b2c3d',
    'intake submissions reprocess sub_01hv6x3m8q2r5t7w9y0a1b2c3d --json | jq .round',
  ])
    .argument('<submission>', 'its identifier, or its session’s', submissionId)
    .action(onStores(runtime, reprocess));
  leaf(
    submissions,
    'sync',
    'send the data of an approved one to its workflow’s target now: given up, waiting for its next try, or never sent',
    [
      'intake submissions sync sub_01hv6x3m8q2r5t7w9y0a1b2c3d',
      'intake submissions sync sub_01hv6x3m8q2r5t7w9y0a1b2c3d --json | jq .count',
    ],
  )
    .argument('<submission>', 'its identifier, or its session’s', submissionId)
    .action(onStores(runtime, sync));
};

const reprocess = async ({ core, output, context, visible }: Stores, given: string): Promise<void> => {
  const { reviewSubmission } = await import('../commands/reviewSubmission.ts');
  const { submissionIdOf } = await import('../domain/submission/submission.ts');
  const id = submissionIdOf(given);
  const { state, position } = await reviewSubmission(core)(id, { type: 'Reprocess' }, context);
  await visible(position);
  const { status: submissionStatus, round } = state ?? { status: 'processing', round: 1 };
  await output.answer(
    { id, submissionStatus, round },
    () => `${id} is queued for round ${round}: a running server processes it.`,
  );
};

const sync = async ({ core, output, context, visible, upToDate }: Stores, given: string): Promise<void> => {
  const { requestSync } = await import('../commands/requestSync.ts');
  const { submissionIdOf } = await import('../domain/submission/submission.ts');
  await upToDate();
  const id = submissionIdOf(given);
  const { handle, log, workflows } = core;
  const { count, position } = await requestSync({ handle, log, version: workflows.kept })(id, context);
  await visible(position);
  await output.answer({ id, count }, () =>
    count === 0 ? `${id} is due already.` : `${id} will be sent at once, by a running server.`,
  );
};
