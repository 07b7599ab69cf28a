import * as assert from 'uvu/assert';
import { suite } from '../../harness.ts';
import { keys, startFixture } from './fixture.ts';

const test = suite('API keys');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture();
});
test.after(() => fixture.close());

const ask = async (authorization: string | undefined) =>
  fixture.call('/api/v1/open', { key: null, headers: authorization === undefined ? {} : { authorization } });

const malformed = [
  undefined,
  'Bearer',
  'Bearer ',
  keys.company,
  `Basic ${keys.company}`,
  `Bearer ${keys.company.toUpperCase()}`,
  `Bearer AOK_${keys.company.slice(4)}`,
  `Bearer ${keys.company.slice(0, -1)}`,
  `Bearer ${keys.company}0`,
  `Bearer ${keys.company} x`,
  `Bearer ${keys.company}, Bearer ${keys.company}`,
  `Bearer ${keys.unknown}`,
];

test('an unknown, malformed or missing key is a 401, each the same', async () => {
  const bodies = new Set<string>();
  for (const header of malformed) {
    const answer = await ask(header);
    assert.is(answer.status, 401, header);
    bodies.add(answer.text.replace(/made-\d+/, ''));
  }
  assert.is(bodies.size, 1);
});

test('the scheme may be written in any case', async () => {
  assert.is((await ask(`bearer ${keys.company}`)).status, 200);
});

test('a revoked key is a 403, an unscoped one too where a company is needed', async () => {
  const revoked = await ask(`Bearer ${keys.revoked}`);
  assert.equal([revoked.status, revoked.body.code], [403, 'key-revoked']);
  assert.is(fixture.lines.at(-1)?.keyId, 'key_revoked');
  assert.is((await ask(`Bearer ${keys.unscoped}`)).status, 200);
  const unscoped = await fixture.call('/api/v1/things/thing-1/versions/1', {
    method: 'POST',
    key: keys.unscoped,
  });
  assert.equal([unscoped.status, unscoped.body.code], [403, 'company-required']);
});

test('a handler learns who asks, and nothing of the key', async () => {
  const { body } = await ask(`Bearer ${keys.company}`);
  assert.equal(body.caller, { keyId: 'key_company', companyId: 'cmp_1', mode: 'live' });
});

test('lastUsedAt is written before the answer, at most once in 60 s, and never for a key that is refused', async () => {
  const noon = Date.parse('2026-11-21T12:00:00.000Z');
  const after = async (ms: number, key: string): Promise<number | null> => {
    fixture.clock.at = new Date(noon + ms);
    await ask(`Bearer ${key}`);
    const at = await fixture.lastUsedAt(key);
    return at === null ? null : Date.parse(at) - noon;
  };
  assert.is(await after(0, keys.company), 0);
  assert.is(await after(59_999, keys.company), 0);
  assert.is(await after(60_000, keys.company), 60_000);
  assert.is(await after(60_000, keys.revoked), null);
  assert.is(await after(60_000, keys.unknown), null);
});

test('no key and no hash of it is in any answer or line that the observer saw', async () => {
  for (const key of Object.values(keys)) await ask(`Bearer ${key}`);
  const seen = JSON.stringify([fixture.lines, fixture.failures]);
  assert.ok(fixture.lines.length > 0);
  assert.not.ok(/aok_|[0-9a-f]{64}/.test(seen));
});
