import { type CommandOf, type Decisions, decideBy, evolveBy } from '../../kernel/byType.ts';
import { type Decider, DomainError } from '../../kernel/decider.ts';
import type { EventOf } from '../../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../../kernel/eventDefinition.ts';
import { pick } from '../../kernel/pick.ts';
import {
  closed,
  Mode,
  meaning,
  nullable,
  type Of,
  oneOf,
  share,
  Type,
  text,
  time,
  whole,
} from '../../kernel/schema.ts';
import { Definition } from '../workflow.ts';
import { WorkflowSettings, withSettings } from '../workflowSettings.ts';
import { approvers, type Tried } from './gate.ts';
import { Comparison } from './judge.ts';
import { approvedOf, type Measured } from './report.ts';

/** The stream of an evaluation: `evaluation-<ulid>`. */
export const evaluationStream = (evaluationId: string): string => `evaluation-${evaluationId.slice(4)}`;

/**
 * Why a submission is left out: it is redacted by now, its files can't be had, or its metadata forced the
 * outcome, so that nothing was read.
 */
export const omissions = ['redacted', 'unavailable', 'forced'] as const;

/** Which approved submissions a candidate is tried on. */
const EvaluationSet = closed({
  createdAfter: nullable(time('those that were created at this time or later')),
  createdBefore: nullable(time('those that were created before this time')),
  approvedBy: oneOf(approvers),
  size: whole('how many at most'),
  seed: whole('what they are drawn by: the same draws the same'),
});
export type EvaluationSet = Of<typeof EvaluationSet>;

const scope = {
  evaluationId: Type.String(),
  companyId: Type.String(),
  mode: Mode,
};

const events = {
  EvaluationRequested: {
    about: 'A version of a workflow is to be tried on approved submissions.',
    data: closed({
      ...scope,
      slug: text('of the workflow'),
      version: nullable(whole('the published version; null of a draft')),
      definition: meaning(Definition, 'with every default filled in'),
      settings: meaning(WorkflowSettings, 'what the company had set of the workflow'),
      set: EvaluationSet,
      found: whole('how many submissions match'),
      redacted: whole('how many of these are left out because they are redacted'),
      submissionIds: meaning(Type.Array(Type.String()), 'those that were drawn, in the order of reading'),
      // Absent where the set is of submissions that were approved before.
      shadow: Type.Optional(
        meaning(
          closed({ share: share('of the submissions that are approved from then on') }),
          'the set grows by what comes in, until it has its size; absent where it does not',
        ),
      ),
    }),
  },
  EvaluationExtended: {
    about: 'Submissions that were approved meanwhile are read too: the evaluation is a shadow.',
    data: closed({ ...scope, submissionIds: meaning(Type.Array(Type.String()), 'behind those before') }),
  },
  EvaluationProgressed: {
    about: 'Some more of these submissions were read, in their order.',
    data: closed({
      ...scope,
      comparisons: Type.Array(Comparison),
      omitted: meaning(
        Type.Array(closed({ submissionId: Type.String(), reason: oneOf(omissions) })),
        'those of them that are left out',
      ),
      left: whole('how many submissions are left'),
    }),
  },
  EvaluationPaused: { about: 'Nothing more is read until it is resumed.', data: closed(scope) },
  EvaluationResumed: {
    about: 'It goes on where it was paused.',
    data: closed({
      ...scope,
      left: Type.Optional(whole('how many submissions are left; absent where they were not counted')),
    }),
  },
  EvaluationCancelled: { about: 'It ends with what was read.', data: closed(scope) },
  EvaluationCompleted: { about: 'All submissions were read, or left out.', data: closed(scope) },
} as const satisfies EventDefinitions;

export type EvaluationEvent = EventsOf<typeof events>;
export type EvaluationRequested = EventOf<EvaluationEvent, 'EvaluationRequested'>;
type Requested = EvaluationRequested['data'];
type Progress = Pick<EventOf<EvaluationEvent, 'EvaluationProgressed'>['data'], 'comparisons' | 'omitted'>;

/** `running`: it goes on by itself. */
export const evaluationStatuses = ['running', 'paused', 'cancelled', 'completed'] as const;
export type EvaluationStatus = (typeof evaluationStatuses)[number];

/** `left`: the submissions that are still to be read. */
export type Evaluation = Requested &
  Progress &
  Readonly<{ status: EvaluationStatus; left: readonly string[] }>;

const become =
  (status: EvaluationStatus) =>
  (state: Evaluation | null): Evaluation | null =>
    state && { ...state, status };

const evolve = evolveBy<Evaluation | null, EvaluationEvent>({
  EvaluationRequested: (_state, data) => ({
    ...{ ...data, left: data.submissionIds, comparisons: [], omitted: [] },
    status: 'running',
  }),
  EvaluationExtended: (state, { submissionIds }) =>
    state && {
      ...state,
      submissionIds: [...state.submissionIds, ...submissionIds],
      left: [...state.left, ...submissionIds],
    },
  EvaluationProgressed: (state, { comparisons, omitted, left }) =>
    state && {
      ...state,
      comparisons: [...state.comparisons, ...comparisons],
      omitted: [...state.omitted, ...omitted],
      left: state.submissionIds.slice(state.submissionIds.length - left),
    },
  EvaluationPaused: become('paused'),
  EvaluationResumed: become('running'),
  EvaluationCancelled: become('cancelled'),
  EvaluationCompleted: become('completed'),
});

/** `done`: how many were read or left out before this step, over the next ones. */
type Advance = Progress & Readonly<{ done: number }>;

const scopeOf = (state: Requested) => pick(state, 'evaluationId', 'companyId', 'mode');
const completed = (state: Requested) => ({ type: 'EvaluationCompleted', data: scopeOf(state) }) as const;

const decisions = {
  RequestEvaluation: ({ request }: Readonly<{ request: Requested }>, state) => {
    if (state !== null) return [];
    const requested = { type: 'EvaluationRequested', data: request } as const;
    return request.submissionIds.length === 0 && isDrawn(request)
      ? [requested, completed(request)]
      : [requested];
  },
  /** By those that it does not have yet, up to its size. One that is paused takes them once it goes on. */
  ExtendEvaluation: ({ submissionIds }: Readonly<{ submissionIds: readonly string[] }>, state) => {
    if (!state?.shadow || state.status !== 'running') return [];
    const known = new Set(state.submissionIds);
    const added = submissionIds.filter((id) => !known.has(id)).slice(0, roomOf(state));
    if (added.length === 0) return [];
    return [{ type: 'EvaluationExtended', data: { ...scopeOf(state), submissionIds: added } }];
  },
  /** Nothing where another has taken this step, or the evaluation does not run. */
  AdvanceEvaluation: ({ done, comparisons, omitted }: Advance, state) => {
    if (state?.status !== 'running' || doneOf(state) !== done) return [];
    const after = state.left.length - comparisons.length - omitted.length;
    const data = { ...scopeOf(state), comparisons, omitted, left: after };
    const progressed = { type: 'EvaluationProgressed', data } as const;
    return after === 0 && isDrawn(state) ? [progressed, completed(state)] : [progressed];
  },
  PauseEvaluation: (_input: object, state) =>
    open(state).status === 'paused' ? [] : [{ type: 'EvaluationPaused', data: scopeOf(open(state)) }],
  ResumeEvaluation: (_input: object, state) => {
    const before = open(state);
    const data = { ...scopeOf(before), left: before.left.length };
    return before.status === 'running' ? [] : [{ type: 'EvaluationResumed', data }];
  },
  CancelEvaluation: (_input: object, state) =>
    state?.status === 'cancelled' ? [] : [{ type: 'EvaluationCancelled', data: scopeOf(open(state)) }],
} satisfies Decisions<Evaluation | null, EvaluationEvent>;

/** One that has not ended. Throws `EvaluationEnded`. */
const open = (state: Evaluation | null): Evaluation => {
  if (state?.status === 'running' || state?.status === 'paused') return state;
  throw new DomainError('EvaluationEnded', `The evaluation is ${state?.status ?? 'not there'}.`);
};

/** How many of the submissions of an evaluation were read or left out. */
export const doneOf = ({ submissionIds, left }: Evaluation): number => submissionIds.length - left.length;

/** How many submissions more a shadow takes. */
const roomOf = ({ set, submissionIds }: Pick<Requested, 'set' | 'submissionIds'>): number =>
  set.size - submissionIds.length;

/** Whether all that is to be read was drawn: nothing comes in any more. */
const isDrawn = (state: Pick<Requested, 'set' | 'submissionIds' | 'shadow'>): boolean =>
  !state.shadow || roomOf(state) <= 0;

/** What the candidate requires, and the threshold that it has for the company. */
export const measuredOf = ({
  definition,
  settings,
}: Pick<Requested, 'definition' | 'settings'>): Measured => ({
  required: definition.outputSchema.flatMap(({ name, required }) => (required ? [name] : [])),
  reviewBelow: withSettings(definition, settings).processing.reviewBelow,
});

/** A version tried on approved submissions: which they are, and how each was read. */
export const evaluation: Decider<Evaluation | null, CommandOf<typeof decisions>, EvaluationEvent> = {
  category: 'evaluation-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: () => null,
};

/** What a gate wants to know of an evaluation; `isSame` tells whether a definition is the one to publish. */
export const triedBy = (
  state: Evaluation,
  isSame: (definition: Requested['definition']) => boolean,
): Tried => {
  const sides = state.comparisons.map(({ after }) => after);
  return {
    ...{ evaluationId: state.evaluationId, approvedBy: state.set.approvedBy },
    ...{ isCompleted: state.status === 'completed', isSame: isSame(state.definition) },
    ...{ documents: sides.length, ...approvedOf(sides, measuredOf(state).required) },
  };
};
