import * as assert from 'uvu/assert';
import { recover } from '../../commands/redeliver.ts';
import { webhookDelivery, webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import { deliveryFacts } from '../controls/events.ts';
import { context, type Stores, withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('recovery of failed deliveries');

/** Deliveries that a read model would list, of which only the first have a stream; one is made a minute. */
const listed = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `018fd5c2-71f4-7a3b-9d0e-${String(n).padStart(12, '0')}`,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
  }));

const paged = (all: ReturnType<typeof listed>) => async (limit: number, after: readonly unknown[] | null) => {
  const start = after === null ? 0 : Number(after[0]);
  const end = start + limit;
  return { items: all.slice(start, end), next: end < all.length ? [end] : null };
};

const fail = async ({ handle }: Stores, eventId: string): Promise<void> => {
  const stream = webhookDeliveryStream(eventId);
  const facts = { ...deliveryFacts, eventId };
  await handle(
    webhookDelivery,
    stream,
    { type: 'RequestDelivery', facts, url: 'https://a.example', body: '{}' },
    context,
  );
  const outcome = { statusCode: 500, durationMs: 1, error: 'answered 500' };
  const attempt = {
    type: 'RecordAttempt',
    attempt: 1,
    outcome,
    succeeded: false,
    nextAttemptAt: null,
  } as const;
  await handle(webhookDelivery, stream, attempt, context);
};

test(
  'a call takes the thousand oldest, and says where the next one continues [deliveries-6]',
  withStores(async (stores) => {
    const all = listed(1_001);
    for (const { id } of all) await fail(stores, id);
    const queue = recover(stores);
    const first = await queue(paged(all), context);
    assert.equal([first.count, first.next], [1_000, all[1_000]?.createdAt]);
    const second = await queue(paged(all.slice(1_000)), context);
    assert.equal([second.count, second.next], [1, null]);
    assert.equal(await queue(paged(all.slice(0, 1_000)), context), { count: 0, position: null, next: null });
  }),
);

test(
  'nothing failed: nothing is queued, and there is no next call [deliveries-6]',
  withStores(async (stores) => {
    assert.equal(await recover(stores)(paged([]), context), { count: 0, position: null, next: null });
  }),
);
