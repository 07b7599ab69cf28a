import type { Submission } from '../domain/submission/state.ts';
import { submission, submissionStream } from '../domain/submission/submission.ts';
import type { LoadedStream } from '../stores/events/log.ts';
import { type CommandPorts, type Context, systemContext } from './handle.ts';

export type ExpiryPorts = Omit<CommandPorts, 'ids'>;

/** Expires a session that is due (lifecycle-8); no effect on one that was submitted or has ended. */
export const expireSession =
  (ports: CommandPorts) =>
  async (submissionId: string): Promise<void> =>
    void (await expire(ports, submissionId, systemContext('sweep', ports.ids)));

/**
 * The present state of a session, which expires before a request uses it if it is due and no sweep came
 * first.
 */
export const expireIfDue = (
  ports: ExpiryPorts,
  submissionId: string,
  context: Context,
  loaded?: LoadedStream,
): Promise<Submission | null> =>
  expire(ports, submissionId, { ...context, actor: { kind: 'system', id: 'expiry' } }, loaded);

const expire = async (
  { handle, clock }: ExpiryPorts,
  submissionId: string,
  context: Context,
  loaded?: LoadedStream,
): Promise<Submission | null> => {
  const command = { type: 'ExpireSession', at: clock.now().toISOString() } as const;
  const { state } = await handle(submission, submissionStream(submissionId), command, context, { loaded });
  return state;
};
