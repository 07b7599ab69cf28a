import * as assert from 'uvu/assert';
import { giveUpDeliveries } from '../../commands/giveUpDeliveries.ts';
import { webhookDelivery, webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import { deliveryIdOf } from '../../domain/webhookDeliveryEvents.ts';
import { webhookEndpoint, webhookEndpointStream } from '../../domain/webhookEndpoint.ts';
import type { Recorded } from '../../kernel/event.ts';
import { deliveryFacts } from '../controls/events.ts';
import { context, type Stores, withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('giveUpDeliveries');
const endpointId = `whe_${'e'.repeat(26)}`;
const { companyId, mode } = deliveryFacts;
const options = { url: 'https://example.com/hooks', description: null, eventTypes: null } as const;
const scope = { endpointId, companyId, mode } as const;
const create = { type: 'CreateWebhookEndpoint', ...scope, retrySchedule: 'extended', ...options } as const;
const disable = { type: 'DisableWebhookEndpoint', reason: 'request', failingSince: null } as const;
const unaborted = new AbortController().signal;

/** An endpoint and deliveries to it on stores of their own, whose read models list these in pages of two. */
const stage = async ({ handle, log }: Stores) => {
  const ids: string[] = [];
  const onEndpoint = (command: Parameters<typeof webhookEndpoint.decide>[0]) =>
    handle(webhookEndpoint, webhookEndpointStream(endpointId), command, context);
  const onDelivery = (id: string, command: Parameters<typeof webhookDelivery.decide>[0]) =>
    handle(webhookDelivery, webhookDeliveryStream(id), command, context);
  await onEndpoint(create);
  const request = async (eventId: string): Promise<string> => {
    const facts = { ...deliveryFacts, endpointId, eventId };
    const id = deliveryIdOf(facts);
    await onDelivery(id, { type: 'RequestDelivery', facts, url: options.url, body: '{}' });
    ids.push(id);
    return id;
  };
  const giveUp = giveUpDeliveries({
    ...{ handle, log },
    deliveries: {
      list: async (_filters, _limit, after) => {
        const from = Number(after?.[0] ?? 0);
        const items = ids.slice(from, from + 2).map((id) => ({ id }));
        return { items, next: from + 2 < ids.length ? [from + 2] : null };
      },
    },
  });
  const lastOf = async () => (await log.load(webhookEndpointStream(endpointId))).events.at(-1);
  return {
    ...{ request, onEndpoint, onDelivery },
    giveUpNow: async () => giveUp((await lastOf()) as Recorded & Parameters<typeof giveUp>[0], unaborted),
    typesOf: async (id: string) => (await log.load(webhookDeliveryStream(id))).events.map(({ type }) => type),
  };
};
const record = (attempt: number, nextAttemptAt: string | null) =>
  ({
    type: 'RecordAttempt',
    ...{ attempt, succeeded: nextAttemptAt === null, nextAttemptAt },
    outcome: { statusCode: 200, durationMs: 1, error: null },
  }) as const;
const GIVEN_UP = ['WebhookRequested', 'WebhookAttempted', 'WebhookFailed'];

test(
  'those of a disabled endpoint are given up on all pages, once; what has ended is left as it is [endpoints-13]',
  withStores(async (stores) => {
    const { request, onEndpoint, onDelivery, giveUpNow, typesOf } = await stage(stores);
    const [first, second, third] = [await request('1'), await request('2'), await request('3')];
    await onDelivery(second, record(1, null));
    await onEndpoint(disable);
    await giveUpNow();
    await giveUpNow();
    assert.equal(await typesOf(first), GIVEN_UP);
    assert.equal(await typesOf(second), ['WebhookRequested', 'WebhookAttempted', 'WebhookDelivered']);
    assert.equal(await typesOf(third), GIVEN_UP);
  }),
);

test(
  'an attempt that was under way finds that its delivery has ended, or is recorded before [endpoints-13]',
  withStores(async (stores) => {
    const { request, onEndpoint, onDelivery, giveUpNow, typesOf } = await stage(stores);
    const id = await request('1');
    await onDelivery(id, record(1, '2026-11-22T10:00:00.000Z'));
    await onEndpoint({ type: 'DeleteWebhookEndpoint' });
    await giveUpNow();
    await onDelivery(id, record(2, '2026-11-22T10:00:00.000Z'));
    assert.equal(await typesOf(id), [
      'WebhookRequested',
      'WebhookAttempted',
      'WebhookAttempted',
      'WebhookFailed',
    ]);
  }),
);

test(
  'those of an endpoint that was enabled since go on [endpoints-13]',
  withStores(async (stores) => {
    const { request, onEndpoint, giveUpNow, typesOf } = await stage(stores);
    const id = await request('1');
    await onEndpoint(disable);
    await onEndpoint({ type: 'EnableWebhookEndpoint' });
    await giveUpNow();
    assert.equal(await typesOf(id), ['WebhookRequested']);
  }),
);
