import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { StoreUnavailable } from '../../kernel/errors.ts';
import type { Position, Recorded } from '../../kernel/event.ts';
import type { WebhookEndpointDocument } from '../../projections/webhookEndpoints.ts';
import { webhookEndpoints } from '../../projections/webhookEndpoints.ts';
import { endpointRegistry } from '../../reactors/endpointRegistry.ts';
import { examples, logged } from '../controls/events.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { foldAlone } from '../projections/spec.ts';

const test = suite('the registry of webhook endpoints');
const {
  WebhookEndpointCreated: created,
  WebhookEndpointDisabled: disabled,
  WebhookEndpointEnabled: enabled,
  WebhookEndpointDeleted: deleted,
} = examples;
const { endpointId } = created.data;
const past = logged([created, disabled, enabled]);

/** A registry over these documents; `reads` counts how often they were read. */
const registryOf = (documents: readonly unknown[], isReached = true, end = '9') => {
  let reads = 0;
  const list = async () => {
    reads += 1;
    return { items: documents as readonly WebhookEndpointDocument[], next: null };
  };
  const registry = endpointRegistry({
    endpoints: { list, end: async () => end as Position },
    progress: { reached: async () => isReached },
  });
  return { ...registry, reads: () => reads };
};
const at = (n: number, over: object = {}): Recorded<SubmissionEvent> =>
  ({
    ...logged([examples.SubmissionProcessed])[0],
    data: { ...examples.SubmissionProcessed.data, ...over },
    position: String(n).padStart(16, '0') as Position,
  }) as Recorded<SubmissionEvent>;
const idsOf = (registry: ReturnType<typeof registryOf>, event: Recorded<SubmissionEvent>) =>
  registry.of(event, 'session.completed').map(({ id }) => id);

test('what it has read and what it has learnt give the same, at each position [endpoints-7]', async () => {
  const read = registryOf(Object.values(foldAlone(webhookEndpoints, past)));
  await read.load('2' as Position);
  const learnt = registryOf([]);
  await learnt.load(null);
  for (const event of past) learnt.learn(event);
  for (const registry of [read, learnt]) {
    // What was read is of a later position than the checkpoint: it is learnt again.
    for (const event of past) registry.learn(event);
    assert.equal(
      [1, 2, 3, 4].map((n) => idsOf(registry, at(n)).length),
      [0, 1, 0, 1],
    );
    assert.equal(idsOf(registry, at(4)), [endpointId]);
  }
});

test('no event costs a read', async () => {
  const registry = registryOf(Object.values(foldAlone(webhookEndpoints, past)));
  await registry.load(null);
  for (let n = 4; n < 100; n += 1) idsOf(registry, at(n));
  assert.is(registry.reads(), 1);
});

test('endpoints of another company or mode, and deleted ones, get nothing [endpoints-7]', async () => {
  const registry = registryOf(Object.values(foldAlone(webhookEndpoints, past)));
  await registry.load(null);
  assert.equal(idsOf(registry, at(4, { companyId: 'cmp_other' })), []);
  assert.equal(idsOf(registry, at(4, { mode: 'test' })), []);
  for (const event of logged([created, disabled, enabled, deleted])) registry.learn(event);
  assert.equal(idsOf(registry, at(9)), []);
});

test('it waits for the read models, and for its own while that is rebuilt: without them an endpoint might be missed', async () => {
  for (const registry of [registryOf([], false), registryOf([], true, '4')]) {
    assert.instance(await failure(registry.load('5' as Position)), StoreUnavailable);
    await registry.load(null);
  }
  await registryOf([], true, '5').load('5' as Position);
});
