import { EXTENDED, retrySchedules } from '../domain/retrySchedule.ts';
import { disableReasons, MAX_SECRET_OVERLAP_S } from '../domain/webhookEndpoint.ts';
import { webhookUrlProblem } from '../domain/webhookUrl.ts';
import type { Fault } from '../kernel/fault.ts';
import {
  closed,
  example,
  id,
  Mode,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  pageOf,
  seldom,
  Time,
  Type,
  text,
  time,
} from '../kernel/schema.ts';
import { WebhookUrl } from './sessions.ts';
import { WebhookEventType } from './webhookEvents.ts';

const CHOSEN = ['session.completed', 'batch.completed'] as const;
const EventTypes = Type.Array(WebhookEventType, { minItems: 1, uniqueItems: true, examples: [CHOSEN] });
export const RetrySchedule = meaning(
  oneOf(retrySchedules),
  `standard: as for the \`webhookUrl\` of a session; extended: ${EXTENDED.attempts} attempts over ${EXTENDED.hours} hours`,
  'extended',
);

/** What is to be delivered where. Sent again to change an endpoint, it replaces all that it had. */
export const WebhookEndpointOptions = closed({
  url: meaning(WebhookUrl, 'the address for webhooks: https, not private, without credentials'),
  description: optional(Type.String({ minLength: 1, maxLength: 500, examples: ['ERP'] })),
  eventTypes: optional(meaning(EventTypes, 'only events of these types; all by default')),
  retrySchedule: optional(RetrySchedule),
});
export type WebhookEndpointOptions = Of<typeof WebhookEndpointOptions>;

export const EndpointStatus = oneOf(['enabled', 'disabled']);

/** Why an endpoint is disabled. */
export const DisabledReason = meaning(
  oneOf(disableReasons),
  'request: somebody asked for it; failures: nothing was delivered for days',
);

/** An endpoint without its secret. */
export const WebhookEndpoint = Type.Object({
  id: id('whe'),
  companyId: id('cmp'),
  mode: Mode,
  url: example(Type.String(), 'https://erp.example.com/hooks/intake'),
  description: nullable(example(Type.String(), 'ERP')),
  eventTypes: nullable(
    meaning(Type.Array(WebhookEventType), 'null: all, also those that come with later releases', [...CHOSEN]),
  ),
  retrySchedule: RetrySchedule,
  status: EndpointStatus,
  disabledAt: seldom(Time),
  disabledBy: nullable(text('`user:<userId>`, `key:<keyId>`, or `system:<part>` for the service itself')),
  disabledReason: nullable(DisabledReason),
  previousSecretExpiresAt: seldom(time('until when the former secret signs too, since a rotation')),
  createdAt: Time,
  createdBy: text('`user:<userId>` or `key:<keyId>`', 'user:usr_01hv6x3m8q2r5t7w9y0a1b2c3d'),
});
export type WebhookEndpoint = Of<typeof WebhookEndpoint>;

export const WebhookEndpoints = pageOf(WebhookEndpoint);

const secret = text(
  'what signs its webhooks, once: `whsec_` and a key in base64',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
);

export const WebhookEndpointMade = Type.Object({ ...WebhookEndpoint.properties, secret });
export type WebhookEndpointMade = Of<typeof WebhookEndpointMade>;

/** How long the former secret signs too: one day by default. */
export const RotateEndpointSecret = closed({
  overlapSeconds: optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_SECRET_OVERLAP_S,
      description: 'how long webhooks are signed with the former secret too; 86400 by default',
      examples: [86_400],
    }),
  ),
});

/** The fault of an endpoint's address, if there is one (endpoints-3). */
export const endpointUrlFaults = ({ url }: Readonly<{ url?: string }>): readonly Fault[] => {
  const problem = url === undefined ? null : webhookUrlProblem(url);
  return problem === null ? [] : [{ pointer: '/url', detail: problem }];
};
