import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import type { Decider } from '../kernel/decider.ts';
import type { EventOf } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { pick } from '../kernel/pick.ts';
import { closed, Mode, Type, text, whole } from '../kernel/schema.ts';
import { basis } from './redactionBasis.ts';

/** The stream of the redaction of all submissions of a person: `subjectRedaction-<ulid>`. */
export const subjectRedactionStream = (redactionId: string): string =>
  `subjectRedaction-${redactionId.slice(4)}`;

/** Whose submissions, as the client names the person in them: both narrow. `metadata` is `name=value`. */
export type Subject = Readonly<{ clientSubmissionId: string | null; metadata: string | null }>;

/** Of how many submissions one takes care. */
export const MAX_SUBJECT_SUBMISSIONS = 10_000;

const scope = {
  redactionId: text('the redaction of several'),
  companyId: Type.String(),
  mode: Mode,
};
const ids = (description: string) => Type.Array(Type.String(), { description });

const events = {
  SubjectRedactionRequested: {
    about: 'All submissions of a person, as the client names the person in them, are to be redacted.',
    data: closed({
      ...scope,
      ...basis,
      subject: text('an HMAC of company, mode and what names the person'),
      submissionIds: ids('the submissions that were found, newest first'),
    }),
  },
  SubjectRedactionAdvanced: {
    about: 'Some more of these submissions were requested to be redacted, in their order.',
    data: closed({
      ...scope,
      others: whole('how many of them somebody else had requested before'),
      held: ids('those of them that a legal hold keeps'),
      failed: ids('those of them that could not be redacted'),
      left: whole('how many submissions are left'),
    }),
  },
} as const satisfies EventDefinitions;

export type SubjectRedactionEvent = EventsOf<typeof events>;
export type SubjectRedactionRequested = EventOf<SubjectRedactionEvent, 'SubjectRedactionRequested'>;
type Requested = SubjectRedactionRequested['data'];

/** `left`: those whose redaction is still to be requested. */
export type SubjectRedaction = Requested & Readonly<{ left: readonly string[] }>;

/** `left`: how many were left before this step, which is over `count` of them. */
type Advance = Readonly<{ left: number; count: number; others: number }> &
  Readonly<{ held: readonly string[]; failed: readonly string[] }>;

const evolve = evolveBy<SubjectRedaction | null, SubjectRedactionEvent>({
  SubjectRedactionRequested: (_state, data) => ({ ...data, left: data.submissionIds }),
  SubjectRedactionAdvanced: (state, { left }) =>
    state && { ...state, left: state.submissionIds.slice(state.submissionIds.length - left) },
});

const decisions = {
  RequestSubjectRedaction: ({ request }: Readonly<{ request: Requested }>, state) =>
    state === null ? [{ type: 'SubjectRedactionRequested', data: request }] : [],
  /** Nothing where another has taken this step. */
  AdvanceSubjectRedaction: ({ left, count, others, held, failed }: Advance, state) => {
    if (state?.left.length !== left) return [];
    const data = { ...pick(state, 'redactionId', 'companyId', 'mode'), others, held, failed };
    return [{ type: 'SubjectRedactionAdvanced', data: { ...data, left: left - count } }];
  },
} satisfies Decisions<SubjectRedaction | null, SubjectRedactionEvent>;

/** The redaction of all submissions of a person: which they are, and how many are left. */
export const subjectRedaction: Decider<
  SubjectRedaction | null,
  CommandOf<typeof decisions>,
  SubjectRedactionEvent
> = {
  category: 'subjectRedaction-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: () => null,
};
