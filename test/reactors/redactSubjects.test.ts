import * as assert from 'uvu/assert';
import type { Handle } from '../../commands/handle.ts';
import { redactSubject } from '../../commands/redactSubject.ts';
import { redactSubmission } from '../../commands/redactSubmission.ts';
import { subjectRedactionStream } from '../../domain/subjectRedaction.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { StoreUnavailable } from '../../kernel/errors.ts';
import type { Position, Recorded } from '../../kernel/event.ts';
import { redactSubjects } from '../../reactors/redactSubjects.ts';
import { keyringOf } from '../controls/keyring.ts';
import { sessionsOn } from '../controls/sessions.ts';
import { context, failure, keptReport, type Stores, withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('redactSubjects');
const never = new AbortController().signal;
const basis = { reason: 'article 17', legalBasis: 'erasure_request', requestedBy: null } as const;
const ULID = '01hv6x3m8q2r5t7w9y0a1b2c3d';
const REQUESTED = 'SubmissionRedactionRequested';
const { nameOf } = keyringOf(Buffer.alloc(32, 7));
const down = new StoreUnavailable('down');

/** A request over submissions, of which the worker is given `found`, and what the log has of it. */
const staged = async (stores: Stores, count: number, more: readonly string[] = []) => {
  const sessions = sessionsOn(stores);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await sessions.inReview());
  const { report, lines: reports } = keptReport();
  const asked: unknown[] = [];
  const request = redactSubject({
    ...{ ...stores, nameOf, progress: { reached: async () => true } },
    submissionsOf: async (...given) => {
      asked.push(given);
      return [...ids, ...more];
    },
  });
  const subject = { clientSubmissionId: null, metadata: 'customer=Quillfeather' };
  const scope = { companyId: 'cmp_1', mode: 'live' } as const;
  const { position } = await request(scope, subject, basis, ULID, context);
  const id = `red_${ULID}`;
  const stream = subjectRedactionStream(id);
  const cause = { correlationId: 'c', causationId: 'c' };
  const item = {
    id,
    position,
    document: { id, lane: '', dueAt: '', cause },
    fence: { lease: '', owner: '', token: 1 },
  };
  const work = (over: Readonly<{ handle?: Handle; redact?: ReturnType<typeof redactSubmission> }> = {}) =>
    redactSubjects({ ...stores, report, redact: redactSubmission(stores.handle), ...over })(item, never);
  const events = async () => (await stores.log.load(stream)).events as readonly Recorded[];
  const requestsOf = async (submissionId: string) =>
    (await stores.log.load(submissionStream(submissionId))).events.filter(({ type }) => type === REQUESTED);
  return { ids, sessions, asked, reports, work, events, requestsOf };
};

/** What the steps came to. */
const steps = (events: readonly Recorded[]) =>
  events
    .filter(({ type }) => type === 'SubjectRedactionAdvanced')
    .map(({ data }) => {
      const { others, held, failed, left } = data as Readonly<Record<string, unknown>>;
      return { others, held, failed, left };
    });

test(
  'each submission is requested, but for what is held, failed or requested before [subjects-7, subjects-8]',
  withStores(async (stores) => {
    const unknown = 'sub_01hv6x3m8q2r5t7w9y0a1b2c3d';
    const { ids, sessions, asked, reports, work, events, requestsOf } = await staged(stores, 3, [unknown]);
    const [held = '', before = '', own = ''] = ids;
    const by = { kind: 'key', id: 'key_1' } as const;
    await sessions.run(held, { type: 'PlaceLegalHold', reason: 'x', by, at: '2026-11-21T10:00:00.000Z' });
    await sessions.run(before, { type: 'Redact', ...basis });
    assert.ok(await work());
    assert.equal(steps(await events()), [{ others: 1, held: [held], failed: [unknown], left: 0 }]);
    assert.equal(asked, [
      [
        { companyId: 'cmp_1', mode: 'live' },
        { clientSubmissionId: null, metadata: 'customer=Quillfeather' },
        10_000,
      ],
    ]);
    const [event] = await requestsOf(own);
    assert.ok(event);
    assert.equal((event.data as { redactionId?: string }).redactionId, `red_${ULID}`);
    assert.equal(event.metadata.actor, context.actor);
    assert.is(reports.length, 1);
    assert.is(await work(), null, 'nothing is left');
    assert.not.match(JSON.stringify(await events()), 'Quillfeather');
  }),
);

test(
  'cut short after any part of a step it goes on, and requests none twice [subjects-8]',
  withStores(async (stores) => {
    const { ids, work, events, requestsOf } = await staged(stores, 34);
    const redact = redactSubmission(stores.handle);
    let calls = 0;
    const cut: typeof redact = async (...given) => {
      calls += 1;
      if (calls === 20) throw down;
      return redact(...given);
    };
    assert.is(await failure(work({ redact: cut })), down);
    assert.equal(steps(await events()), []);
    const unrecorded: Handle = async () => {
      throw down;
    };
    assert.is(await failure(work({ handle: unrecorded })), down);
    assert.ok(await work());
    assert.equal(steps(await events()), [
      { others: 0, held: [], failed: [], left: 2 },
      { others: 0, held: [], failed: [], left: 0 },
    ]);
    for (const id of ids) assert.is((await requestsOf(id)).length, 1);
  }),
);

test(
  'what names the person is in no event, and the same person has the same name [subjects-9]',
  withStores(async (stores) => {
    const { events } = await staged(stores, 1);
    const [event] = await events();
    assert.ok(event);
    const { subject } = event.data as { subject: string };
    assert.match(subject, /^[0-9a-f]{64}$/);
    assert.not.match(JSON.stringify(event), 'Quillfeather');
    assert.is(subject, nameOf('subject', 'cmp_1', 'live', JSON.stringify([null, 'customer=Quillfeather'])));
  }),
);

test(
  'it waits until the read models show all submissions [subjects-6]',
  withStores(async (stores) => {
    await sessionsOn(stores).inReview();
    const request = redactSubject({
      ...{ ...stores, nameOf, progress: { reached: async (_position: Position) => false } },
      submissionsOf: async () => [],
    });
    const subject = { clientSubmissionId: 'x', metadata: null };
    const asked = request({ companyId: 'cmp_1', mode: 'live' }, subject, basis, ULID, context);
    assert.instance(await failure(asked), StoreUnavailable);
  }),
);
