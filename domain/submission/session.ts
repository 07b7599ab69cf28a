import { fieldTypeNames } from '../../fieldTypes/all.ts';
import type { Decisions, Folds } from '../../kernel/byType.ts';
import { DomainError } from '../../kernel/decider.ts';
import type { EventOf } from '../../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import {
  closed,
  meaning,
  nullable,
  type Of,
  oneOf,
  privatePart,
  record,
  Type,
  text,
  time,
  whole,
} from '../../kernel/schema.ts';
import { echoedEvent } from './echoed.ts';
import { Forced } from './forced.ts';
import { move } from './guard.ts';
import { type ReadBy, readBy, startProcessing } from './processing.ts';
import { type Routing, routing, type StatusChange, transition } from './routing.ts';
import type { Submission, SubmissionEvent } from './state.ts';

const place = { fileId: Type.String(), fileIndex: whole('its place, from 0'), label: Type.String() };

const Slot = closed({
  ...place,
  mimeType: nullable(text('as declared; null where nothing was')),
  fileSize: nullable(whole('in bytes, likewise')),
  sha256: nullable(text('hex, likewise')),
  form: Type.Optional(Type.Boolean({ description: 'sent as a form, as was asked for; absent otherwise' })),
  parts: Type.Optional(
    meaning(
      closed({
        size: whole('of each part but the last, in bytes'),
        sha256: nullable(meaning(Type.Array(Type.String()), 'of each part, in hex, as declared')),
      }),
      'how a large file is sent in parts; absent for one that is sent as a whole',
    ),
  ),
});
/** The slot of one file. */
export type Slot = Of<typeof Slot>;

const SubmittedFile = closed({
  ...place,
  mimeType: Type.String(),
  fileSize: whole('in bytes'),
  etag: text('the object store’s mark of the very bytes that were checked'),
});
/** A checked upload, copied to its evidence key. */
export type SubmittedFile = Of<typeof SubmittedFile>;

const Workflow = closed({
  id: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  version: Type.Integer(),
  // Absent in sessions that were opened before there were labels.
  list: Type.Optional(
    meaning(
      Type.Array(closed({ name: Type.String(), type: oneOf(fieldTypeNames) })),
      'the fields whose values name the submission in lists',
    ),
  ),
});

/** The events of a submission's session. */
export const sessionEvents = {
  SessionCreated: {
    about: 'A session was opened, and with it a submission in status created.',
    data: closed({
      ...transition,
      workflow: meaning(Workflow, 'the version that it is processed with for ever'),
      expiresAt: time('until when it can be submitted'),
      slots: meaning(Type.Array(Slot), 'the slots of its files'),
      // Outside the private part, so that a redacted session without one waits for no delivery.
      notifies: Type.Boolean({ description: 'whether there is a webhookUrl' }),
      private: privatePart({
        webhookUrl: nullable(Type.String()),
        ...echoedEvent,
        batchRef: nullable(Type.String()),
        fileNames: record(Type.String(), 'by fileId'),
      }),
    }),
  },
  SessionSubmitted: {
    about: 'Its uploads were checked and copied: it waits to be processed.',
    data: closed({
      ...routing,
      files: Type.Array(SubmittedFile),
      forced: Type.Optional(
        meaning(Forced, 'what its metadata force in test mode; absent where they force nothing'),
      ),
      ...readBy,
    }),
  },
  SessionExpired: { about: 'It was not submitted in time.', data: closed(transition) },
} as const satisfies EventDefinitions;

type SessionEvent = EventsOf<typeof sessionEvents>;
export type SessionCreated = EventOf<SessionEvent, 'SessionCreated'>;

type OpenSession = Readonly<{
  routing: Routing;
  session: Omit<SessionCreated['data'], keyof Routing | keyof StatusChange> &
    Pick<SessionCreated['data'], 'workflow'>;
}>;
type SubmitSession = Readonly<{ files: readonly SubmittedFile[] }> & ReadBy;
/** `at`: the time now, in ISO 8601. */
type ExpireSession = Readonly<{ at: string }>;

/** The `cancelReason` of an expired session. */
const EXPIRED_REASON = 'The session expired before it was submitted.';

/** The folds of a session's events but the first. */
export const sessionFolds: Folds<Submission, Exclude<SessionEvent, SessionCreated>> = {
  SessionSubmitted: (state, { files, readBy = null }) => ({ ...state, state: 'queued', files, readBy }),
  SessionExpired: (state) => ({
    ...state,
    status: 'cancelled',
    state: 'expired',
    cancelReason: EXPIRED_REASON,
  }),
};

/** A new session, with its submission in status created. Throws `SessionExists`. */
export const openSession = (command: OpenSession, state: Submission | null): readonly SessionEvent[] => {
  if (state !== null) throw new DomainError('SessionExists', 'There is a session of that identifier.');
  const change = { from: null, to: 'created', firstProcessed: false, processed: false } as const;
  return [{ type: 'SessionCreated', data: { ...command.routing, ...command.session, ...change } }];
};

/** Whether the session waits for its submit, false after it. Throws `SessionEnded`. */
const submittable = (state: Submission): boolean => {
  if (state.state === 'pending') return true;
  if (state.state === 'cancelled' || state.state === 'expired') {
    throw new DomainError('SessionEnded', `The session is ${state.state}: open a new one.`, facts(state));
  }
  return false;
};

/** The slots that wait for their files. Throws `SessionEnded`, `SessionAlreadySubmitted`. */
export const openSlots = (state: Submission): Submission['slots'] => {
  if (submittable(state)) return state.slots;
  const message = `The session is ${state.state}: its files are settled.`;
  throw new DomainError('SessionAlreadySubmitted', message, facts(state));
};

const facts = ({ status }: Submission) => ({ currentStatus: status, allowedFrom: ['created'] });

/** The decisions on a submission's session. */
export const sessionDecisions = {
  /**
   * Queues the session; nothing when it is queued or further (a machine's repetition). The processing of one
   * that is forced to stay in processing is started here, since no worker claims it. Throws `SessionEnded`.
   */
  SubmitSession: (command: SubmitSession, state) => {
    if (!submittable(state)) return [];
    const { routing, forced } = state;
    const submitted = {
      type: 'SessionSubmitted',
      data: {
        ...routing,
        files: command.files,
        ...(forced ? { forced } : {}),
        // Nobody opens files whose outcome is forced, so that none of these waits for an extractor.
        ...(command.readBy === undefined || forced?.outcome ? {} : { readBy: command.readBy }),
      },
    } as const;
    if (forced?.outcome !== 'processing') return [submitted];
    const start = { maxAttempts: 1, at: state.expiresAt };
    return [submitted, ...startProcessing(start, sessionFolds.SessionSubmitted(state, submitted.data))];
  },
  /** Ends a session that was not submitted in time; nothing in every other state. */
  ExpireSession: (command: ExpireSession, state) => {
    if (state.state !== 'pending' || command.at < state.expiresAt) return [];
    const data = { ...state.routing, ...move(state, 'cancelled', 'SubmissionNotCancellable') };
    return [{ type: 'SessionExpired', data }];
  },
} satisfies Decisions<Submission, SubmissionEvent>;
