import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { aggregates, type DomainEvent } from '../../domain/aggregates.ts';
import { apiKey } from '../../domain/apiKey.ts';
import { batch } from '../../domain/batch.ts';
import { company } from '../../domain/company.ts';
import { evidenceExport } from '../../domain/evidenceExport.ts';
import { invitation } from '../../domain/invitation.ts';
import { logIn } from '../../domain/logIn.ts';
import { submission } from '../../domain/submission/submission.ts';
import { user } from '../../domain/user.ts';
import { userEmail } from '../../domain/userEmail.ts';
import { webhookDelivery } from '../../domain/webhookDelivery.ts';
import { workflow } from '../../domain/workflow.ts';
import type { Decider } from '../../kernel/decider.ts';
import { causedBy, type Event, type Recorded } from '../../kernel/event.ts';
import type { EventDefinition } from '../../kernel/eventDefinition.ts';
import { pick } from '../../kernel/pick.ts';
import { allProjections } from '../../projections/all.ts';
import { foldEvent, handledBy } from '../../projections/engine/projection.ts';
import { eventCatalogue } from '../../schemas/events.ts';
import { cataloguedLog } from '../../stores/events/catalogued.ts';
import { sealedLog } from '../../stores/events/codec.ts';
import type { EventStore, RecordedEvent } from '../../stores/events/port.ts';
import { checkedReads } from '../controls/catalogue.ts';
import { batchId, examples, logged, variants } from '../controls/events.ts';
import { type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { addGolden, digestOf, type Golden, goldenDigests, goldenEvents } from './golden.ts';

const test = suite('golden events');
const UPDATE = process.env.UPDATE_GOLDEN === '1';
const TABLE = 'subjectKeys';

let stores: Stores;
test.before(async () => {
  stores = temporaryStores();
  for (const { sealed } of goldenEvents().values())
    if (sealed) await stores.documents.tables.insert(TABLE, sealed.subject, sealed.key);
  if (UPDATE) await addMissing();
});
test.after(() => stores.remove());

const nameOf = ({ type, metadata }: Pick<RecordedEvent, 'type' | 'metadata'>): string =>
  `${type}.v${metadata.schema}`;
const subjectOf = (event: DomainEvent): string | null => {
  if (event.type === 'UserCreated') return user.subject(event);
  if (event.type === 'SubmissionRedactionRequested') return submission.subject(event);
  if (event.type === 'UserLoggedIn' || event.type === 'UserLogInFailed') return logIn.subject(event);
  const { data } = event;
  if ('endpointId' in data && !('eventId' in data)) return data.endpointId;
  if ('invitationId' in data) return data.invitationId;
  if ('counts' in data) return data.batchId;
  return 'submissionId' in data ? data.submissionId : null;
};

/** The identifiers of variants come after those of all examples that there may ever be. */
const FIRST_VARIANT = 5_000;

/** The event whose metadata say where it stands in a trace: all may, and those of older releases do not. */
const TRACED = 'SessionSubmitted.v1.traced';
const TRACE = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'rojo=1',
};

/** The file of an example, or of a variant that is named `<type>.<member>`. */
const fileOf = (name: string): string => {
  const [type = '', ...member] = name.split('.');
  return [`${type}.v${eventCatalogue.current(type)}`, ...member].join('.');
};

/** A variant of an earlier version, which is kept though the examples have it no more. */
const isEarlierVariant = (name: string): boolean => {
  const [type = '', version, member] = name.split('.');
  return member !== undefined && version !== `v${eventCatalogue.current(type)}`;
};

/** Stores each example and variant as the service does, and keeps those that have no golden file yet. */
const addMissing = async (): Promise<void> => {
  const known = goldenEvents();
  const named = [...Object.keys(examples), ...Object.keys(variants)];
  const all = [...logged(Object.values(examples)), ...logged(Object.values(variants), FIRST_VARIANT)];
  for (const [index, event] of all.entries()) {
    const file = fileOf(named[index] ?? '');
    if (known.has(file)) continue;
    const { id, type, data, stream, metadata } = event as Recorded<DomainEvent>;
    const { prev: _p, schema: _s, ...given } = metadata;
    const own = { ...given, ...(file === TRACED && TRACE) };
    const { head } = await stores.log.load(stream);
    await stores.log.append(stream, head, [{ id, type, data, metadata: own }], () => subjectOf(event));
    for await (const stored of stores.events.read(stream, head === null ? 0 : head.revision + 1))
      addGolden(file, { stored, sealed: await sealedIn(event) });
  }
};

const sealedIn = async (event: DomainEvent): Promise<Golden['sealed']> => {
  const subject = subjectOf(event);
  if (!('private' in event.data) || subject === null) return null;
  const found = await stores.documents.tables.read<object>(TABLE, subject);
  if (!found) throw new Error(`the key of ${subject} was not made`);
  return { subject, key: found.row, private: event.data.private };
};

/**
 * A log of the golden events of a category, in the order of the examples, as they are stored but with their
 * private parts open.
 */
const sealed = (prefix: string, isRead: (type: string) => boolean = () => true) => {
  const types = Object.keys(examples);
  const stored = [...goldenEvents().values()]
    .map((golden) => golden.stored)
    .filter(({ stream, type }) => stream.startsWith(prefix) && isRead(type))
    .sort((one, other) => types.indexOf(one.type) - types.indexOf(other.type))
    .map((event, index) => ({ ...event, revision: index }));
  const read: EventStore['read'] = async function* () {
    yield* stored;
  };
  return sealedLog({ ...stores.events, read }, stores.keys);
};

/** Those events as this release reads them: checked against their version, then brought to the newest. */
const opened = async (prefix: string, isRead?: (type: string) => boolean): Promise<readonly Recorded[]> => {
  const catalogue = async () => eventCatalogue;
  const unknown: string[] = [];
  const onUnknown = ({ type }: Recorded): void => void unknown.push(type);
  const log = cataloguedLog(checkedReads(sealed(prefix, isRead), eventCatalogue), { catalogue, onUnknown });
  const { events } = await log.load(prefix);
  assert.equal(unknown, []);
  return events;
};

/** What the catalogue has: types, and each of their versions as its golden event is named. */
const entries = aggregates.flatMap(({ category, events }) =>
  Object.entries<EventDefinition>(events).map(([type, { earlier = [] }]) => ({
    category,
    type,
    count: earlier.length + 1,
  })),
);
const versionNames = entries.flatMap(({ type, count }) =>
  Array.from({ length: count }, (_, index) => `${type}.v${index + 1}`),
);

/** The categories that the domain's sources name. */
const declaredCategories = (): readonly string[] =>
  readdirSync('domain', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join('domain', file), 'utf8').matchAll(/^ +category: '(\w+-)'/gm)])
    .map(([, category]) => category ?? '');

test('every aggregate of the domain is in the list, and each event type is of one aggregate', () => {
  assert.equal(aggregates.map(({ category }) => category).sort(), [...declaredCategories()].sort());
  assert.is(new Set(entries.map(({ type }) => type)).size, entries.length);
});

test('every version of every event has its golden event, and no other is there', () => {
  const message = 'run this test with UPDATE_GOLDEN=1 and commit what it adds';
  const variantNames = Object.keys(variants).map(fileOf);
  const names = [...goldenEvents().keys()].filter((name) => !isEarlierVariant(name));
  assert.equal(names.sort(), [...versionNames, ...variantNames].sort(), message);
  for (const [name, { stored }] of goldenEvents()) {
    assert.is(nameOf(stored), name.split('.').slice(0, 2).join('.'));
    const entry = entries.find(({ type }) => type === stored.type);
    assert.ok(entry && stored.stream.startsWith(entry.category), name);
  }
});

test('no golden event was changed since it was added: they are for ever', () => {
  const digests = [...goldenEvents().keys()].map((name) => [name, digestOf(name)] as const);
  assert.equal(new Map(digests), goldenDigests());
});

test('each one opens: its private part is what was sealed, and none lies open in the file', async () => {
  const { events } = await sealed('').load('');
  assert.is(events.length, goldenEvents().size);
  const byName = new Map(
    [...goldenEvents().values()].map((golden) => [nameOf(golden.stored) + golden.stored.id, golden]),
  );
  for (const event of events) {
    const golden = byName.get(nameOf(event) + event.id);
    const { private: part } = event.data as { private?: unknown };
    assert.equal(part, golden?.sealed?.private, event.type);
    if (!golden?.sealed) continue;
    const stored = golden.stored.data.private as { sealed: string };
    assert.equal(Object.keys(stored).sort(), ['sealed', 'subject'], event.type);
  }
});

test('what follows from one that stands in a trace stands there too [traces-1]', async () => {
  const traced = (await opened('submission-')).filter(({ metadata }) => metadata.traceparent !== undefined);
  assert.equal(
    traced.map((event) => pick(causedBy(event), 'traceparent', 'tracestate')),
    [TRACE],
  );
});

const foldAll = async <S, C, E extends Event>(decider: Decider<S, C, E>): Promise<S> => {
  const events: readonly Event[] = await opened(decider.category, (type) => !eventCatalogue.redacts(type));
  assert.ok(events.length > 0, decider.category);
  return (events as readonly E[]).reduce(decider.evolve, decider.initial);
};

test('all of them fold', async () => {
  assert.equal((await foldAll(company))?.name, 'ACME');
  assert.equal((await foldAll(apiKey))?.revoked, true);
  assert.equal((await foldAll(workflow))?.slug, 'receipt');
  assert.equal((await foldAll(invitation))?.email, 'Ann@example.com');
  assert.equal((await foldAll(user))?.email, 'Ann@example.com');
  assert.is(await foldAll(userEmail), null);
  assert.equal((await foldAll(webhookDelivery))?.url, 'https://example.com/hook');
  assert.is(await foldAll(evidenceExport), null);
  assert.equal((await foldAll(batch))?.private, {
    batchRef: 'autumn-2026',
    webhookUrl: 'https://example.com/hook',
  });
  const state = await foldAll(submission);
  assert.equal(
    [state?.clientSubmissionId, state?.extractedData, state?.status],
    ['order-1', { total: 80.9, company: 'ACME' }, 'cancelled'],
  );
  assert.equal(state?.redaction, 'done');
});

/** The golden sessions are of no batch; the read models of batches see them as sessions of one. */
const inBatch = (event: Recorded): Recorded => ({ ...event, data: { ...event.data, batchId } }) as Recorded;

test('every read model takes them', async () => {
  const events = (await opened('')).map(inBatch);
  for (const projection of allProjections) {
    const handled = events.filter(({ type }) => handledBy(projection).includes(type));
    assert.ok(handled.length > 0, projection.name);
    const documents = new Map<string, unknown>();
    assert.ok(
      handled.some((event) => projection.keys(event).length > 0),
      projection.name,
    );
    for (const event of handled) {
      const keys = projection.keys(event);
      assert.ok(
        keys.every((key) => typeof key === 'string' && key !== ''),
        event.type,
      );
      for (const key of keys) {
        documents.set(key, foldEvent(projection.on, documents.get(key) ?? null, event, key));
      }
    }
  }
});
