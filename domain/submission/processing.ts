import type { Decisions, Folds } from '../../kernel/byType.ts';
import { DomainError } from '../../kernel/decider.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import { closed, meaning, type OfMembers, privatePart, Type, text, time } from '../../kernel/schema.ts';
import type { WorkflowVersion } from '../workflow.ts';
import { move, requireCurrent } from './guard.ts';
import { fail } from './result.ts';
import { type ReasonAndActor, stated } from './review.ts';
import { type AttemptReference, attempt, routing, transition } from './routing.ts';
import type { Submission, SubmissionEvent } from './state.ts';
import { unreadStatuses } from './transitions.ts';

/** The origin of the http extractor that reads a submission's files. */
export const readBy = {
  readBy: Type.Optional(
    text(
      'the origin of the http extractor that reads its files; absent where they are read here, or by nobody',
    ),
  ),
};
export type ReadBy = OfMembers<typeof readBy>;

/** Who reads the files of a version's submissions. */
export const readByOf = ({ processing: { extractor } }: Pick<WorkflowVersion, 'processing'>): ReadBy =>
  typeof extractor === 'object' ? { readBy: new URL(extractor.http.url).origin } : {};

/** The events of a submission's processing. */
export const processingEvents = {
  SubmissionProcessingStarted: {
    about: 'A worker claimed it.',
    data: closed({ ...transition, ...attempt }),
  },
  SubmissionProcessingDelayed: {
    about: 'The attempt failed for a passing reason.',
    data: closed({
      ...routing,
      ...attempt,
      retryAt: time('when the next attempt is due'),
      waitsFor: Type.Optional(
        meaning(
          Type.Literal('extractor'),
          'an http extractor gave no result; absent where it was a part of the service',
        ),
      ),
      private: privatePart({ reason: text('for people') }),
    }),
  },
  SubmissionReprocessingRequested: {
    about: 'A new round was requested.',
    data: closed({
      ...transition,
      round: attempt.round,
      ...readBy,
      private: Type.Optional(
        meaning(privatePart(stated), 'why, and by whom; absent where an older release requested it'),
      ),
    }),
  },
} as const satisfies EventDefinitions;

export type ProcessingEvent = EventsOf<typeof processingEvents>;

/** Starts the next attempt, or gives up after `maxAttempts`. `at`: the time now, in ISO 8601. */
type StartProcessing = Readonly<{ maxAttempts: number; at: string }>;
type DelayProcessing = AttemptReference &
  Readonly<{ reason: string; retryAt: string; waitsFor?: 'extractor' }>;

/** A submission's part of processing. */
export type ProcessingState = Readonly<{
  /** The origin of the http extractor that reads its files; null where they are read here, or by nobody. */
  readBy: string | null;
  round: number;
  attempt: number;
  /** How many attempts of this round failed for a passing reason of the service's own. */
  delays: number;
  /** How many attempts of this round got no result from its http extractor. */
  waits: number;
  /** When the next attempt of this round is due; null unless one was delayed. */
  retryAt: string | null;
}>;

/** Before the first attempt of the first round. */
export const notProcessed: ProcessingState = {
  readBy: null,
  round: 1,
  attempt: 0,
  delays: 0,
  waits: 0,
  retryAt: null,
};

/** The folds of processing. */
export const processingFolds: Folds<Submission, ProcessingEvent> = {
  SubmissionProcessingStarted: (state, { round, attempt }) => ({
    ...state,
    status: 'processing',
    state: 'processing',
    round,
    attempt,
    retryAt: null,
  }),
  SubmissionProcessingDelayed: (state, { retryAt, waitsFor }) => ({
    ...state,
    retryAt,
    ...(waitsFor ? { waits: state.waits + 1 } : { delays: state.delays + 1 }),
  }),
  SubmissionReprocessingRequested: (state, { round }) => ({
    ...state,
    status: 'processing',
    state: 'processing',
    round,
    attempt: 0,
    droppedAttempt: 0,
    delays: 0,
    waits: 0,
    retryAt: null,
    failedReason: null,
  }),
};

/**
 * An attempt's start. Throws `SubmissionNotProcessable` when nothing is to be processed, or not yet: a queue
 * that is behind must not use up the attempts before they are due.
 */
export const startProcessing = (command: StartProcessing, state: Submission): readonly SubmissionEvent[] => {
  if (state.state !== 'queued' && state.state !== 'processing') {
    const message = `A job that is ${state.state} has nothing to process.`;
    const facts = { currentStatus: state.status, allowedFrom: ['created', 'processing'] };
    throw new DomainError('SubmissionNotProcessable', message, facts);
  }
  if (state.retryAt !== null && command.at < state.retryAt) {
    throw new DomainError('SubmissionNotProcessable', `The next attempt is due at ${state.retryAt}.`);
  }
  if (state.attempt >= command.maxAttempts) {
    return fail(state, 'failed', `Processing was tried ${state.attempt} times and never came to an end.`);
  }
  const { routing, status: from, processed, round } = state;
  const change = { from, to: 'processing', firstProcessed: false, processed } as const;
  const data = { ...routing, ...change, round, attempt: state.attempt + 1 };
  return [{ type: 'SubmissionProcessingStarted', data }];
};

/** The decisions on a submission's processing. */
export const processingDecisions = {
  StartProcessing: startProcessing,
  /** Notes that an attempt failed for a passing reason. Throws `ProcessingAttemptSuperseded`. */
  DelayProcessing: (command: DelayProcessing, state) => {
    if (state.status !== 'processing') return [];
    requireCurrent(command, state);
    const { round, attempt, retryAt, reason, waitsFor } = command;
    const waits = waitsFor ? { waitsFor } : {};
    const data = { ...state.routing, round, attempt, retryAt, ...waits, private: { reason } };
    return [{ type: 'SubmissionProcessingDelayed', data }];
  },
  /** A new round of a submission that failed or was blocked. Throws `SubmissionNotReprocessable`. */
  Reprocess: ({ reason = null, actor = null }: Partial<ReasonAndActor>, state) => {
    const change = move(state, 'processing', 'SubmissionNotReprocessable', unreadStatuses);
    const readBy = state.readBy === null ? {} : { readBy: state.readBy };
    const round = state.round + 1;
    const data = { ...state.routing, ...change, round, ...readBy, private: { reason, actor } };
    return [{ type: 'SubmissionReprocessingRequested', data }];
  },
} satisfies Decisions<Submission, SubmissionEvent>;
