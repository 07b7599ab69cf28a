import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { aggregates } from '../../domain/aggregates.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { submission } from '../../domain/submission/submission.ts';
import { webhookDelivery } from '../../domain/webhookDelivery.ts';
import { eventCatalogue } from '../../schemas/events.ts';
import { runThrough, submissionCommands } from '../controls/commands.ts';
import { deliveryFacts, examples, variants } from '../controls/events.ts';
import { created, extracted, routing } from '../controls/submission.ts';
import { anyCharacter } from '../controls/text.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('schemas of events');

type Written = Readonly<{ type: string; data: unknown }>;
const metadata = {
  ...{ at: '2026-11-22T10:00:00.000Z', $correlationId: 'c', $causationId: 'c' },
  actor: { kind: 'system', id: 'test' },
};
/** Where an event breaks what is written now. */
const faults = ({ type, data }: Written) =>
  eventCatalogue.faults({ type, data, metadata: { ...metadata, schema: eventCatalogue.current(type) ?? 0 } });
const pointers = (event: Written): readonly string[] => faults(event).map(({ pointer }) => pointer);

test('every example keeps its schema, and so does what it reads as when its key is gone', () => {
  for (const event of Object.values(examples)) {
    assert.equal(faults(event), [], event.type);
    if ('private' in event.data)
      assert.equal(faults({ ...event, data: { ...event.data, private: { redacted: true } } }), []);
  }
});

type Shape = Readonly<{
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  anyOf?: readonly Shape[];
}>;

/** The optional members of an event and of its private part. */
const optionalIn = ({ properties = {}, required = [], anyOf = [] }: Shape): readonly string[] => [
  ...Object.keys(properties).filter((name) => !required.includes(name) && name !== 'private'),
  ...(properties.private ? optionalIn(properties.private) : []),
  ...(anyOf[0] ? optionalIn(anyOf[0]) : []),
];

test('every optional member is in an example or a variant, which is stored for ever', () => {
  const all: readonly Written[] = [...Object.values(examples), ...Object.values(variants)];
  const missing = aggregates.flatMap(({ events }) =>
    Object.entries(events as Readonly<Record<string, Readonly<{ data: Shape }>>>).flatMap(
      ([type, { data }]) => {
        const written = JSON.stringify(all.filter((event) => event.type === type));
        return optionalIn(data)
          .filter((name) => !written.includes(`"${name}":`))
          .map((name) => `${type}.${name}`);
      },
    ),
  );
  assert.equal(missing, []);
});

/**
 * The paths of the objects in an event whose members are ours: not those that a client, a workflow or a
 * company names.
 */
const THEIRS =
  /^\/(private\/(metadata|fileNames|extractedData|fieldConfidences|result|details)|roleMap\/roles|retention\/workflows|settings\/(labels|fieldsBelow))(\/|$)/;
const OPTIONAL = /\/validation\/(pattern|minLength|maxLength)$/;
const objectsIn = (value: unknown, path = ''): readonly string[] => {
  if (typeof value !== 'object' || value === null || THEIRS.test(path)) return [];
  const below = Object.entries(value).flatMap(([name, member]) => objectsIn(member, `${path}/${name}`));
  return Array.isArray(value) ? below : [path, ...below];
};

/** The event with the object at a path changed. */
const changed = (
  event: Written,
  path: string,
  change: (members: Record<string, unknown>) => void,
): Written => {
  const data = JSON.parse(JSON.stringify(event.data)) as Record<string, unknown>;
  const names = path.split('/').slice(1);
  change(names.reduce((at, name) => at[name] as Record<string, unknown>, data));
  return { type: event.type, data };
};

test('a member that is not known is refused in every object of ours, and one that is missing too', () => {
  let tried = 0;
  for (const event of Object.values(examples))
    for (const path of objectsIn(event.data)) {
      const more = changed(event, path, (members) => {
        members.stray = 1;
      });
      assert.ok(pointers(more).includes(`/data${path}/stray`), `${event.type} ${path}/stray`);
      const members = Object.keys(
        path
          .split('/')
          .slice(1)
          .reduce((at, name) => Object(at)[name], event.data as object),
      );
      for (const name of members.filter((one) => !OPTIONAL.test(`${path}/${one}`))) {
        tried += 1;
        const less = changed(event, path, (all) => {
          delete all[name];
        });
        assert.ok(pointers(less).includes(`/data${path}/${name}`), `${event.type} ${path}/${name}`);
      }
    }
  assert.ok(tried > 400, `${tried} members were tried`);
});

test('every event that random histories make keeps its schema', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(submissionCommands, (commands) => {
      for (const event of runThrough(commands)) {
        seen.add(event.type);
        assert.equal(faults(event), [], event.type);
      }
    }),
    { numRuns: rounds(300, 5_000) },
  );
  assert.ok(seen.size >= 12, `the histories had ${[...seen].join(', ')}`);
});

const anyText = fc.string({ unit: anyCharacter, maxLength: 40 });
const nullOr = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const anyObject = fc.dictionary(anyText, fc.jsonValue(), { maxKeys: 5 });

test('what clients and workflows say is taken as it is: any text, any JSON, nothing at all', () => {
  const part = fc.record({
    ...{ webhookUrl: nullOr(anyText), clientSubmissionId: nullOr(anyText), batchRef: nullOr(anyText) },
    ...{ metadata: nullOr(anyObject), fileNames: fc.dictionary(anyText, anyText) },
  });
  const extraction = fc.record({
    ...{ extractedData: anyObject, result: anyObject, aiSummary: anyText },
    fieldConfidences: fc.dictionary(anyText, fc.double({ min: -0, max: 1, noNaN: true })),
  });
  const { from: _f, to: _t, firstProcessed: _p, processed: _q, ...session } = created.data;
  const attempt = { round: 1, attempt: 1 };
  fc.assert(
    fc.property(part, extraction, anyObject, nullOr(anyText), (given, read, corrections, said) => {
      const events: SubmissionEvent[] = runThrough(
        [
          { type: 'OpenSession', routing, session: { ...session, private: given } },
          { type: 'SubmitSession', files: [] },
          { type: 'StartProcessing', maxAttempts: 3, at: '2026-11-21T10:05:00.000Z' },
          {
            ...{ type: 'RecordResult', ...attempt },
            result: {
              ...{ ...extracted, extraction: read },
              reviewReasons: [{ code: 'missing_required', field: 'total' }],
            },
          },
          { type: 'Approve', comment: said, actor: said, corrections },
        ].map((command) => () => command as Parameters<typeof submission.decide>[0]),
      ) as SubmissionEvent[];
      assert.is(events.length, 5);
      for (const event of events) assert.equal(faults(event), []);
    }),
    { numRuns: rounds(100, 2_000) },
  );
});

test('the events of a delivery keep theirs, whatever the receiver does', () => {
  const outcome = fc.record({
    ...{
      statusCode: nullOr(fc.integer()),
      durationMs: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    },
    error: nullOr(anyText),
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(outcome, fc.boolean(), fc.boolean()), { maxLength: 6 }),
      anyText,
      (tries, url) => {
        const request = { type: 'RequestDelivery', facts: deliveryFacts, url, body: '{}' } as const;
        let events = webhookDelivery.decide(request, null);
        let state = events.reduce(webhookDelivery.evolve, null);
        const all = [...events];
        for (const [tried, succeeded, again] of tries) {
          const attempt = (state?.attempts ?? 0) + 1;
          const nextAttemptAt = again ? '2026-11-22T10:00:30.000Z' : null;
          events = webhookDelivery.decide(
            { type: 'RecordAttempt', attempt, outcome: tried, succeeded, nextAttemptAt },
            state,
          );
          state = events.reduce(webhookDelivery.evolve, state);
          all.push(...events);
          if (state?.status !== 'pending') {
            events = webhookDelivery.decide({ type: 'Redeliver' }, state);
            state = events.reduce(webhookDelivery.evolve, state);
            all.push(...events);
          }
        }
        for (const event of all) assert.equal(faults(event), []);
      },
    ),
    { numRuns: rounds(100, 2_000) },
  );
});
