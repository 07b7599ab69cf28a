import { present } from '../domain/submission/guard.ts';
import type { Submission } from '../domain/submission/state.ts';
import { submission, submissionStream } from '../domain/submission/submission.ts';
import { syncTargetOf } from '../domain/submission/sync.ts';
import type { WorkflowVersion } from '../domain/workflow.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Context, Handle } from './handle.ts';
import { load } from './load.ts';

type Ports = Readonly<{
  handle: Handle;
  log: EventLog;
  version(reference: Submission['routing']['workflow']): Promise<WorkflowVersion>;
}>;

/**
 * Requests that an approved submission's data is sent to its workflow's target, with the whole retry
 * schedule; a pending request stays as it is and counts 0. Throws `SubmissionNotFound`,
 * `SubmissionNotApproved`, `SubmissionHasNoSync`, `SubmissionRedacted`.
 */
export const requestSync =
  ({ handle, log, version }: Ports) =>
  async (submissionId: string, context: Context) => {
    const stream = submissionStream(submissionId);
    const { routing } = present(await load(log, submission, stream));
    const command = { type: 'RequestSync', ...syncTargetOf(await version(routing.workflow)) } as const;
    const { events, position } = await handle(submission, stream, command, context);
    return { count: events.length, position };
  };
