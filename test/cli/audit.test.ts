import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Entry } from '../../cli/timeline.ts';
import { requestDelivery } from '../../commands/requestDelivery.ts';
import type { Submission, SubmissionEvent } from '../../domain/submission/state.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { webhookDelivery, webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import { publicName } from '../../kernel/event.ts';
import type { Core } from '../../runtime/wire.ts';
import { hashOf } from '../../stores/events/hash.ts';
import type { StoredEvent } from '../../stores/events/port.ts';
import { approved, created, processed, routing, started, submitted } from '../controls/submission.ts';
import { eventually, suite } from '../harness.ts';
import { openCoreOf } from '../support/core.ts';
import { refusalOf, start, workplace } from './run.ts';

const test = suite('the command line: auditing a submission [audit-1]');
const place = workplace();
let core: Core;
test.before(async () => {
  core = await openCoreOf(place.settings);
});
test.after(async () => {
  await core.close();
  place.remove();
});

type Audit = Readonly<{ events: readonly Entry[]; state: Submission; deliveries: readonly object[] }>;
type Failing = Readonly<{ companyId: string; mode: string; receiver: string; count: number; since: string }>;
const NOWHERE: Failing = { companyId: '', mode: '', receiver: '', count: 0, since: '' };
type Difference = Readonly<{ events: readonly Entry[]; state: Submission; changes: Entry['changes'] }>;

const ID = routing.submissionId;
const stream = submissionStream(ID);
const history = [created, submitted, started, processed('review')];
const at = (index: number): string => new Date(Date.UTC(2026, 10, 21, 10, 0, index)).toISOString();

const append = async (event: SubmissionEvent, index: number): Promise<string> => {
  const { head } = await core.log.load(stream);
  const id = core.ids.event();
  const actor = { kind: 'key', id: routing.keyId } as const;
  const metadata = { at: at(index), $correlationId: 'cor', $causationId: 'cau', actor };
  await core.log.append(
    stream,
    head,
    [{ ...event, id, metadata: { ...metadata, requestId: 'req-1' } }],
    () => ID,
  );
  return id;
};

let outcomeId = '';
test.before(async () => {
  for (const [index, event] of history.entries()) outcomeId = await append(event, index);
});

test('shows every event, who caused it and what it changed', async () => {
  const { events, state } = await place.json<Audit>('audit', ID);
  assert.equal(
    events.map(({ type }) => type),
    history.map(({ type }) => publicName(type)),
  );
  assert.equal(
    events.map(({ revision }) => revision),
    [0, 1, 2, 3],
  );
  const [first, second, , last] = events;
  const { occurredAt, actor, requestId, correlation, causation } = first ?? {};
  assert.equal(
    { occurredAt, actor, requestId, correlation, causation },
    {
      ...{ occurredAt: at(0), actor: { kind: 'key', id: routing.keyId }, requestId: 'req-1' },
      ...{ correlation: 'cor', causation: 'cau' },
    },
  );
  assert.equal(second?.changes[0], { pointer: '/state', from: 'pending', to: 'queued' });
  assert.equal(
    second?.changes.map(({ pointer }) => pointer),
    ['/state', '/files'],
  );
  assert.equal(last?.data, processed('review').data, 'private parts are readable');
  assert.is(state.status, 'review');
  assert.equal(state.extractedData, { total: 80.9, company: null });
});

test('takes the session’s identifier too, and draws a timeline for people', async () => {
  const { stdout, stderr, code } = await place.intake('audit', ID.replace('sub_', 'ses_'));
  assert.is(code, 0, stderr);
  assert.ok(stdout.startsWith(`Submission ${ID}\n  session ${ID.replace('sub_', 'ses_')}\n`), stdout);
  assert.match(stdout, /\n {2}workflow receipt version 1\n {2}company cmp_\w+ \(live\)\n/);
  assert.match(stdout, /\nChain whole: 4 events, the last one’s hash is [0-9a-f]{64}\n\n/);
  assert.ok(stdout.includes(`${at(0)}  #0 session.created  by ${routing.keyId}  request req-1\n`), stdout);
  assert.match(stdout, /\n {4}extractedData\.total: 80\.9\n/);
  assert.match(stdout, /#1 session\.submitted .*\n {4}state: "pending" → "queued"\n/);
  assert.match(stdout, /It is review \(its job: completed\)\./);
});

test('reports whether the chain is whole, and which event breaks it', async () => {
  const other = 'sub_01hv6x3m8q2r5t7w9y0a1b2c3f';
  const name = submissionStream(other);
  const { events } = await core.log.load(stream);
  const ids = events.map(() => core.ids.event());
  const stored: StoredEvent[] = [];
  for await (const { type, data, metadata } of core.events.read(stream)) {
    const prev = stored.at(-1) ? hashOf(stored.at(-1) as StoredEvent) : null;
    stored.push({
      id: ids[stored.length] ?? '',
      type,
      data: { ...data, private: undefined },
      metadata: { ...metadata, prev },
    });
  }
  const [first, second, third] = JSON.parse(JSON.stringify(stored)) as StoredEvent[];
  if (!first || !second || !third) throw new Error('no events');
  const redacted = { ...first, data: { ...first.data, private: { redacted: true } } };
  const chained = { ...second, metadata: { ...second.metadata, prev: hashOf(redacted) } };
  // As it were if somebody had edited the second event in the database.
  await core.events.append(name, 'none', [
    redacted,
    { ...chained, data: { ...chained.data, files: [] } },
    { ...third, metadata: { ...third.metadata, prev: hashOf(chained) } },
  ]);
  const { chain } = await place.json<{ chain: object }>('audit', other);
  const detail = `its prev is not the hash of revision 1 (${ids[1]}): one of the two was changed`;
  const brokenAt = { revision: 2, id: ids[2], type: 'SubmissionProcessingStarted', detail };
  const hashes = [redacted, chained].map(hashOf);
  assert.equal(
    { ...chain, lastHash: null, hashes },
    { whole: false, events: 3, lastHash: null, brokenAt, hashes },
  );
  assert.is((chain as { hashes: string[] }).hashes[0], hashes[0]);
  const { stdout } = await place.intake('audit', other, '--diff', '0', '1');
  assert.ok(stdout.startsWith('CHAIN BROKEN at revision 2 (SubmissionProcessingStarted'), stdout);
  const refusal = refusalOf(
    await place.intake('audit', 'export', other, '--out', join(place.folder, 'broken'), '--json'),
  );
  assert.equal([refusal.code, existsSync(join(place.folder, 'broken'))], ['chain-broken', false]);
  assert.match(refusal.detail, /breaks at revision 2/);
});

test('shows the state at a revision and at a time', async () => {
  const [revision, time, between] = await Promise.all([
    place.json<Audit>('audit', ID, '--at', '1'),
    place.json<Audit>('audit', ID, '--at', at(2)),
    place.json<Audit>('audit', ID, '--at', '2026-11-21T11:00:01.999+01:00'),
  ]);
  assert.equal([revision.events.length, revision.state.state], [2, 'queued']);
  assert.equal([time.events.length, time.state.state], [3, 'processing']);
  assert.equal(between, revision);
  const [beyond, before] = await Promise.all([
    place.intake('audit', ID, '--at', '4', '--json').then(refusalOf),
    place.intake('audit', ID, '--at', '2020-01-01T00:00:00Z', '--json').then(refusalOf),
  ]);
  assert.match(beyond.detail, /revisions 0 to 3, not 4/);
  assert.match(before.detail, /was not there at 2020/);
});

test('shows what changed between two points', async () => {
  const difference = await place.json<Difference>('audit', ID, '--diff', '0', at(2));
  assert.equal(
    difference.events.map(({ revision }) => revision),
    [1, 2],
  );
  assert.is(difference.state.state, 'processing');
  const change = (pointer: string) => difference.changes.find((found) => found.pointer === pointer);
  assert.equal(change('/state'), { pointer: '/state', from: 'pending', to: 'processing' });
  assert.equal(change('/status'), { pointer: '/status', from: 'created', to: 'processing' });
  assert.is(change('/workflow'), undefined);
  const { stdout } = await place.intake('audit', ID, '--diff', '2', '2');
  assert.match(stdout, /From revision 2 to 2:\n {4}nothing changed/);
  const { detail } = refusalOf(await place.intake('audit', ID, '--diff', '2', '1', '--json'));
  assert.match(detail, /earlier point first/);
});

test(
  'shows the webhooks that the submission caused, and the commands for webhooks work on them [cli-8] [deliveries-20]',
  async () => {
    const { events } = await core.log.load(stream);
    const cause = events.at(-1);
    assert.ok(cause);
    const endpoint = { id: `whe_${'e'.repeat(26)}`, url: 'https://example.com/endpoint' };
    const request = requestDelivery(core.handle, core.log, () => [endpoint]);
    await request(cause as Parameters<ReturnType<typeof requestDelivery>>[0]);
    const outcome = { statusCode: 500, durationMs: 12, error: 'the receiver answered 500' };
    const record = {
      type: 'RecordAttempt',
      attempt: 1,
      outcome,
      succeeded: false,
      nextAttemptAt: at(60),
    } as const;
    const context = { actor: { kind: 'system', id: 'test' }, correlationId: 'c', causationId: 'c' } as const;
    await core.handle(webhookDelivery, webhookDeliveryStream(outcomeId), record, context);
    const [audit, pending, failed, shown, text, table] = await Promise.all([
      place.json<Audit>('audit', ID),
      place.json<{ data: { id: string }[] }>('webhooks', 'list', '--status', 'pending'),
      place.json<{ data: object[] }>('webhooks', 'list', '--status', 'failed'),
      place.json<{ id: string; attempts: object[] }>('webhooks', 'show', outcomeId),
      place.intake('webhooks', 'show', outcomeId),
      place.intake('audit', ID),
    ]);
    const toEndpoint = audit.deliveries.at(-1) as { id: string; endpointId: string };
    assert.equal([toEndpoint.id, toEndpoint.endpointId], [`${outcomeId}.${'e'.repeat(26)}`, endpoint.id]);
    assert.equal(audit.deliveries, [shown, toEndpoint]);
    assert.equal(pending.data, [toEndpoint, shown]);
    assert.equal(failed.data, []);
    assert.is(shown.id, outcomeId);
    assert.is(shown.attempts.length, 1);
    assert.match(text.stdout, /AT +STATUS +MS +ERROR\n\S+ +500 +12 +the receiver answered 500/);
    assert.match(table.stdout, new RegExp(`${outcomeId} .* pending +1 `));
    const underWay = { eventId: outcomeId, count: 0 };
    assert.equal(await place.json('webhooks', 'redeliver', outcomeId), underWay);
    const end = { ...record, attempt: 2, succeeded: true };
    await core.handle(webhookDelivery, webhookDeliveryStream(outcomeId), end, context);
    const again = { eventId: outcomeId, count: 1 };
    assert.equal(await place.json('webhooks', 'redeliver', outcomeId), again);
    const brought = await place.json<{ status: string; attempts: object[] }>('webhooks', 'show', outcomeId);
    assert.equal([brought.status, brought.attempts.length], ['pending', 2]);

    const last = { ...record, attempt: 3, nextAttemptAt: null };
    await core.handle(webhookDelivery, webhookDeliveryStream(outcomeId), last, context);
    const failing = () => place.json<{ data: Failing[] }>('webhooks', 'failing-receivers');
    const [{ companyId, mode, receiver, count, since } = NOWHERE] = (await failing()).data;
    assert.equal([companyId, mode, count], [routing.companyId, routing.mode, 1]);
    const told = (await place.intake('webhooks', 'failing-receivers')).stdout;
    assert.match(told, new RegExp(`^${companyId} +${mode} +${receiver} +1 +${since}$`, 'm'));
    const recover = (host: string, company: string) =>
      place.json('webhooks', 'recover', '--since', since, '--receiver', host, '--company', company);
    assert.equal(await recover(receiver, `cmp_${'0'.repeat(26)}`), { count: 0, next: null });
    assert.equal(await recover('elsewhere.example', companyId), { count: 0, next: null });
    assert.equal(await recover(receiver, companyId), { count: 1, next: null });
    assert.equal((await failing()).data, []);
  },
  { timeoutMs: 60_000 },
);

test('follows the stream until it is stopped', async () => {
  const running = start(place.settings, 'audit', ID, '--follow', '--json');
  const lines = () => running.stdout().split('\n').slice(0, -1);
  try {
    await eventually('the events so far', () => lines().length === 4);
    await append(approved, 4);
    await eventually('the new event', () => lines().length === 5);
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    assert.is(code, 0);
    assert.match(stderr, /^{"notice":"Chain whole: 4 events, .*"}\n$/);
  } finally {
    running.child.kill('SIGKILL');
  }
  const entry = JSON.parse(lines().at(-1) ?? '') as Entry;
  assert.equal([entry.revision, entry.type], [4, 'submission.approved']);
  assert.equal(entry.changes[0], { pointer: '/status', from: 'review', to: 'approved' });
});
