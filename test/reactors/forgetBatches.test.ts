import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { forgetBatches } from '../../reactors/forgetBatches.ts';
import { examples, logged } from '../controls/events.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('batches are forgotten with their sessions');
const { BatchCompleted, SubmissionRedactionRequested } = examples;
const { batchId } = BatchCompleted.data;
const unaborted = new AbortController().signal;

type Ports = Parameters<typeof forgetBatches>[0];
type Causing = Parameters<ReturnType<typeof forgetBatches>['react']>[0];

const ofBatch = { ...SubmissionRedactionRequested, data: { ...SubmissionRedactionRequested.data, batchId } };
const [completed, requested] = logged([BatchCompleted, ofBatch]) as unknown as readonly [Causing, Causing];

/** The reactor, and what it did, in order. `named`: the sessions whose redaction was not requested. */
const reactorOn = (named: number, more: Partial<Ports> = {}, isCompleted = true) => {
  const did: unknown[] = [];
  const events = isCompleted ? [completed] : [];
  const reactor = forgetBatches({
    log: { load: async () => ({ events, unknown: [], head: null }) },
    progress: { reached: async () => true },
    documents: { compact: async () => void did.push('compact') },
    batches: { find: async () => ({ named }) as never },
    deliveries: {
      ofEvent: async (eventId) => {
        did.push(['deliveries of', eventId]);
        return { items: [], next: null };
      },
    },
    redactDeliveries: async (pages) => {
      await pages(32, null);
      return { count: 2, position: completed.position };
    },
    hasRequested: async () => true,
    destroyKey: async (subject, eventId) => void did.push([subject, eventId]),
    ...more,
  });
  return { did, react: (event: Causing) => reactor.react(event, unaborted) };
};

test('whichever comes last, the completion or the last request, finds the other [batches-16]', async () => {
  for (const event of [requested, completed]) {
    const { did, react } = reactorOn(0);
    await react(event);
    assert.equal(did, [['deliveries of', completed.id], [batchId, event.id], 'compact']);
  }
});

test('while a session is not redacted, or nothing was completed, nothing is removed [batches-16]', async () => {
  const noBatch = { ...requested, data: { ...requested.data, batchId: null } } as Causing;
  for (const [{ did, react }, event] of [
    [reactorOn(1), requested],
    [reactorOn(0, {}, false), requested],
    [reactorOn(0), noBatch],
    [reactorOn(0, { batches: { find: async () => null } }), completed],
  ] as const) {
    await react(event);
    assert.equal(did, []);
  }
});

test('it is tried again while the read models are behind, or webhooks are still to be requested', async () => {
  for (const more of [{ progress: { reached: async () => false } }, { hasRequested: async () => false }]) {
    const { did, react } = reactorOn(0, more);
    assert.instance(await failure(react(requested)), StoreUnavailable);
    assert.equal(did, []);
  }
});
