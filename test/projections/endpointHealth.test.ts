import type { DomainEvent } from '../../domain/aggregates.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhookDeliveryEvents.ts';
import { endpointHealth } from '../../projections/endpointHealth.ts';
import { examples, logged, timeOf, variants } from '../controls/events.ts';
import { type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('projection of the health of endpoints');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const of = (type: WebhookDeliveryEvent['type']): DomainEvent => variants[`${type}.endpointId`] as DomainEvent;
const [attempted, failed, delivered] = [of('WebhookAttempted'), of('WebhookFailed'), of('WebhookDelivered')];
const {
  WebhookEndpointChanged: changed,
  WebhookEndpointDisabled: disabled,
  WebhookEndpointEnabled: enabled,
} = examples;
const { endpointId: id } = changed.data;
const after = (...events: readonly DomainEvent[]) => given(endpointHealth, logged(events), () => stores);

test('an endpoint fails since its first failure, and what is given up is counted [endpoints-15]', () =>
  after(attempted, attempted, failed, attempted, failed).then({
    [id]: { id, failingSince: timeOf(1), lastFailedAt: timeOf(5), failed: 2 },
  }));

test('a success, a change and enabling it begin a new count [endpoints-15]', async () => {
  await after(attempted, failed, delivered).then({});
  await after(attempted, failed, changed).then({});
  await after(attempted, failed, disabled, enabled).then({});
  await after(attempted, failed, delivered, attempted).then({
    [id]: { id, failingSince: timeOf(4), lastFailedAt: null, failed: 0 },
  });
});

test('what could not be sent is no failure of the endpoint [endpoints-15]', async () => {
  const unsent = [variants['WebhookAttempted.notSent'], variants['WebhookFailed.notSent']] as DomainEvent[];
  await after(...unsent).then({});
  await after(attempted, ...unsent, attempted, failed).then({
    [id]: { id, failingSince: timeOf(1), lastFailedAt: timeOf(5), failed: 1 },
  });
});

test('of one that is disabled nothing counts [endpoints-15]', () =>
  after(attempted, failed, disabled, attempted, failed, delivered).then({
    [id]: { id, failingSince: null, lastFailedAt: null, failed: 0 },
  }));

test('deliveries to addresses of sessions are of no endpoint', () =>
  after(examples.WebhookRequested, examples.WebhookAttempted, examples.WebhookFailed).then({}));
