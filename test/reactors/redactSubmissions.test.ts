import * as assert from 'uvu/assert';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { Position } from '../../kernel/event.ts';
import type { RedactionItem } from '../../projections/redactionQueue.ts';
import { redactSubmissions } from '../../reactors/redactSubmissions.ts';
import type { Claimed } from '../../stores/documents/port.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { sessionsOn } from '../controls/sessions.ts';
import { gate, type Stores, withStores } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('redactSubmissions');
const never = new AbortController().signal;

/**
 * A submission whose redaction was requested, and the worker; a step of the name in `failing` throws.
 * `compact` is what the worker waits for after that step.
 */
const staged = async (stores: Stores, compact = async (): Promise<void> => undefined) => {
  const sessions = sessionsOn(stores);
  const requested = async (): Promise<Claimed<RedactionItem>> => {
    const id = await sessions.inReview();
    const { position } = await sessions.run(id, {
      ...{ type: 'Redact', reason: 'erasure', legalBasis: 'erasure_request', requestedBy: null },
    });
    const cause = { correlationId: 'c', causationId: 'c' };
    const document: RedactionItem = { id, lane: '', dueAt: '', cause };
    return { id, position, document, fence: { lease: '', owner: '', token: 1 } };
  };
  const item = await requested();
  const { id } = item;
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
    compact: async () => {
      step('compact');
      await compact();
    },
  });
  const run = (): Promise<Position | null> => work(item, never);
  const types = async () => (await stores.log.load(submissionStream(id))).events.map(({ type }) => type);
  return { id, failing, steps, run, types, requested, work };
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

test(
  'many wait for one compaction together, whose keys are destroyed by then [redaction-6]',
  withStores(async (stores) => {
    const compacted = gate();
    const { requested, work, steps } = await staged(stores, () => compacted.opened);
    const items: Claimed<RedactionItem>[] = [];
    for (let n = 0; n < 12; n += 1) items.push(await requested());
    const works = Promise.all(items.map((one) => work(one, never)));
    const compactions = () => steps.filter((name) => name === 'compact').length;
    await eventually('all to wait for it', () => compactions() === items.length);
    assert.is((await stores.keys.find(items.map(({ id }) => id))).size, 0);
    compacted.open();
    assert.not.ok((await works).includes(null));
  }),
);
