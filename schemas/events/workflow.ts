import { fraudCheckTypes } from '../../domain/fraud/checks.ts';
import { fieldTypes, workflow } from '../../domain/workflow.ts';
import { closed, meaning, nullable, oneOf, Type } from '../../kernel/schema.ts';
import type { StreamEntry } from './event.ts';
import { CompanyId, FraudAnswers, share, text, whole } from './parts.ts';

const Endpoint = closed({
  url: Type.String(),
  secretEnv: text('the setting that holds the secret which signs'),
});

const Field = closed({
  name: Type.String(),
  label: nullable(Type.String()),
  required: Type.Boolean(),
  description: nullable(Type.String()),
  type: oneOf(fieldTypes),
  validation: nullable(
    closed({
      pattern: Type.Optional(Type.String()),
      minLength: Type.Optional(Type.Integer()),
      maxLength: Type.Optional(Type.Integer()),
    }),
  ),
});

const Processing = closed({
  extractor: Type.Union([oneOf(['document', 'json']), closed({ http: Endpoint })]),
  review: oneOf(['auto', 'always']),
  reviewBelow: share('the confidence below which a person must look'),
  quality: Type.Optional(
    closed({
      minSide: whole('of the shorter side of a picture, in pixels'),
      minSharpness: share('how sharp a picture must be'),
      minBrightness: share('how bright its paper must be'),
      maxGlare: share('how much of it may be burnt out'),
      legible: share('how surely its letters are read where the three before do not matter'),
      cutOff: oneOf(['allow', 'block']),
      blank: oneOf(['allow', 'block']),
    }),
  ),
  fraud: closed({
    checks: Type.Array(oneOf(fraudCheckTypes)),
    businessKey: Type.Array(Type.String()),
    flagAt: share('the score that flags'),
    blockAt: share('the score that blocks'),
    requireResolution: Type.Boolean(),
    policy: Type.Optional(FraudAnswers),
  }),
  sync: nullable(Endpoint),
});

const WorkflowId = Type.String();
const Slug = text('its name for ever');
const assignment = { workflowId: WorkflowId, slug: Slug, companyId: CompanyId };

/** A workflow's events. */
export const workflowEvents = {
  category: workflow.category,
  events: {
    WorkflowPublished: {
      about: 'A version was published, with every default filled in. It never changes.',
      writtenBy: ['commands/administer.ts'],
      versions: [
        closed({
          workflowId: WorkflowId,
          slug: Slug,
          version: whole('of the definition, from 1'),
          name: Type.String(),
          description: nullable(Type.String()),
          icon: nullable(Type.String()),
          color: nullable(Type.String()),
          upload: closed({
            minFiles: Type.Integer(),
            maxFiles: Type.Integer(),
            acceptedFormats: meaning(Type.Array(Type.String()), 'media types'),
            fileLabels: Type.Array(Type.String()),
            maxFileSizeMb: Type.Number(),
          }),
          outputSchema: meaning(Type.Array(Field), 'the fields to be found'),
          processing: Processing,
        }),
      ],
    },
    WorkflowAssigned: {
      about: 'A company may open sessions.',
      writtenBy: ['commands/administer.ts'],
      versions: [closed(assignment)],
    },
    WorkflowUnassigned: {
      about: 'A company may open no new sessions.',
      writtenBy: ['commands/administer.ts'],
      versions: [closed(assignment)],
    },
  },
} as const satisfies StreamEntry;
