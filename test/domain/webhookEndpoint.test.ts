import * as assert from 'uvu/assert';
import { webhookEndpoint, webhookEndpointStream } from '../../domain/webhookEndpoint.ts';
import { examples } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('webhookEndpoint');
const {
  WebhookEndpointCreated: created,
  WebhookEndpointChanged: changed,
  WebhookEndpointSecretRotated: rotated,
  WebhookEndpointDisabled: disabled,
  WebhookEndpointEnabled: enabled,
  WebhookEndpointDeleted: deleted,
} = examples;
const { endpointId, companyId, mode } = created.data;
const scope = { endpointId, companyId, mode } as const;
const options = {
  url: 'https://example.com/hooks',
  description: 'ERP',
  eventTypes: ['session.completed'],
  retrySchedule: 'standard',
} as const;
const others = {
  url: 'https://example.com/hooks/2',
  description: null,
  eventTypes: null,
  retrySchedule: 'extended',
} as const;
const create = { type: 'CreateWebhookEndpoint', ...scope, ...options } as const;
const change = { type: 'ChangeWebhookEndpoint', ...others } as const;
const { overlapEndsAt } = rotated.data;
const rotate = { type: 'RotateWebhookEndpointSecret', overlapEndsAt } as const;
const { reason, failingSince } = disabled.data;
const disable = { type: 'DisableWebhookEndpoint', reason, failingSince } as const;
const enable = { type: 'EnableWebhookEndpoint' } as const;
const remove = { type: 'DeleteWebhookEndpoint' } as const;

test('an endpoint is created, under an identifier that is used once', () => {
  given(webhookEndpoint).when(create).then(created);
  given(webhookEndpoint, created).when(create).thenRefused('WebhookEndpointExists');
  given(webhookEndpoint, created, deleted).when(create).thenRefused('WebhookEndpointExists');
});

test('its options are replaced; the same ones, in whatever order, are no change', () => {
  given(webhookEndpoint, created).when(change).then(changed);
  given(webhookEndpoint, created, changed).when(change).then();
  const types = ['batch.completed', 'session.failed', 'session.failed'] as const;
  const some = { ...change, eventTypes: types };
  const events = given(webhookEndpoint, created).when(some).thenTypes('WebhookEndpointChanged');
  assert.equal((events[0] as typeof changed).data.eventTypes, ['session.failed', 'batch.completed']);
  const after = given(webhookEndpoint, created, events[0] as typeof changed);
  after.when({ ...some, eventTypes: ['session.failed', 'batch.completed'] }).then();
});

test('its secret is rotated as often as asked for', () => {
  given(webhookEndpoint, created).when(rotate).then(rotated);
  given(webhookEndpoint, created, rotated).when(rotate).then(rotated);
});

test('it is disabled and enabled, and neither twice', () => {
  given(webhookEndpoint, created).when(disable).then(disabled);
  assert.is(given(webhookEndpoint, created, disabled).state?.disabled, 'failures');
  given(webhookEndpoint, created, disabled).when(disable).then();
  given(webhookEndpoint, created, disabled).when(enable).then(enabled);
  given(webhookEndpoint, created).when(enable).then();
});

test('what was deleted is not there', () => {
  given(webhookEndpoint, created).when(remove).then(deleted);
  for (const command of [change, rotate, disable, enable, remove]) {
    given(webhookEndpoint, created, deleted).when(command).thenRefused('WebhookEndpointNotFound');
    given(webhookEndpoint).when(command).thenRefused('WebhookEndpointNotFound');
  }
});

test('its stream is named by it, and its private parts are its own', () => {
  assert.is(webhookEndpointStream('whe_x'), 'webhookEndpoint-x');
  assert.is(webhookEndpoint.subject(created), endpointId);
});
