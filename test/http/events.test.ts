import * as assert from 'uvu/assert';
import { eventually, rounds, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
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
