import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { ask as held } from '../support/conformance.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('pages of other origins [agent-3]');
const LISTED = 'https://admin.example.com';
let service: TestService;
test.before(async () => {
  service = await startService({ ALLOWED_ORIGINS: `${LISTED}, http://localhost:5173` });
});
test.after(() => service.close());

const ask = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
  held(service.url, method, path, { headers });
const preflight = (path: string, origin: string, method = 'POST') =>
  ask('OPTIONS', path, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
  });
const shared = ['/api/auth/sessions', '/api/internal/workflow-agent'];
const unlisted = [
  'https://evil.example.com',
  'https://admin.example.com.evil.example',
  'http://admin.example.com',
  'https://admin.example.com:8443',
  'https://ADMIN.example.com',
  'null',
  '',
];
const codeOf = async (answer: Response): Promise<string> => ((await answer.json()) as { code: string }).code;
const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

for (const path of shared) {
  test(`${path}: a listed origin's preflight is a 204 that names methods and headers`, async () => {
    for (const origin of [LISTED, 'http://localhost:5173']) {
      const answer = await preflight(path, origin);
      assert.is(answer.status, 204);
      assert.is(await answer.text(), '');
      const methods = path === '/api/auth/sessions' ? 'DELETE, GET, HEAD, POST' : 'POST';
      assert.equal(corsOf(answer), {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': methods,
        'access-control-allow-headers':
          'Authorization, Content-Type, X-Request-Id, traceparent, tracestate, Intake-Company, Intake-Mode',
        'access-control-expose-headers': 'X-Request-Id, Retry-After',
        'access-control-max-age': '600',
      });
      assert.is(answer.headers.get('vary'), 'Origin');
    }
  });

  test(`${path}: an unlisted origin's preflight is a 403 without any leave`, async () => {
    for (const origin of unlisted.filter((one) => one !== '')) {
      const answer = await preflight(path, origin);
      assert.equal([answer.status, corsOf(answer)], [403, {}], origin);
      assert.is(await codeOf(answer), 'origin-not-allowed');
      assert.is(answer.headers.get('vary'), 'Origin');
    }
  });
}

test('a page of a listed origin may read answers and problems, and no other page may', async () => {
  const headers = { origin: LISTED, 'content-type': 'application/json' };
  const answer = await ask('POST', '/api/auth/sessions', headers);
  assert.is(answer.status, 422);
  assert.equal(corsOf(answer), {
    'access-control-allow-origin': LISTED,
    'access-control-expose-headers': 'X-Request-Id, Retry-After',
  });
  assert.is(answer.headers.get('vary'), 'Origin');
  assert.is(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
  const unauthorized = await ask('DELETE', '/api/auth/sessions', { origin: LISTED });
  assert.equal([unauthorized.status, corsOf(unauthorized)['access-control-allow-origin']], [401, LISTED]);
  const without = await ask('POST', '/api/auth/sessions', {});
  assert.equal([without.status, corsOf(without)], [422, {}]);
  assert.is(without.headers.get('vary'), 'Origin');
  assert.is(without.headers.get('cross-origin-resource-policy'), 'same-origin');
});

test('a browser of an unlisted origin gets 403 origin-not-allowed, before its body is looked at', async () => {
  for (const origin of unlisted.filter((one) => one !== '')) {
    const answer = await ask('POST', '/api/auth/sessions', { origin });
    assert.equal([answer.status, await codeOf(answer)], [403, 'origin-not-allowed'], origin);
    assert.equal(corsOf(answer), {});
  }
});

test('without a session 401 comes before the 403 of the origin', async () => {
  const answer = await ask('DELETE', '/api/auth/sessions', { origin: 'https://evil.example.com' });
  assert.is(answer.status, 401);
});

test('nothing else is shared with pages, and no answer has a wildcard or lets cookies through', async () => {
  for (const path of [
    '/api/v1/companies',
    '/api/invitation/validate',
    '/health/live',
    '/openapi.json',
    '/nowhere',
  ]) {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await ask(method, path, { origin: LISTED, 'access-control-request-method': 'GET' });
      assert.equal(corsOf(answer), {}, `${method} ${path}`);
      assert.is.not(answer.status, 204);
    }
  }
});

test('OPTIONS that is no preflight is a 405, and of a path that is not there a 404', async () => {
  const plain = await ask('OPTIONS', '/api/auth/sessions', {});
  assert.equal([plain.status, plain.headers.get('allow')], [405, 'DELETE, GET, HEAD, POST']);
  assert.is((await preflight('/api/auth/nothing', LISTED)).status, 404);
});
