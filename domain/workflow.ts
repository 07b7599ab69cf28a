import { type FieldType, fieldTypeNames, fieldTypes, plainTypeNames } from '../fieldTypes/all.ts';
import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import type { EventOf } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { pick } from '../kernel/pick.ts';
import { closed, meaning, nullable, type Of, oneOf, share, Type, text, whole } from '../kernel/schema.ts';
import { Gate, Passage, passageOf, refusalOf, type Tried } from './evaluation/gate.ts';
import { type FraudCheckType, fraudCheckTypes } from './fraud/checks.ts';

/** The stream of a workflow: `workflow-<slug>`; the slug is its name for ever. */
export const workflowStream = (slug: string): string => `workflow-${slug}`;

/** What two people may have to decide of a version's submissions (review-11). */
export const fourEyesOutcomes = ['approved', 'rejected'] as const;
export type FourEyesOutcome = (typeof fourEyesOutcomes)[number];

/** What a version may do about the matches of a check, whatever their score; `allow` only lists them. */
export const fraudAnswers = ['flag', 'block', 'allow'] as const;

/** By check; a check that is not named is judged by its score. */
export const FraudAnswers = meaning(
  Type.Unsafe<Readonly<Partial<Record<FraudCheckType, (typeof fraudAnswers)[number]>>>>(
    closed(Object.fromEntries(fraudCheckTypes.map((type) => [type, Type.Optional(oneOf(fraudAnswers))]))),
  ),
  'what is done about the matches of a check, whatever their score; absent where there is none',
);
export type FraudAnswers = Of<typeof FraudAnswers>;

const named = {
  name: Type.String(),
  label: nullable(Type.String()),
  required: Type.Boolean(),
  description: nullable(Type.String()),
};

const validation = nullable(
  closed({
    pattern: Type.Optional(Type.String()),
    minLength: Type.Optional(Type.Integer()),
    maxLength: Type.Optional(Type.Integer()),
  }),
);

/** A column of a table: what a field of its type is. */
export const OutputColumn = closed({ ...named, type: oneOf(plainTypeNames), validation });
export type OutputColumn = Of<typeof OutputColumn>;

/** A field that a workflow reads, as people and checks have it. */
export const OutputField = closed({
  ...named,
  type: oneOf(fieldTypeNames),
  validation,
  // Absent in fields of other types.
  columns: Type.Optional(meaning(Type.Array(OutputColumn), 'of a table')),
});
export type OutputField = Of<typeof OutputField>;

const Endpoint = closed({
  url: Type.String(),
  secretEnv: text('the setting that holds the secret which signs'),
});
export type Endpoint = Of<typeof Endpoint>;

/**
 * What pictures must be so that they are read. Blur, darkness and glare block only a picture whose letters
 * were read less surely than `legible` in the mean. 0 turns a minimum off, 1 `maxGlare`.
 */
const PictureQuality = closed({
  minSide: whole('of the shorter side of a picture, in pixels'),
  minSharpness: share('how sharp a picture must be'),
  minBrightness: share('how bright its paper must be'),
  maxGlare: share('how much of it may be burnt out'),
  legible: share('how surely its letters are read where the three before do not matter'),
  cutOff: oneOf(['allow', 'block']),
  blank: oneOf(['allow', 'block']),
});
export type PictureQuality = Of<typeof PictureQuality>;

const Processing = closed({
  extractor: Type.Union([oneOf(['document', 'json']), closed({ http: Endpoint })]),
  review: oneOf(['auto', 'always']),
  reviewBelow: share('the confidence below which a person must look'),
  // Absent where one person decides, as in all versions that were published before there was a choice.
  fourEyes: Type.Optional(
    meaning(Type.Array(oneOf(fourEyesOutcomes)), 'the outcomes that two people must decide'),
  ),
  // Absent where it may, as in all versions that were published before there was a choice.
  requireComplete: Type.Optional(
    meaning(Type.Boolean(), 'whether an approval without a value of a required field is refused'),
  ),
  // Versions that were published before there were limits have the usual ones.
  quality: Type.Optional(PictureQuality),
  fraud: closed({
    checks: Type.Array(oneOf(fraudCheckTypes)),
    businessKey: Type.Array(Type.String()),
    flagAt: share('the score that flags'),
    blockAt: share('the score that blocks'),
    requireResolution: Type.Boolean(),
    policy: Type.Optional(FraudAnswers),
  }),
  sync: nullable(Endpoint),
  // Absent where the next version may be published untried.
  gate: Type.Optional(meaning(Gate, 'what the version after this one must show before it is published')),
});
export type Processing = Of<typeof Processing>;

const Upload = closed({
  minFiles: Type.Integer(),
  maxFiles: Type.Integer(),
  acceptedFormats: meaning(Type.Array(Type.String()), 'media types'),
  fileLabels: Type.Array(Type.String()),
  maxFileSizeMb: Type.Number(),
});
export type Upload = Of<typeof Upload>;

const WorkflowVersion = closed({
  workflowId: Type.String(),
  slug: text('its name for ever'),
  version: whole('of the definition, from 1'),
  name: Type.String(),
  description: nullable(Type.String()),
  icon: nullable(Type.String()),
  color: nullable(Type.String()),
  upload: Upload,
  outputSchema: meaning(Type.Array(OutputField), 'the fields to be found'),
  // Absent where the definition names none, as in all versions that were published before there was a choice.
  list: Type.Optional(
    meaning(Type.Array(Type.String()), 'the names of the fields whose values name a submission in lists'),
  ),
  processing: Processing,
});
/** A published version: it never changes. */
export type WorkflowVersion = Of<typeof WorkflowVersion>;

const LABEL_FIELDS = 3;

/**
 * The fields whose values name a submission in lists: those of `list`, else the first required ones, else the
 * first ones (labels-2). Tables name nothing.
 */
export const labelFields = ({
  list,
  outputSchema,
}: Pick<WorkflowVersion, 'list' | 'outputSchema'>): readonly Pick<OutputField, 'name' | 'type'>[] => {
  const plain = outputSchema.filter(({ type }) => type !== 'table');
  const required = plain.filter((field) => field.required);
  const chosen = list
    ? list.flatMap((name) => plain.filter((field) => field.name === name))
    : (required.length > 0 ? required : plain).slice(0, LABEL_FIELDS);
  return chosen.map((field) => pick(field, 'name', 'type'));
};

const { workflowId, version: _version, ...definition } = WorkflowVersion.properties;
/** What a publisher writes, with every default filled in (definitions-2). */
export const Definition = closed(definition);
export type WorkflowDefinition = Of<typeof Definition>;

const { slug } = definition;
const Assignment = closed({ workflowId, slug, companyId: Type.String() });

const events = {
  WorkflowPublished: {
    about: 'A version was published, with every default filled in. It never changes.',
    data: closed({
      ...WorkflowVersion.properties,
      companies: Type.Optional(
        meaning(
          Type.Array(Type.String()),
          'the companies that it is assigned to; absent where there are none',
        ),
      ),
      passage: Type.Optional(
        meaning(Passage, 'how it passed the gate of the version before; absent where that has none'),
      ),
    }),
  },
  WorkflowAssigned: { about: 'A company may open sessions.', data: Assignment },
  WorkflowUnassigned: { about: 'A company may open no new sessions.', data: Assignment },
} as const satisfies EventDefinitions;

export type WorkflowEvent = EventsOf<typeof events>;
export type WorkflowPublished = EventOf<WorkflowEvent, 'WorkflowPublished'>;

type Workflow = Readonly<{
  workflowId: string;
  slug: string;
  version: number;
  companies: readonly string[];
  gate?: Gate | undefined;
}>;

const evolve = evolveBy<Workflow | null, WorkflowEvent>({
  WorkflowPublished: (state, data) => ({
    ...pick(data, 'workflowId', 'slug', 'version'),
    companies: state?.companies ?? [],
    ...(data.processing.gate ? { gate: data.processing.gate } : {}),
  }),
  WorkflowAssigned: (state, { companyId }) =>
    state && { ...state, companies: [...state.companies, companyId] },
  WorkflowUnassigned: (state, { companyId }) =>
    state && { ...state, companies: state.companies.filter((id) => id !== companyId) },
});

/**
 * `workflowId` is used for a new workflow only. `version` is what it is expected to become. `tried` is for
 * the gate of the newest version, `force` the reason to publish in spite of it.
 */
type PublishWorkflow = Readonly<{
  workflowId: string;
  definition: WorkflowDefinition;
  version?: number | undefined;
  tried?: Tried | null;
  force?: string | undefined;
}>;
type AssignWorkflow = Readonly<{ companyId: string }>;

const decisions = {
  PublishWorkflow: (
    { workflowId, definition, version: expected, tried = null, force }: PublishWorkflow,
    state,
  ) => {
    const version = (state?.version ?? 0) + 1;
    if (expected !== undefined && expected !== version)
      throw new DomainError(
        'WorkflowVersionTaken',
        `The next version of ${definition.slug} is ${version}, not ${expected}.`,
      );
    const { companies = [], gate } = state ?? {};
    const refusal = gate ? refusalOf(gate, tried) : null;
    if (refusal !== null && force === undefined)
      throw new DomainError('PublishGateClosed', `Version ${version - 1} has a gate. ${refusal}`);
    const data = {
      ...{ ...definition, workflowId: state?.workflowId ?? workflowId, version },
      ...(companies.length > 0 ? { companies } : {}),
      ...(gate ? { passage: passageOf(gate, tried, refusal === null ? null : (force ?? null)) } : {}),
    };
    return [{ type: 'WorkflowPublished', data }];
  },
  AssignWorkflow: ({ companyId }: AssignWorkflow, state) => {
    const { workflowId, slug, companies } = present(state);
    if (companies.includes(companyId)) return [];
    return [{ type: 'WorkflowAssigned', data: { workflowId, slug, companyId } }];
  },
  UnassignWorkflow: ({ companyId }: AssignWorkflow, state) => {
    const { workflowId, slug, companies } = present(state);
    if (!companies.includes(companyId)) return [];
    return [{ type: 'WorkflowUnassigned', data: { workflowId, slug, companyId } }];
  },
} satisfies Decisions<Workflow | null, WorkflowEvent>;

const present = (state: Workflow | null): Workflow => {
  if (!state) throw new DomainError('WorkflowNotFound', 'There is no such workflow.');
  return state;
};

/** A workflow: its published versions and the companies it is assigned to. */
export const workflow: Decider<Workflow | null, CommandOf<typeof decisions>, WorkflowEvent> = {
  category: 'workflow-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: () => null,
};

/** Whether values of a type are amounts, which lists show with two decimals (labels-1). */
export const isAmount = (type: FieldType): boolean => fieldTypes[type].isAmount;
