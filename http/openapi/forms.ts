import { FieldValue } from '../../domain/submission/processingResult.ts';
import { webhookEventTypes } from '../../domain/webhookEvents.ts';
import { closed, oneOf, Type } from '../../kernel/schema.ts';
import { Problem } from '../../schemas/problems.ts';
import { WebhookEvent, webhookEvents } from '../../schemas/webhookEvents.ts';
import { Extractor, SignedEndpoint } from '../../schemas/workflowDefinition.ts';
import { type ProblemCode as Code, problemTypes } from '../engine/problems/problemTypes.ts';

// What the document says in another form than the checks of bodies do: a fault of a check names the member at
// fault, and generators of clients need unions of named schemas.

/** Schemas that only the document has, by their names. */
export const documentSchemas = {
  ProblemCode: oneOf(Object.keys(problemTypes) as Code[]),
  HttpExtractor: closed({ http: SignedEndpoint }),
} as const;

/** The name of the schema of an event: `session.completed` is `SessionCompletedEvent`. */
const eventName = (type: string): string =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

const CELL = [Type.String(), Type.Number(), Type.Boolean(), Type.Null()];
const EXTRACTOR = { description: '`document`, `json`, or an http service' };
const { ProblemCode, HttpExtractor } = documentSchemas;
const forms: readonly (readonly [schema: object, form: object])[] = [
  [Problem, { ...Problem, properties: { ...Problem.properties, code: ProblemCode } }],
  [Extractor, { ...EXTRACTOR, oneOf: [oneOf(['document', 'json']), HttpExtractor] }],
  [FieldValue, { anyOf: [...CELL, Type.Array(Type.Record(Type.String(), { anyOf: CELL }))] }],
  [
    WebhookEvent,
    {
      oneOf: Object.values(webhookEvents),
      discriminator: {
        propertyName: 'eventType',
        mapping: Object.fromEntries(
          webhookEventTypes.map((type) => [type, `#/components/schemas/${eventName(type)}`]),
        ),
      },
    },
  ],
];

const formsByJson = new Map(forms.map(([schema, form]) => [JSON.stringify(schema), form]));

/** The form in which the document has a schema. */
export const formOf = (schema: object): object => formsByJson.get(JSON.stringify(schema)) ?? schema;
