import * as assert from 'uvu/assert';
import { reviewSubmission } from '../../commands/reviewSubmission.ts';
import { context } from '../controls/stores.ts';
import { eventually, rounds, suite } from '../harness.ts';
import { type Client, client, keepWaiting, receiptText } from '../support/client.ts';
import { openCore } from '../support/core.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('the pull feed');
const PATH = '/api/v1/events';
let service: TestService;
let companyId: string;
test.before(async () => {
  service = await startService({ BATCH_GRACE: '1ms', SWEEP: '1s' });
  ({ id: companyId } = await service.company());
});
test.after(() => service.close());

type Told = Readonly<{ eventId: string; eventType: string; sessionId: string }>;
const read = async (api: Client, query = ''): Promise<readonly Told[]> =>
  (await api.get(`${PATH}${query}`)).body.data;
const cancel = async (api: Client, { submissionId }: { submissionId: string }): Promise<void> =>
  assert.is((await api.post(`/api/v1/submissions/${submissionId}/cancel`)).status, 200);

test('the feed holds the envelopes that were delivered, and those of sessions without an address [feed-1]', async () => {
  const { api } = await service.key(companyId);
  const webhookUrl = `${service.receiver.url}/feed`;
  const told = await api.process([receiptText()], {
    webhookUrl,
    clientSubmissionId: 'c',
    metadata: { m: 1 },
  });
  const quiet = await api.process([receiptText()], { clientSubmissionId: 'quiet' });
  const failed = await api.process([{ content: '{', mimeType: 'application/json' }], { webhookUrl });
  await cancel(api, failed);
  const { body } = await api.get(PATH);
  assert.equal(
    body.data.map(({ eventType, sessionId }: Told) => [eventType, sessionId]),
    [
      ['session.completed', told.sessionId],
      ['session.completed', quiet.sessionId],
      ['session.failed', failed.sessionId],
      ['submission.cancelled', failed.sessionId],
    ],
    'in the order of commitment',
  );
  const sent = () => service.receiver.requests.filter(({ path }) => path === '/feed');
  await eventually('the deliveries', () => sent().length === 3);
  const delivered = new Map(
    sent().map(({ body: bytes }) => {
      const envelope = JSON.parse(bytes.toString());
      return [envelope.eventId, envelope];
    }),
  );
  const withAddress = body.data.filter(({ sessionId }: Told) => sessionId !== quiet.sessionId);
  assert.is(withAddress.length, 3);
  for (const envelope of withAddress) assert.equal(envelope, delivered.get(envelope.eventId));
  const [, silent] = body.data;
  assert.equal([silent.clientSubmissionId, silent.result], ['quiet', quiet.result]);
});

test('nextCursor is always given: a reader that has seen all goes on with it later', async () => {
  const { api } = await service.key(companyId);
  const empty = (await api.get(PATH)).body;
  assert.equal([empty.data, empty.pagination.hasMore], [[], false]);
  const first = await api.open([]);
  await cancel(api, first);
  const one = (await api.get(`${PATH}?cursor=${empty.pagination.nextCursor}`)).body;
  assert.equal(
    one.data.map(({ sessionId }: Told) => sessionId),
    [first.sessionId],
  );
  const none = (await api.get(`${PATH}?cursor=${one.pagination.nextCursor}`)).body;
  assert.equal([none.data, none.pagination.hasMore], [[], false]);
  const second = await api.open([]);
  await cancel(api, second);
  const next = (await api.get(`${PATH}?cursor=${none.pagination.nextCursor}`)).body;
  assert.equal(
    next.data.map(({ sessionId }: Told) => sessionId),
    [second.sessionId],
  );
});

test('batch.completed stands in the feed, as it is delivered', async () => {
  const { api } = await service.key(companyId);
  const webhookUrl = `${service.receiver.url}/batch`;
  await api.process([receiptText()], { batchRef: 'feed.1', webhookUrl });
  const [completed] = await eventually('the completion', async () => {
    const found = await read(api, '?types=batch.completed');
    return found.length > 0 ? found : null;
  });
  const isCompletion = ({ headers }: { headers: object }) =>
    Object.entries(headers).some(
      ([name, value]) => name === 'x-webhook-event' && value === 'batch.completed',
    );
  const { body } = await service.receiver.waitFor(isCompletion);
  assert.equal(completed, JSON.parse(body.toString()));
});

test('types narrows the feed, in whatever order they are named; an unknown one is a 400 [feed-3]', async () => {
  const { api } = await service.key(companyId);
  const done = await api.process([receiptText()]);
  const gone = await api.open([]);
  await cancel(api, gone);
  const types = async (names: string) =>
    (await read(api, `?types=${names}`)).map(({ eventType }) => eventType);
  assert.equal(await types('session.completed'), ['session.completed']);
  assert.equal(await types('submission.cancelled'), ['submission.cancelled']);
  const both = ['session.completed', 'submission.cancelled'];
  assert.equal(await types(both.join()), both);
  assert.equal(await types([...both].reverse().join()), both);
  assert.equal(await types('session.failed,batch.completed'), []);
  assert.is(done.submissionStatus, 'approved');
  for (const odd of ['odd', '', 'session.completed,', 'session.completed,odd']) {
    const { status, body } = await api.get(`${PATH}?types=${odd}`);
    assert.equal([status, body.errors[0].pointer], [400, '/query/types'], odd);
  }
  const { nextCursor } = (await api.get(`${PATH}?limit=1&types=${both.join()}`)).body.pagination;
  assert.is((await api.get(`${PATH}?cursor=${nextCursor}&types=${[...both].reverse().join()}`)).status, 200);
  assert.is((await api.get(`${PATH}?cursor=${nextCursor}`)).status, 400, 'a cursor belongs to its types');
});

test('the feed is the key’s own: another key of the company reads none of it, nor with its cursor [feed-3]', async () => {
  const [{ api: owner }, { api: other }] = await Promise.all([
    service.key(companyId),
    service.key(companyId),
  ]);
  await cancel(owner, await owner.open([]));
  assert.is((await read(owner)).length, 1);
  assert.equal(await read(other), []);
  const { nextCursor } = (await owner.get(PATH)).body.pagination;
  assert.is((await other.get(`${PATH}?cursor=${nextCursor}`)).status, 400);
});

test(
  'a reader that follows while others write skips nothing, sees nothing twice, and all in one order [feed-2]',
  async () => {
    const { api } = await service.key(companyId);
    const WRITERS = 6;
    const EACH = rounds(5, 15);
    const writing = Array.from({ length: WRITERS }, async () => {
      for (let n = 0; n < EACH; n += 1) await cancel(api, await api.open([]));
    });
    const seen: string[] = [];
    const narrow: string[] = [];
    const follow = async (into: string[], query: string): Promise<void> => {
      let cursor = '';
      await eventually(
        'all events',
        async () => {
          const { body } = await api.get(`${PATH}?${query}${cursor && `&cursor=${cursor}`}`);
          into.push(...body.data.map(({ eventId }: Told) => eventId));
          cursor = body.pagination.nextCursor;
          return into.length >= WRITERS * EACH;
        },
        20_000,
      );
    };
    await Promise.all([
      ...writing,
      follow(seen, 'limit=3'),
      follow(narrow, 'limit=4&types=session.failed,submission.cancelled'),
    ]);
    const all = (await read(api, '?limit=100')).map(({ eventId }) => eventId);
    assert.is(all.length, WRITERS * EACH);
    assert.equal(seen, all);
    assert.equal(narrow, all);
  },
  { timeoutMs: 60_000 },
);

const start = async (api: Client, query: string) => {
  const { status, body } = await api.get(`${PATH}?${query}`);
  assert.is(status, 200);
  return { ids: body.data.map(({ eventId }: Told) => eventId), cursor: body.pagination.nextCursor as string };
};
/** The answer to a request that waits so many seconds, and how long it took. */
const waitFor = async (api: Client, query: string, seconds: number) => {
  const started = performance.now();
  const answer = await api.get(`${PATH}?wait=${seconds}&${query}`);
  return {
    answer,
    ids: (answer.body.data ?? []).map(({ eventId }: Told) => eventId),
    ms: performance.now() - started,
  };
};

test('a reader starts at the end, or at a time; a cursor has its own place [feed-5]', async () => {
  const { api } = await service.key(companyId);
  assert.equal((await start(api, 'from=now')).ids, []);
  for (let n = 0; n < 3; n += 1) await cancel(api, await api.open([]));
  const all = (await api.get(PATH)).body.data;
  const ids = all.map(({ eventId }: Told) => eventId);
  for (const { occurredAt } of all)
    assert.equal((await start(api, `from=${occurredAt}`)).ids, ids, 'those of the seconds before come first');
  assert.equal((await start(api, 'from=2020-01-01T00:00:00Z')).ids, ids);
  const now = await start(api, 'from=now');
  assert.equal(now.ids, []);
  assert.equal((await start(api, `cursor=${now.cursor}`)).ids, []);
  await cancel(api, await api.open([]));
  assert.is((await start(api, `cursor=${now.cursor}`)).ids.length, 1, 'what came since');
  const later = await start(api, 'from=2999-01-01T00:00:00Z');
  assert.equal(later.ids, [], 'a time to come is now');
  await cancel(api, await api.open([]));
  assert.is((await start(api, `cursor=${later.cursor}`)).ids.length, 1);
  for (const odd of ['', 'then', '2026-13-01T00:00:00Z', '2026-11-21'])
    assert.equal((await api.get(`${PATH}?from=${odd}`)).body.errors?.[0].pointer, '/query/from', odd);
  const { status, body } = await api.get(`${PATH}?from=now&cursor=${now.cursor}`);
  assert.equal([status, body.errors[0].pointer], [400, '/query/from']);
});

test('a reader that waits is answered as soon as there is an event, else with an empty page in the end [feed-4]', async () => {
  const { api } = await service.key(companyId);
  const { cursor } = await start(api, 'from=now');
  const late = await waitFor(api, `cursor=${cursor}`, 1);
  assert.equal(
    [late.answer.status, late.ids, late.answer.body.pagination],
    [200, [], { hasMore: false, nextCursor: cursor }],
  );
  assert.ok(late.ms >= 950, `${late.ms}`);
  const waiting = waitFor(api, 'from=now', 25);
  const narrow = waitFor(api, 'from=now&types=session.failed,submission.cancelled', 25);
  await eventually('a first event', async () => {
    await cancel(api, await api.open([]));
    return (await Promise.race([waiting, null])) !== null;
  });
  assert.ok((await waiting).ids.length > 0);
  assert.ok((await narrow).ids.length > 0);
  assert.ok((await waitFor(api, `cursor=${cursor}`, 25)).ids.length > 0, 'what is there is not waited for');
  for (const odd of ['', '1.5', 'x'])
    assert.equal((await api.get(`${PATH}?wait=${odd}`)).body.errors[0].pointer, '/query/wait', odd);
});

test('events of other keys, and of other types, wake nobody [feed-4]', async () => {
  const [{ api }, other] = await Promise.all([service.key(companyId), service.key(companyId)]);
  const { cursor } = await start(api, 'from=now&types=session.failed');
  const waiting = waitFor(api, `types=session.failed&cursor=${cursor}`, 2);
  await cancel(api, await api.open([]));
  await cancel(other.api, await other.api.open([]));
  assert.equal([(await waiting).ids, (await waiting).ms >= 1_900], [[], true]);
});

test('an event that another process writes is seen as well [feed-4]', async () => {
  const { api } = await service.key(companyId);
  const { submissionId } = await api.open([]);
  const { cursor } = await start(api, 'from=now');
  const waiting = waitFor(api, `cursor=${cursor}`, 25);
  const core = await openCore(service.config);
  await reviewSubmission(core)(submissionId, { type: 'Cancel', reason: null, actor: null }, context);
  assert.is((await waiting).ids.length, 1);
  await core.close();
});

test('four requests of a key wait at once, one more is refused, and who has gone waits no longer [feed-4]', async () => {
  const [{ api, key }, other] = await Promise.all([service.key(companyId), service.key(companyId)]);
  const leaving = new AbortController();
  const init = { headers: { authorization: `Bearer ${key}` }, signal: leaving.signal };
  const gone = keepWaiting(4, `${service.url}${PATH}?from=now&wait=25`, init);
  const refused = await eventually('they wait', async () => {
    const { answer } = await waitFor(api, 'from=now', 1);
    return answer.status === 429 ? answer : null;
  });
  assert.equal([refused.body.code, refused.headers.get('retry-after')], ['rate-limited', '1']);
  assert.is((await waitFor(other.api, 'from=now', 1)).answer.status, 200, 'another key may');
  leaving.abort();
  await gone;
  await eventually(
    'their places are free',
    async () => (await waitFor(api, 'from=now', 1)).answer.status === 200,
  );
});

test('a key that is revoked while it waits gets nothing [feed-4]', async () => {
  const { api, id } = await service.key(companyId);
  const { submissionId } = await api.open([]);
  // One is too many: once it is refused, the others wait.
  const waits = Array.from({ length: 5 }, () => waitFor(api, 'from=now', 25));
  assert.is((await Promise.race(waits)).answer.status, 429);
  await service.intake('key', 'revoke', id);
  const core = await openCore(service.config);
  await reviewSubmission(core)(submissionId, { type: 'Cancel', reason: null, actor: null }, context);
  await core.close();
  const statuses = (await Promise.all(waits)).map(({ answer }) => answer.status);
  assert.equal(statuses.sort(), [403, 403, 403, 403, 429]);
});

test('a stop ends all waits at once [feed-4]', async () => {
  const own = await startService();
  const { key } = await own.key((await own.company()).id);
  const waits = [1, 2, 3, 4, 5].map(() => waitFor(client(own.url, key), 'from=now', 25));
  // One is too many: once it is refused, the others wait.
  assert.is((await Promise.race(waits)).answer.status, 429);
  const closing = own.close();
  // A wait that the stop had not ended would have been cut off, without an answer.
  const ends = (await Promise.all(waits)).map(({ answer, ids }) => [answer.status, ...ids]);
  assert.equal(ends.sort(), [[200], [200], [200], [200], [429]]);
  await closing;
});
