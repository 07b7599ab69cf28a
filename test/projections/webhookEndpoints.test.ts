import * as assert from 'uvu/assert';
import type { Position } from '../../kernel/event.ts';
import { foldEvent } from '../../projections/engine/projection.ts';
import {
  isSubscribed,
  type WebhookEndpointDocument,
  webhookEndpoints,
} from '../../projections/webhookEndpoints.ts';
import { examples, logged, timeOf } from '../controls/events.ts';
import { type Stores, temporaryStores } from '../controls/stores.ts';
import { routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('projection of webhook endpoints');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const {
  WebhookEndpointCreated: created,
  WebhookEndpointChanged: changed,
  WebhookEndpointSecretRotated: rotated,
  WebhookEndpointDisabled: disabled,
  WebhookEndpointEnabled: enabled,
  WebhookEndpointDeleted: deleted,
} = examples;
const { endpointId: id, companyId, mode } = created.data;
const positionOf = (n: number): Position => String(n).padStart(16, '0') as Position;

test('an endpoint with its options, and what it got since when', () =>
  given(webhookEndpoints, logged([created, changed, rotated, disabled]), () => stores).then({
    [id]: {
      ...{ id, companyId, mode, url: 'https://example.com/hooks/2', description: null, eventTypes: null },
      ...{ retrySchedule: 'extended', createdAt: timeOf(1), createdBy: `key:${routing.keyId}` },
      previousSecretExpiresAt: '2026-11-22T10:00:00.000Z',
      disabledAt: timeOf(4),
      disabledBy: `key:${routing.keyId}`,
      disabledReason: 'failures',
      subscriptions: [
        { from: positionOf(1), eventTypes: ['session.completed'] },
        { from: positionOf(2), eventTypes: null },
        { from: positionOf(4), eventTypes: [] },
      ],
      position: positionOf(4),
      revision: 3,
    },
  }));

test('one that was deleted is gone', () =>
  given(webhookEndpoints, logged([created, disabled, deleted]), () => stores).then({}));

test('it gets what happened while it was enabled, of the types that it then had [endpoints-7]', () => {
  const events = logged([created, disabled, enabled, changed]);
  const document = events.reduce<WebhookEndpointDocument | null>(
    (before, event) => foldEvent(webhookEndpoints.on, before, event, id),
    null,
  );
  assert.ok(document);
  const got = (type: 'session.completed' | 'session.failed', n: number) =>
    isSubscribed(document, type, positionOf(n));
  assert.equal(
    [got('session.completed', 0), got('session.completed', 1)],
    [false, false],
    'before it was there',
  );
  assert.equal(
    [2, 3, 4, 5].map((n) => got('session.completed', n)),
    [true, false, true, true],
  );
  assert.equal(
    [2, 3, 4, 5].map((n) => got('session.failed', n)),
    [false, false, false, true],
  );
});
