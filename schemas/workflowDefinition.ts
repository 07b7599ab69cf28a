import type { FraudCheckType as CheckType } from '../domain/fraud/checks.ts';
import { usualQuality } from '../domain/pictureQuality.ts';
import {
  type WorkflowDefinition as CompleteDefinition,
  type FraudAnswers,
  fraudAnswers,
  type OutputField,
} from '../domain/workflow.ts';
import { fieldTypeNames, plainTypeNames } from '../fieldTypes/all.ts';
import { pick } from '../kernel/pick.ts';
import { closed, example, MediaType, meaning, type Of, oneOf, Share, Slug, Type } from '../kernel/schema.ts';
import { Approver, SetSize } from './evaluations.ts';
import { FraudCheckType } from './fraud.ts';
import { DecisionOutcome } from './review.ts';

const Length = Type.Integer({ minimum: 0, maximum: 100_000 });

const NAME = 'letters, digits and underscores, not starting with a digit';

/** An address, and what signs requests to it. */
export const SignedEndpoint = closed({
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  secretEnv: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: 128, description: NAME }),
});

export const FieldType = oneOf(fieldTypeNames);
export const ColumnType = oneOf(plainTypeNames);

/** What a text field must be. */
export const DefinitionFieldRules = closed({
  pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  minLength: Type.Optional(Length),
  maxLength: Type.Optional(Length),
});

const named = {
  name: Type.String({ pattern: '^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$', maxLength: 64, description: NAME }),
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  required: Type.Boolean(),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
};

/** A column of a table. */
export const DefinitionColumn = closed({
  ...named,
  type: ColumnType,
  validation: Type.Optional(DefinitionFieldRules),
});

/** A field to read. */
export const DefinitionField = closed({
  ...named,
  type: FieldType,
  validation: Type.Optional(DefinitionFieldRules),
  columns: Type.Optional(
    Type.Array(DefinitionColumn, { minItems: 1, maxItems: 50, description: 'of a `table`, which has some' }),
  ),
});

// definitionProblems.ts validates the names of checks.
export const FraudAnswer = oneOf(fraudAnswers);

const Policy = Type.Unsafe<FraudAnswers>({
  type: 'object',
  additionalProperties: FraudAnswer,
});

/** How submissions are compared with earlier ones. */
export const DefinitionFraud = closed({
  checks: Type.Optional(Type.Array(FraudCheckType, { uniqueItems: true })),
  businessKey: Type.Optional(Type.Array(Type.String(), { uniqueItems: true, maxItems: 20 })),
  flagAt: Type.Optional(Share),
  blockAt: Type.Optional(Share),
  requireResolution: Type.Optional(Type.Boolean()),
  policy: Type.Optional(Policy),
});

// Each keyword applies to one type: unlike with anyOf, a fault names the member.
export const Extractor = Type.Unsafe<'document' | 'json' | { http: { url: string; secretEnv: string } }>({
  type: ['string', 'object'],
  pattern: '^(document|json)$',
  description: '`document`, `json`, or an object with `http`',
  examples: ['document'],
  properties: { http: SignedEndpoint },
  required: ['http'],
  additionalProperties: false,
});

export const AllowOrBlock = oneOf(['allow', 'block']);

/** What pictures must be so that they are read. */
export const DefinitionQuality = closed({
  minSide: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  minSharpness: Type.Optional(Share),
  minBrightness: Type.Optional(Share),
  maxGlare: Type.Optional(Share),
  legible: Type.Optional(Share),
  cutOff: Type.Optional(AllowOrBlock),
  blank: Type.Optional(AllowOrBlock),
});

/** What the next version must be tried on. */
export const DefinitionGateSet = closed({
  size: meaning(SetSize, 'of how many approved submissions at least', 300),
  approvedBy: Type.Optional(Approver),
});

/** What the next version must show before it is published (evaluations-15). */
export const DefinitionGate = closed({
  set: DefinitionGateSet,
  maxWrong: meaning(Share, 'the share that may be wrong of what it approves without a person', 0.02),
});

export const ReviewRule = example(oneOf(['auto', 'always']), 'always');

/** How submissions are processed. */
export const DefinitionProcessing = closed({
  extractor: Type.Optional(Extractor),
  review: Type.Optional(ReviewRule),
  reviewBelow: Type.Optional(Share),
  fourEyes: Type.Optional(Type.Array(DecisionOutcome, { uniqueItems: true })),
  requireComplete: Type.Optional(Type.Boolean()),
  quality: Type.Optional(DefinitionQuality),
  fraud: Type.Optional(DefinitionFraud),
  sync: Type.Optional(SignedEndpoint),
  gate: Type.Optional(DefinitionGate),
});

/** The files to accept. */
export const DefinitionUpload = closed({
  minFiles: Type.Integer({ minimum: 0, maximum: 100, examples: [1] }),
  maxFiles: Type.Integer({ minimum: 1, maximum: 100, examples: [3] }),
  acceptedFormats: Type.Array(MediaType, {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    examples: [['image/jpeg', 'application/pdf']],
  }),
  fileLabels: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
    maxItems: 100,
    uniqueItems: true,
    examples: [['front', 'back']],
  }),
  maxFileSizeMb: Type.Number({ exclusiveMinimum: 0, maximum: 5120, examples: [10] }),
});

const FIELDS: readonly Of<typeof DefinitionField>[] = [
  {
    name: 'company',
    label: 'Company',
    required: true,
    description: 'who sold',
    type: 'string',
    validation: { minLength: 1, maxLength: 200 },
  },
  { name: 'total', label: 'Total', required: true, description: 'amount paid', type: 'number' },
];

/** The definition that is published (definitions-1); definitionProblems.ts has its other rules. */
export const WorkflowDefinition = closed({
  slug: Slug,
  name: Type.String({ minLength: 1, maxLength: 128, examples: ['Receipt'] }),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  icon: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  color: Type.Optional(
    Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: '# and six hexadecimal digits' }),
  ),
  upload: DefinitionUpload,
  outputSchema: Type.Array(DefinitionField, { minItems: 1, maxItems: 500, examples: [FIELDS] }),
  list: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
      description:
        'names of fields, whose values name a submission in lists; by default the first three that are required, or of all where none is',
      examples: [['company', 'total']],
    }),
  ),
  processing: Type.Optional(DefinitionProcessing),
});
export type WorkflowDefinition = Of<typeof WorkflowDefinition>;

/** The defaults of omitted members (definitions-2). */
export const defaults = {
  // Unknown is null (formats-3): a default would be stored for ever.
  look: { description: null, icon: null, color: null },
  fraud: {
    checks: [] as readonly CheckType[],
    businessKey: [] as readonly string[],
    flagAt: 0.5,
    blockAt: 0.9,
    requireResolution: true,
  },
  processing: { extractor: 'document', review: 'auto', reviewBelow: 0.8, sync: null },
  gateSet: { approvedBy: 'anybody' },
} as const;

/** A published version as a definition that could be published again: what is null in it is left out. */
export const definitionOf = (published: CompleteDefinition): WorkflowDefinition => {
  const { slug, name, upload, outputSchema, list = null, processing } = published;
  const { sync, ...rules } = processing;
  return {
    slug,
    name,
    ...given(pick(published, 'description', 'icon', 'color')),
    upload,
    outputSchema: outputSchema.map(({ columns, ...field }) => ({
      ...statedOf(field),
      ...(columns ? { columns: columns.map(statedOf) } : {}),
    })),
    ...given({ list }),
    processing: { ...rules, ...given({ sync }) },
  };
};

const statedOf = <F extends Omit<OutputField, 'columns'>>(field: F) => ({
  ...pick<F, 'name' | 'type' | 'required'>(field, 'name', 'type', 'required'),
  ...given(pick<F, 'label' | 'description' | 'validation'>(field, 'label', 'description', 'validation')),
});

/** The members that are not null. */
const given = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };

/** The definition with every default filled in (definitions-2); a field without a label gets its name. */
export const withDefaults = ({ processing = {}, ...definition }: WorkflowDefinition): CompleteDefinition => {
  const { gate, ...rules } = processing;
  return {
    ...defaults.look,
    ...definition,
    outputSchema: definition.outputSchema.map(({ columns, ...field }) => ({
      ...unstated(field),
      ...field,
      ...(columns ? { columns: columns.map((column) => ({ ...unstated(column), ...column })) } : {}),
    })),
    processing: {
      ...defaults.processing,
      ...rules,
      quality: { ...usualQuality, ...rules.quality },
      fraud: { ...defaults.fraud, ...rules.fraud },
      ...(gate ? { gate: { ...gate, set: { ...defaults.gateSet, ...gate.set } } } : {}),
    },
  };
};

const unstated = ({ name }: Readonly<{ name: string }>) => ({
  label: name,
  description: null,
  validation: {},
});
