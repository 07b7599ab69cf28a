import * as assert from 'uvu/assert';
import type { WebhookDeliveryEvent } from '../../domain/webhookDeliveryEvents.ts';
import { deliveries, deliveryQueries } from '../../projections/deliveries.ts';
import { foldPage } from '../../projections/engine/fold.ts';
import { examples, logged } from '../controls/events.ts';
import { fenceOf, type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('projection of deliveries');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const { eventId } = examples.WebhookRequested.data;

/** How the delivery stands after these events. */
const statusAfter = async (...types: readonly WebhookDeliveryEvent['type'][]) => {
  const { models } = stores.documents;
  const readModel = { projection: deliveries, collection: 'deliveries' };
  await models.drop('deliveries');
  const folded = await foldPage(readModel, logged(types.map((type) => examples[type])), models, new Map());
  await models.commit(folded.writes, {}, await fenceOf(stores, 'projections'));
  return deliveryQueries(models).statusOf(eventId);
};

test('the deliveries of an event are found by it, to its address and to endpoints [batches-16]', async () => {
  const { models } = stores.documents;
  const requested = examples.WebhookRequested;
  const of = (data: object) => ({ ...requested, data: { ...requested.data, ...data } }) as typeof requested;
  const endpoint = '01hv6x3m8q2r5t7w9y0a1b2c3d';
  const other = `${eventId.slice(0, -1)}${eventId.endsWith('0') ? '1' : '0'}`;
  const events = [of({}), of({ endpointId: `whe_${endpoint}` }), of({ eventId: other })];
  await models.drop('deliveries');
  const readModel = { projection: deliveries, collection: 'deliveries' };
  const folded = await foldPage(readModel, logged(events), models, new Map());
  await models.commit(folded.writes, {}, await fenceOf(stores, 'projections'));
  const ids = async (id: string) =>
    (await deliveryQueries(models).ofEvent(id, 32, null)).items.map((one) => one.id);
  assert.equal(await ids(eventId), [eventId, `${eventId}.${endpoint}`]);
  assert.equal(await ids(other), [other]);
});

test('the status of an event’s webhook [webhooks-18] [webhooks-19]', async () => {
  assert.is(await deliveryQueries(stores.documents.models).statusOf(null), null);
  assert.is(await statusAfter(), 'pending', 'before it is requested');
  assert.is(await statusAfter('WebhookRequested', 'WebhookAttempted'), 'pending');
  assert.is(await statusAfter('WebhookRequested', 'WebhookAttempted', 'WebhookDelivered'), 'delivered');
  assert.is(await statusAfter('WebhookRequested', 'WebhookAttempted', 'WebhookFailed'), 'failed');
  const again = ['WebhookRequested', 'WebhookFailed', 'WebhookRedeliveryRequested'] as const;
  assert.is(await statusAfter(...again), 'pending');
});
