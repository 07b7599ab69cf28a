import type { TSchema } from '../kernel/schema.ts';
import { administrationExamples } from './examples/administration.ts';
import { otherExamples } from './examples/others.ts';
import { sessionExamples } from './examples/sessions.ts';
import { submissionExamples } from './examples/submissions.ts';
import { webhookEndpointExamples } from './examples/webhookEndpoints.ts';
import { webhookExamples } from './examples/webhooks.ts';
import { workflowExamples } from './examples/workflows.ts';

/** Examples of the schemas of bodies and answers, for the OpenAPI document. */
export const examples: ReadonlyMap<TSchema, unknown> = new Map([
  ...workflowExamples,
  ...sessionExamples,
  ...submissionExamples,
  ...webhookExamples,
  ...webhookEndpointExamples,
  ...administrationExamples,
  ...otherExamples,
]);

/** An example of a schema: a written one, otherwise composed from those of its parts. */
export const exampleOf = (schema: object): unknown =>
  examples.has(schema as TSchema) ? examples.get(schema as TSchema) : compose(schema);

type Parts = Readonly<{
  examples?: readonly unknown[];
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly object[];
  type?: string | readonly string[];
  properties?: Readonly<Record<string, object>>;
  items?: object;
  minimum?: number;
}>;

const compose = (schema: object): unknown => {
  const parts = schema as Parts;
  const candidates = [...(parts.examples ?? []), parts.default, parts.const, ...(parts.enum ?? [])];
  const first = candidates.find((value) => value !== undefined);
  if (first !== undefined) return first;
  if (parts.anyOf?.[0]) return exampleOf(parts.anyOf[0]);
  switch (Array.isArray(parts.type) ? parts.type[0] : parts.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(parts.properties ?? {}).map(([name, member]) => [name, exampleOf(member)]),
      );
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
