import * as assert from 'uvu/assert';
import { DomainError } from '../../../kernel/decider.ts';
import { suite } from '../../harness.ts';
import { json, keys, startFixture } from './fixture.ts';

const test = suite('the order of refusal [problems-2]');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture();
});
test.after(() => fixture.close());

const big = 'x'.repeat(300 * 1024);

/**
 * Each stage's fault, in the order in which it must be told; a request that has faults k, k+1, … is refused
 * for fault k.
 */
const stages = [
  { status: 404, code: 'not-found', is: 'route' },
  { status: 405, code: 'method-not-allowed', is: 'method' },
  { status: 401, code: 'unauthorized', is: 'key' },
  { status: 403, code: 'company-required', is: 'scope' },
  { status: 400, code: 'malformed-request', is: 'query' },
  { status: 413, code: 'content-too-large', is: 'size' },
  { status: 415, code: 'unsupported-media-type', is: 'type' },
  { status: 404, code: 'not-found', is: 'resource' },
  { status: 422, code: 'validation-failed', is: 'body' },
  { status: 412, code: 'precondition-failed', is: 'revision' },
  { status: 409, code: 'submission-not-in-review', is: 'rule' },
] as const;

const requestWith = (faults: ReadonlySet<string>) => {
  const version = '1';
  const thing = faults.has('resource') ? 'thing-2' : 'thing-1';
  const path = faults.has('route') ? '/nowhere' : `/api/v1/things/${thing}/versions/${version}`;
  const body = faults.has('size') ? big : faults.has('body') ? '{"nome":1}' : '{"name":"x"}';
  const key = faults.has('key') ? keys.unknown : faults.has('scope') ? keys.unscoped : keys.company;
  const headers = {
    'content-type': faults.has('type') ? 'text/plain' : 'application/json',
    'if-match': faults.has('revision') ? '"6"' : '"7"',
  };
  const method = faults.has('method') ? ('PUT' as const) : ('POST' as const);
  return { path: `${path}${faults.has('query') ? '?limit=many' : ''}`, call: { method, key, headers, body } };
};

stages.forEach((stage, first) => {
  test(`${stage.status} for the ${stage.is} comes before all that follow`, async () => {
    const sets = [stages.slice(first), [stage], ...stages.slice(first + 1).map((later) => [stage, later])];
    fixture.state.answer = () => {
      throw new DomainError('SubmissionNotInReview', 'It is approved.', {
        currentStatus: 'approved',
        allowedFrom: ['review'],
      });
    };
    for (const set of sets) {
      const { path, call } = requestWith(new Set(set.map(({ is }) => is)));
      const answer = await fixture.call(path, call);
      assert.is(answer.status, stage.status, JSON.stringify(set.map(({ is }) => is)));
      assert.is(answer.headers['content-type'], 'application/problem+json');
      assert.is(answer.body.code, stage.code);
      assert.is(answer.body.type, `/problems/${stage.code}`);
      assert.is(answer.body.status, stage.status);
      assert.is(answer.body.instance, path.split('?')[0]);
      assert.is(answer.body.requestId, answer.headers['x-request-id']);
    }
    fixture.state.answer = () => undefined;
  });
});

test('a request without faults is served', async () => {
  const { path, call } = requestWith(new Set());
  assert.is((await fixture.call(path, call)).status, 200);
});

test('401 asks for a bearer key, 405 names the methods, 409 the statuses [problems-4, problems-5, problems-10]', async () => {
  const unauthorized = await fixture.call('/api/v1/open', { key: null });
  assert.is(unauthorized.headers['www-authenticate'], 'Bearer');
  const wrong = await fixture.call('/api/v1/open', { method: 'DELETE' });
  assert.is(wrong.headers.allow, 'GET, HEAD');
  fixture.state.answer = () => {
    throw new DomainError('SubmissionNotInReview', 'It is approved.', {
      currentStatus: 'approved',
      allowedFrom: ['review'],
    });
  };
  const conflict = await fixture.call('/api/v1/things/thing-1/versions/1', json('{"name":"x"}'));
  fixture.state.answer = () => undefined;
  assert.equal([conflict.body.currentStatus, conflict.body.allowedFrom], ['approved', ['review']]);
  assert.is(conflict.body.detail, 'It is approved.');
});

test('malformed JSON is a 400 before the 404 of the resource; an identifier of another form is the same 404 [requests-8]', async () => {
  const malformed = await fixture.call('/api/v1/things/thing-2/versions/1', json('{'));
  assert.is(malformed.status, 400);
  const unknown = await fixture.call('/api/v1/things/thing-2/versions/1', json('{"name":"x"}'));
  const ofOtherForm = await fixture.call('/api/v1/things/%00/versions/1', json('{"name":"x"}'));
  const same = ({ requestId: _, instance: __, ...rest }: Record<string, unknown>) => rest;
  assert.equal(same(ofOtherForm.body), same(unknown.body));
  assert.is((await fixture.call('/api/v1/things/%00/versions/0', json('{'))).status, 400);
});

test('HEAD is answered like GET, without a body; OPTIONS and odd methods are refused', async () => {
  const get = await fixture.call('/api/v1/open');
  const head = await fixture.call('/api/v1/open', { method: 'HEAD' });
  assert.equal(
    [head.status, head.headers['content-length'], head.text],
    [200, get.headers['content-length'], ''],
  );
  assert.is((await fixture.call('/api/v1/open', { method: 'OPTIONS' })).status, 405);
  assert.is((await fixture.call('/api/v1/open/')).status, 404);
  assert.is((await fixture.call('/API/v1/open')).status, 404);
});
