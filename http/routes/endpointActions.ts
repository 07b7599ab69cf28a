import { shownBeforeText, type webhookEndpoints } from '../../commands/webhookEndpoints.ts';
import { pick } from '../../kernel/pick.ts';
import type { WebhookEndpointDocument } from '../../projections/webhookEndpoints.ts';
import { endpointId } from '../../schemas/parameters.ts';
import { NoMembers } from '../../schemas/sessions.ts';
import {
  RotateEndpointSecret,
  WebhookEndpoint,
  WebhookEndpointMade,
} from '../../schemas/webhookEndpoints.ts';
import { WebhookTestResult } from '../../schemas/webhooks.ts';
import { actorOf, type CompanyCaller } from '../engine/access/caller.ts';
import { secretShown } from '../engine/request/idempotency.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext } from './caller.ts';

export type ActionPorts = Readonly<{
  commands: ReturnType<typeof webhookEndpoints>;
  find(endpointId: string): Promise<WebhookEndpointDocument | null>;
  /** Throws 429 when a key or person has used up the tests. */
  limit(callerId: string): Promise<void>;
  testEndpoint(endpoint: WebhookEndpointDocument, eventId: string): Promise<WebhookTestResult>;
}>;

/** Where webhook endpoints are. */
export const PATH = '/api/v1/webhook-endpoints';
const ONE_DAY_S = 86_400;

type EndpointRequest = Readonly<{ caller: CompanyCaller; parameters: Readonly<{ endpointId: string }> }>;

/** An endpoint of another company, or mode, is as unknown as one that is not there (endpoints-2). */
export const finding =
  ({ find }: Pick<ActionPorts, 'find'>) =>
  async ({ caller, parameters }: EndpointRequest): Promise<WebhookEndpointDocument | null> => {
    const found = await find(parameters.endpointId);
    return found?.companyId === caller.companyId && found.mode === caller.mode ? found : null;
  };

/** What is done to an endpoint, beside changing its options. */
export const actionRoutes = (ports: ActionPorts): readonly Route[] => [
  rotateRoute(ports),
  ...switchRoutes(ports),
  testRoute(ports),
];

const rotateRoute = (ports: ActionPorts): Route =>
  route({
    name: 'rotateWebhookEndpointSecret',
    summary: 'Give a webhook endpoint a new secret, while the former one signs too for a time',
    description:
      'The secret is in this answer alone. During the overlap `webhook-signature` has a signature by each secret, and `X-Webhook-Signature` is that by the newest.',
    method: 'POST',
    path: `${PATH}/{endpointId}/rotate-secret`,
    access: 'endpoints.manage',
    parameters: { endpointId },
    body: RotateEndpointSecret,
    answers: { 200: WebhookEndpointMade },
    refusals: ['secret-shown-once'],
  })({
    replay: async ({ parameters }, answered) => {
      if (!answered) return null;
      throw secretShown(shownBeforeText(parameters.endpointId));
    },
    find: finding(ports),
    run: async ({ found, body: { overlapSeconds = ONE_DAY_S }, ...request }) => {
      const context = commandContext(request);
      const { secret, overlapEndsAt, position } = await ports.commands.rotateSecret(
        found.id,
        overlapSeconds,
        context,
      );
      const previousSecretExpiresAt = overlapSeconds === 0 ? null : overlapEndsAt;
      return { status: 200, position, body: { ...itemOf(found), previousSecretExpiresAt, secret } };
    },
  });

const switchRoutes = (ports: ActionPorts): readonly Route[] => [
  route({
    name: 'disableWebhookEndpoint',
    summary: 'Send a webhook endpoint nothing any more',
    description:
      'What happens while it is disabled is never sent to it. Its pending webhooks fail. It may be repeated.',
    method: 'POST',
    path: `${PATH}/{endpointId}/disable`,
    access: 'endpoints.manage',
    parameters: { endpointId },
    body: NoMembers,
    answers: { 200: WebhookEndpoint },
  })({
    find: finding(ports),
    run: async ({ found, ...request }) => {
      const context = commandContext(request);
      const { at, position } = await ports.commands.disableEndpoint(found.id, context);
      const { kind, id: actorId } = context.actor;
      const disabled = {
        disabledAt: at,
        disabledBy: `${kind}:${actorId}`,
        disabledReason: 'request',
      } as const;
      const item = itemOf(found);
      return {
        status: 200,
        position,
        body: item.status === 'disabled' ? item : { ...item, status: 'disabled', ...disabled },
      };
    },
  }),
  route({
    name: 'enableWebhookEndpoint',
    summary: 'Send a webhook endpoint what happens from now on',
    description:
      'What happened while it was disabled is not sent: read `GET /api/v1/events`. It may be repeated.',
    method: 'POST',
    path: `${PATH}/{endpointId}/enable`,
    access: 'endpoints.manage',
    parameters: { endpointId },
    body: NoMembers,
    answers: { 200: WebhookEndpoint },
  })({
    find: finding(ports),
    run: async ({ found, ...request }) => {
      const { position } = await ports.commands.enableEndpoint(found.id, commandContext(request));
      return { status: 200, position, body: { ...itemOf(found), ...ENABLED } };
    },
  }),
];

const testRoute = (ports: ActionPorts): Route =>
  route({
    name: 'testWebhookEndpoint',
    summary: 'Send a webhook endpoint a signed test',
    description:
      'The event `webhook.test` is sent once, signed as every webhook of the endpoint, also while it is disabled. A failure of the target is a result, not a problem: `success` is true for a 2xx answer within 5 seconds. The limit is 10 tests a minute for a key, together with those of addresses.',
    method: 'POST',
    path: `${PATH}/{endpointId}/test`,
    access: 'endpoints.manage',
    parameters: { endpointId },
    body: NoMembers,
    answers: { 200: WebhookTestResult },
  })({
    find: finding(ports),
    run: async ({ found, caller, reserved }) => {
      await ports.limit(actorOf(caller).id);
      const result = await ports.testEndpoint(found, reserved.correlationId);
      return { status: 200, body: result };
    },
  });

/** How an endpoint stands that gets webhooks. */
export const ENABLED = {
  status: 'enabled',
  disabledAt: null,
  disabledBy: null,
  disabledReason: null,
} as const;

/** An endpoint as it is answered. */
export const itemOf = (document: WebhookEndpointDocument): WebhookEndpoint => ({
  ...pick(document, 'id', 'companyId', 'mode', 'url', 'description', 'eventTypes', 'retrySchedule'),
  status: document.disabledAt === null ? 'enabled' : 'disabled',
  ...pick(document, 'disabledAt', 'disabledBy', 'disabledReason', 'previousSecretExpiresAt'),
  ...pick(document, 'createdAt', 'createdBy'),
});
