import { DomainError } from '../../kernel/decider.ts';
import type {
  Move,
  Routing,
  SessionCreated,
  SessionExpired,
  SessionSubmitted,
  SubmissionEvent,
  SubmittedFile,
} from './events.ts';
import { move, present } from './guard.ts';
import { startProcessing } from './processing.ts';
import { type ReadBy, reading } from './readBy.ts';
import { evolve, type Submission } from './state.ts';

export type OpenSession = Readonly<{
  type: 'OpenSession';
  routing: Routing;
  session: Omit<SessionCreated['data'], keyof Routing | keyof Move> &
    Pick<SessionCreated['data'], 'workflow'>;
}>;
export type SubmitSession = Readonly<{ type: 'SubmitSession'; files: readonly SubmittedFile[] }> & ReadBy;
/** `at`: the time now, in ISO 8601. */
export type ExpireSession = Readonly<{ type: 'ExpireSession'; at: string }>;

/** A new session, with its submission in status created. Throws `SessionExists`. */
export const openSession = (command: OpenSession, state: Submission | null): readonly SessionCreated[] => {
  if (state !== null) throw new DomainError('SessionExists', 'There is a session of that identifier.');
  return [
    {
      type: 'SessionCreated',
      data: {
        ...command.routing,
        ...command.session,
        from: null,
        to: 'created',
        firstProcessed: false,
        processed: false,
      },
    },
  ];
};

/** Whether a submit would change anything: false when it has been submitted. Throws `SessionEnded` when it can't be any more. */
const submittable = (state: Submission): boolean => {
  if (state.state === 'pending') return true;
  if (state.state === 'cancelled' || state.state === 'expired') {
    throw new DomainError('SessionEnded', `The session is ${state.state}: open a new one.`, facts(state));
  }
  return false;
};

/** The places that still wait for their files. Throws `SessionEnded`, and `SessionAlreadySubmitted` once the files are settled. */
export const openSlots = (state: Submission): Submission['slots'] => {
  if (submittable(state)) return state.slots;
  const message = `The session is ${state.state}: its files are settled.`;
  throw new DomainError('SessionAlreadySubmitted', message, facts(state));
};

const facts = ({ status }: Submission) => ({ currentStatus: status, allowedFrom: ['created'] });

/**
 * Queues the session; nothing when it is queued or further (a machine's repetition). One that is forced to stay in processing is begun by
 * this, since no worker takes it. Throws `SessionEnded`.
 */
export const submitSession = (
  command: SubmitSession,
  current: Submission | null,
): readonly SubmissionEvent[] => {
  const state = present(current);
  if (!submittable(state)) return [];
  const { routing, forced } = state;
  const data = {
    ...routing,
    files: command.files,
    ...(forced ? { forced } : {}),
    ...reading(command, forced),
  };
  const submitted: SessionSubmitted = { type: 'SessionSubmitted', data };
  if (forced?.outcome !== 'processing') return [submitted];
  const begin = { type: 'StartProcessing', maxAttempts: 1, at: state.expiresAt } as const;
  return [submitted, ...startProcessing(begin, evolve(state, submitted))];
};

/** Ends a session that was not submitted in time; nothing in every other state. */
export const expireSession = (
  command: ExpireSession,
  current: Submission | null,
): readonly SessionExpired[] => {
  const state = present(current);
  if (state.state !== 'pending' || command.at < state.expiresAt) return [];
  return [
    {
      type: 'SessionExpired',
      data: { ...state.routing, ...move(state, 'cancelled', 'SubmissionNotCancellable') },
    },
  ];
};
