import { outputJsonSchemaOf } from '../domain/outputJsonSchema.ts';
import { permissionsOf } from '../domain/permissions.ts';
import { noEcho } from '../domain/submission/echoed.ts';
import { type WebhookEventType, webhookEventTypes } from '../domain/webhookEvents.ts';
import type { Of, TSchema } from '../kernel/schema.ts';
import { FraudMatch, FraudMatches } from './fraud.ts';
import { Me } from './identity.ts';
import { Invitation } from './people.ts';
import { ClaimedNext, QueueItem } from './reviewQueue.ts';
import { SubmissionDetail } from './submissions.ts';
import { UploadSlot } from './uploads.ts';
import { EndpointTestEvent, webhookEvents } from './webhookEvents.ts';
import { definitionOf, WorkflowDefinition, withDefaults } from './workflowDefinition.ts';
import {
  CheckDefinition,
  CheckedDefinition,
  PublishDefinition,
  PublishedDefinition,
} from './workflowDefinitions.ts';
import { WorkflowContract } from './workflows.ts';

type Members = Readonly<Record<string, unknown>>;
type Parts = Readonly<{
  examples?: readonly unknown[];
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly object[];
  type?: string | readonly string[];
  properties?: Readonly<Record<string, object>>;
  required?: readonly string[];
  items?: object;
  minimum?: number;
}>;

/**
 * An example of a schema: its own, otherwise composed from those of its parts. What may be left out is there
 * if it has an example; what may be null and has none is null.
 */
export const exampleOf = (schema: object): unknown => {
  const parts = schema as Parts;
  const [own] = parts.examples ?? [];
  if (own !== undefined) return own;
  if (parts.anyOf?.[0]) return exampleOf(parts.anyOf[0]);
  const type = Array.isArray(parts.type) ? parts.type[0] : parts.type;
  if (type !== parts.type && !isIllustrated(parts)) return null;
  const value = parts.default ?? parts.const ?? parts.enum?.[0];
  if (value !== undefined) return value;
  switch (type) {
    case 'object':
      return { ...membersOf(parts), ...dependents.get(schema as TSchema)?.() };
    case 'array':
      return parts.items ? [exampleOf(parts.items)] : [];
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return parts.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
};

const membersOf = ({ properties = {}, required = [] }: Parts): Members =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name, member]) => required.includes(name) || isIllustrated(member))
      .map(([name, member]) => [name, exampleOf(member)]),
  );

const isIllustrated = (schema: object): boolean => {
  const { examples, anyOf = [], items, properties = {} } = schema as Parts;
  const inner = [...anyOf, ...(items ? [items] : []), ...Object.values(properties)];
  return examples !== undefined || inner.some(isIllustrated);
};

type Dependent = readonly [schema: TSchema, members: () => Members];

const differing = <S extends TSchema>(schema: S, members: () => Partial<Of<S>>): Dependent => [
  schema,
  members,
];

const ofNoSubmission = {
  sessionId: null,
  submissionId: null,
  workflow: null,
  submissionStatus: null,
  ...noEcho,
};

const eventMembers: Readonly<Record<WebhookEventType, Members>> = {
  'session.completed': {},
  'session.failed': { result: null },
  'session.review_required': {},
  'submission.approved': { result: null },
  'submission.rejected': { result: null },
  'submission.cancelled': { result: null, state: 'cancelled' },
  'submission.fraud_match_resolved': { result: null },
  'submission.redacted': { result: null, ...noEcho, batchRef: null },
  'batch.completed': ofNoSubmission,
};

const openMatch = (): FraudMatch => ({
  ...(exampleOf(FraudMatch) as FraudMatch),
  status: 'open',
  resolution: null,
  resolvedBy: null,
  resolvedAt: null,
});
const workflow = () => exampleOf(WorkflowDefinition) as WorkflowDefinition;
const complete = () => withDefaults(workflow());

/** Members that depend on others of their object. */
const dependents: ReadonlyMap<TSchema, () => Members> = new Map([
  ...webhookEventTypes.map((type): Dependent => [webhookEvents[type], () => eventMembers[type]]),
  differing(EndpointTestEvent, () => ({ ...ofNoSubmission, state: null, result: null, batchRef: null })),
  differing(FraudMatches, () => ({ data: [openMatch()] })),
  differing(QueueItem, () => ({ firstDecision: null })),
  differing(ClaimedNext, () => ({ firstDecision: null })),
  differing(UploadSlot, () => ({ parts: null })),
  differing(SubmissionDetail, () => ({
    fraudMatches: [openMatch()],
    firstDecision: null,
    corrections: [],
    sync: null,
    legalHold: null,
  })),
  differing(Invitation, () => ({ mail: null })),
  differing(Me, () => ({ permissions: permissionsOf('reviewer') })),
  differing(CheckDefinition, () => ({ definition: { ...workflow() } })),
  differing(PublishDefinition, () => ({ definition: { ...workflow() } })),
  differing(CheckedDefinition, () => ({ definition: definitionOf(complete()) })),
  differing(PublishedDefinition, () => ({ definition: definitionOf(complete()) })),
  differing(WorkflowContract, () => ({
    outputSchema: complete().outputSchema.map((field) => ({
      ...field,
      columns: null,
      validation: { pattern: null, minLength: null, maxLength: null, ...field.validation },
    })),
    outputJsonSchema: { ...outputJsonSchemaOf(complete().outputSchema) },
  })),
]);
