import { shownBeforeText } from '../../commands/webhookEndpoints.ts';
import { Type } from '../../kernel/schema.ts';
import type { After } from '../../projections/engine/pages.ts';
import type { webhookEndpointQueries } from '../../projections/webhookEndpoints.ts';
import { cursor, endpointId, limit } from '../../schemas/parameters.ts';
import {
  endpointUrlFaults,
  WebhookEndpoint,
  WebhookEndpointMade,
  WebhookEndpointOptions,
  WebhookEndpoints,
} from '../../schemas/webhookEndpoints.ts';
import { secretShown } from '../engine/request/idempotency.ts';
import { pageOf } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext } from './caller.ts';
import { type ActionPorts, actionRoutes, ENABLED, finding, itemOf, PATH } from './endpointActions.ts';

type EndpointPorts = ActionPorts & Pick<ReturnType<typeof webhookEndpointQueries>, 'listOf'>;

/** The webhook endpoints of a company, for its keys and administrators (endpoints-1). */
export const webhookEndpointRoutes = (ports: EndpointPorts): readonly Route[] => [
  ...readRoutes(ports),
  createRoute(ports),
  changeRoute(ports),
  ...actionRoutes(ports),
  deleteRoute(ports),
];

const readRoutes = (ports: EndpointPorts): readonly Route[] => [
  route({
    name: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints of the company, newest first',
    description: 'Without their secrets, which are shown once.',
    method: 'GET',
    path: PATH,
    access: 'endpoints.read',
    query: { cursor, limit },
    answers: { 200: WebhookEndpoints },
  })({
    run: async ({ caller: { companyId, mode }, query }) => {
      const read = (size: number, after: After) => ports.listOf(companyId, mode, size, after);
      const filters = { list: 'webhookEndpoints', companyId, mode };
      return { status: 200, body: await pageOf(query, filters, read, itemOf) };
    },
  }),
  route({
    name: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    description: 'Without its secret, which is shown once.',
    method: 'GET',
    path: `${PATH}/{endpointId}`,
    access: 'endpoints.read',
    parameters: { endpointId },
    answers: { 200: WebhookEndpoint },
  })({
    find: finding(ports),
    run: async ({ found }) => ({ status: 200, body: itemOf(found) }),
  }),
];

const createRoute = ({ commands }: EndpointPorts): Route =>
  route({
    name: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint; its secret is in this answer alone',
    description:
      'From now on it gets the webhooks of all sessions of the company, in the mode of the caller, beside the `webhookUrl` of a session. They are signed with its own secret.',
    method: 'POST',
    path: PATH,
    access: 'endpoints.manage',
    body: WebhookEndpointOptions,
    answers: { 201: WebhookEndpointMade },
    headers: ['Location'],
    refusals: ['too-many-endpoints', 'secret-shown-once'],
  })({
    replay: async ({ reserved }, answered) => {
      if (!answered) return null;
      throw secretShown(shownBeforeText(`whe_${reserved.ulid}`));
    },
    check: ({ body }) => endpointUrlFaults(body),
    run: async ({ body, ...request }) => {
      const { companyId, mode } = request.caller;
      const options = optionsOf(body);
      const input = { companyId, mode, ...options };
      const context = commandContext(request);
      const made = await commands.createEndpoint(input, context, request.reserved.ulid);
      const { endpointId: id, at: createdAt, position, secret } = made;
      const { kind, id: actorId } = context.actor;
      const facts = { id, companyId, mode, ...options, createdAt, createdBy: `${kind}:${actorId}` };
      return {
        status: 201,
        position,
        headers: { Location: `${PATH}/${id}` },
        body: { ...facts, ...ENABLED, previousSecretExpiresAt: null, secret },
      };
    },
  });

const changeRoute = (ports: EndpointPorts): Route =>
  route({
    name: 'changeWebhookEndpoint',
    summary: 'Replace the address, the event types and the other options of a webhook endpoint',
    description:
      'What the body leaves out gets its default. Webhooks under way go to the new address from their next attempt on.',
    method: 'PUT',
    path: `${PATH}/{endpointId}`,
    access: 'endpoints.manage',
    parameters: { endpointId },
    body: WebhookEndpointOptions,
    answers: { 200: WebhookEndpoint },
  })({
    find: finding(ports),
    check: ({ body }) => endpointUrlFaults(body),
    run: async ({ found, body, ...request }) => {
      const options = optionsOf(body);
      const { position } = await ports.commands.changeEndpoint(found.id, options, commandContext(request));
      return { status: 200, position, body: { ...itemOf(found), ...options } };
    },
  });

const deleteRoute = (ports: EndpointPorts): Route =>
  route({
    name: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint for good',
    description:
      'Its pending webhooks fail; they stay in the list of deliveries, with those that have ended before.',
    method: 'DELETE',
    path: `${PATH}/{endpointId}`,
    access: 'endpoints.manage',
    parameters: { endpointId },
    answers: { 204: Type.Null() },
  })({
    find: finding(ports),
    run: async ({ found, ...request }) => {
      const { position } = await ports.commands.deleteEndpoint(found.id, commandContext(request));
      return { status: 204, position, body: null };
    },
  });

const optionsOf = (body: WebhookEndpointOptions) => ({
  url: body.url,
  description: body.description ?? null,
  eventTypes: body.eventTypes ?? null,
  retrySchedule: body.retrySchedule ?? ('standard' as const),
});
