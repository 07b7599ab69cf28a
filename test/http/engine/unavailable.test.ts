import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { suite } from '../../harness.ts';
import { json, startFixture } from './fixture.ts';

const test = suite('unavailable parts');
const state = { parts: [] as string[], closed: false, readable: false };
let fixture: Awaited<ReturnType<typeof startFixture>>;
test.before(async () => {
  fixture = await startFixture({
    unavailableParts: () => state.parts,
    isClosed: (isRead) => state.closed && !(isRead && state.readable),
  });
});
test.after(() => fixture.close());

const thing = '/api/v1/things/thing-1/versions/1';
const answerOf = async (path: string, key?: null) => {
  const { status, headers, body } = await fixture.call(path, key === null ? { key } : {});
  return [status, headers['retry-after'], body?.code, body?.detail];
};

test('while nothing can be answered every call of the API is refused at once, with the parts that it waits for', async () => {
  state.closed = true;
  state.parts = ['documents', 'objects'];
  const refused = [503, '1', 'unavailable'];
  const detail = 'The service can’t do this at the moment: it waits for documents, objects.';
  assert.equal(await answerOf('/api/v1/open'), [...refused, detail]);
  assert.equal(await answerOf('/api/v1/open', null), [...refused, detail], 'keys can’t be looked up');
  state.parts = [];
  assert.equal(await answerOf('/api/v1/open'), [...refused, 'The service can’t do this at the moment.']);
  assert.is((await fixture.call('/text', { key: null })).status, 200, 'what needs no store is served');
  assert.is((await fixture.call('/nowhere')).status, 404);
  state.closed = false;
  assert.is((await fixture.call('/api/v1/open')).status, 200);
});

test('what takes no writes is read all the same [problems-12]', async () => {
  Object.assign(state, { parts: ['documents'], closed: true, readable: true });
  assert.is((await fixture.call('/api/v1/open')).status, 200);
  const { status, headers, body } = await fixture.call(thing, json('{"name":"x"}'));
  assert.equal([status, headers['retry-after'], body.code], [503, '1', 'unavailable']);
  Object.assign(state, { parts: [], closed: false, readable: false });
});

test('a call that meets an outage names the part', async () => {
  fixture.state.answer = () => Promise.reject(new StoreUnavailable('at 10.0.0.7'));
  state.parts = ['events'];
  const { status, headers, body, text } = await fixture.call(thing, json('{"name":"x"}'));
  assert.equal([status, headers['retry-after'], body.code], [503, '1', 'unavailable']);
  assert.match(body.detail, /waits for events\.$/);
  assert.not.ok(text.includes('10.0.0.7'));
});
