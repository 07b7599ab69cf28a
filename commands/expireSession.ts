import { submission, submissionStream } from '../domain/submission.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { type Handle, unasked } from './handle.ts';

/** Ends a session whose time is over (lifecycle-8); nothing when it was submitted, or has ended otherwise. */
export const expireSession =
  ({ handle, clock, ids }: Readonly<{ handle: Handle; clock: Clock; ids: Ids }>) =>
  async (submissionId: string): Promise<void> => {
    const command = { type: 'ExpireSession', at: clock.now().toISOString() } as const;
    await handle(submission, submissionStream(submissionId), command, unasked('sweep', ids));
  };
