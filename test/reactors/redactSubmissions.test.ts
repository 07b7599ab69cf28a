import * as assert from 'uvu/assert';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { Position } from '../../kernel/event.ts';
import type { RedactionItem } from '../../projections/redactionQueue.ts';
import { redactSubmissions } from '../../reactors/redactSubmissions.ts';
import type { Claimed } from '../../stores/documents/port.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { sessionsOn } from '../controls/sessions.ts';
import { type Stores, withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('redactSubmissions');
const never = new AbortController().signal;

/** A submission whose redaction was requested, and the worker; a step of the name in `failing` throws. */
const staged = async (stores: Stores) => {
  const sessions = sessionsOn(stores);
  const id = await sessions.inReview();
  const { position } = await sessions.run(id, {
    ...{ type: 'Redact', reason: 'erasure', legalBasis: 'erasure_request', requestedBy: null },
  });
  const failing = { step: '' };
  const steps: string[] = [];
  const step = (name: string): void => {
    if (failing.step === name) throw new Error(`${name} failed`);
    steps.push(name);
  };
  const work = redactSubmissions({
    ...stores,
    progress: { reached: async () => true },
    objects: {
      removeAll: async (prefix) => {
        step(prefix.split('/')[0] ?? '');
        return sessions.objects.removeAll(prefix);
      },
    },
    deliveries: { list: async () => ({ items: [], next: null }) },
    redactDeliveries: async () => {
      step('deliveries');
      return { count: 1, position: null };
    },
    hasRequested: async () => true,
    destroyKey: async (subject, eventId) => {
      step('key');
      await stores.keys.destroy(subject, { ...DESTRUCTION, eventId });
    },
    keysForgotten: async () => step('forgotten'),
    compact: async () => step('compact'),
  });
  const cause = { correlationId: 'c', causationId: 'c' };
  const document: RedactionItem = { id, lane: '', dueAt: '', cause };
  const fence = { lease: '', owner: '', token: 1 };
  const item: Claimed<RedactionItem> = { id, position, document, fence };
  const run = (): Promise<Position | null> => work(item, never);
  const types = async () => (await stores.log.load(submissionStream(id))).events.map(({ type }) => type);
  return { id, failing, steps, run, types };
};

const STEPS = ['uploads', 'evidence', 'deliveries', 'key', 'forgotten', 'compact'];

test(
  'everything is removed in order, the key last of what is private, and then it is recorded, once [redaction-6]',
  withStores(async (stores) => {
    const { id, steps, run, types } = await staged(stores);
    assert.ok(await run());
    assert.equal(steps, STEPS);
    assert.is((await types()).at(-1), 'SubmissionRedacted');
    assert.is((await stores.keys.find([id])).size, 0);
    assert.is(await run(), null);
    assert.is((await types()).filter((type) => type === 'SubmissionRedacted').length, 1);
  }),
);

for (const step of STEPS)
  test(
    `a fault at ${step} leaves it due, and the next run ends it [redaction-6]`,
    withStores(async (stores) => {
      const { id, failing, run, types } = await staged(stores);
      failing.step = step;
      const error = await run().catch((thrown: Error) => thrown);
      assert.match(`${error}`, `${step} failed`);
      assert.not.ok((await types()).includes('SubmissionRedacted'));
      failing.step = '';
      assert.ok(await run());
      assert.is((await stores.keys.find([id])).size, 0);
      assert.is((await types()).filter((type) => type === 'SubmissionRedacted').length, 1);
    }),
  );
