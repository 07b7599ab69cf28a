import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import { suite } from '../../harness.ts';
import { json, keys, startFixture } from './fixture.ts';

const test = suite('API keys');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture();
});
test.after(() => fixture.close());

const ask = async (authorization: string | undefined) =>
  fixture.call('/api/v1/open', { key: null, headers: authorization === undefined ? {} : { authorization } });

const form = 'Send `Authorization: Bearer aok_<64 lowercase hex characters>`.';
const session = `ast_${'Ab'.repeat(21)}9`;

/** What stands in the Authorization header, and what is said of it. */
const malformed: readonly (readonly [string | undefined, string])[] = [
  [undefined, 'no Authorization header'],
  ['', 'no Authorization header'],
  ['Bearer', 'nothing after `Bearer`'],
  ['Bearer ', 'nothing after `Bearer`'],
  [keys.company, 'no scheme: `Bearer` and a space are missing'],
  [`"${keys.company}"`, 'no scheme: `Bearer` and a space are missing'],
  [`Basic ${keys.company}`, 'the scheme Basic'],
  [`token ${keys.company}`, 'the scheme Token'],
  [`hunter2 ${keys.company}`, 'another scheme than Bearer'],
  ['hunter2', 'another scheme than Bearer'],
  [`Bearer "${keys.company}"`, 'the token in quotes or brackets'],
  [`Bearer <${keys.company}>`, 'the token in quotes or brackets'],
  [`Bearer ${keys.company.toUpperCase()}`, 'a key with upper-case characters'],
  [`Bearer AOK_${keys.company.slice(4)}`, 'a key with upper-case characters'],
  [`Bearer aok_${keys.company.slice(4).toUpperCase()}`, 'a key with upper-case characters'],
  [`Bearer ${keys.company.slice(4)}`, 'a key that does not begin with `aok_`'],
  [`Bearer ${keys.company.slice(0, -1)}`, '63 characters after `aok_`'],
  [`Bearer ${keys.company}0`, '65 characters after `aok_`'],
  [`Bearer ${keys.company.replace(/1$/, 'g')}`, 'characters in it that never occur there'],
  [`Bearer ${keys.company} x`, 'more than one word after `Bearer`'],
  [`Bearer ${keys.company}, Bearer ${keys.company}`, 'more than one word after `Bearer`'],
  ['Bearer key_01hv6x3m8q2r5t7w9y0a1b2c3d', 'the identifier of a key (`key_…`), not the key itself'],
  [`Bearer ${keys.unknown}`, 'a key of that form, and it is not known here'],
];

test('an unknown, malformed or missing key is a 401 that says what is expected and what was seen, never the key [keys-2]', async () => {
  const bodies = new Set<string>();
  for (const [header, said] of malformed) {
    const { status, headers, body, text } = await ask(header);
    assert.equal([status, headers['www-authenticate']], [401, 'Bearer'], header);
    assert.is(body.detail, `${form} This request has ${said}.`);
    for (const secret of [
      keys.company.slice(4, 12),
      keys.unknown.slice(4, 12),
      session.slice(4, 12),
      'hunter2',
    ])
      assert.not.ok(text.toLowerCase().includes(secret.toLowerCase()), `${header}: ${text}`);
    const { detail: _, requestId: __, ...rest } = body;
    bodies.add(JSON.stringify(rest));
  }
  assert.is(bodies.size, 1, 'all else is the same');
});

test('a key in an X-Api-Key header is named in the refusal, and not read [keys-2]', async () => {
  const { status, body } = await fixture.call('/api/v1/open', {
    key: null,
    headers: { 'x-api-key': keys.company },
  });
  const seen = 'This request has an X-Api-Key header and no Authorization header.';
  assert.equal([status, body.detail], [401, `${form} ${seen}`]);
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
  assert.equal(body.caller, { kind: 'key', keyId: 'key_company', companyId: 'cmp_1', mode: 'live' });
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

test('a read goes on when lastUsedAt can’t be written, which is reported; anything else is a 503 [keys-6]', async () => {
  const row = {
    keyId: 'key_1',
    hash: '',
    companyId: 'cmp_1',
    mode: 'live',
    revokedAt: null,
    lastUsedAt: null,
  } as const;
  const full = new StoreUnavailable('the disk is full');
  const away: string[] = [];
  let touched = 0;
  const touch = () => {
    touched += 1;
    return Promise.reject(full);
  };
  const reading = await startFixture({
    keys: { byHash: async () => row, touch },
    unavailableParts: () => away,
  });
  try {
    assert.is((await reading.call('/api/v1/open')).status, 200);
    assert.equal(reading.failures, [full]);
    const posted = await reading.call('/api/v1/things/thing-1/versions/1', json('{"name":"x"}'));
    assert.equal([posted.status, posted.body.code, touched], [503, 'unavailable', 2]);
    away.push('documents');
    assert.is((await reading.call('/api/v1/open')).status, 200);
    assert.is(touched, 2, 'where it is known that it can’t be written it is not tried');
  } finally {
    await reading.close();
  }
});

test('no key and no hash of it is in any answer or line that the observer saw', async () => {
  for (const key of Object.values(keys)) await ask(`Bearer ${key}`);
  const seen = JSON.stringify([fixture.lines, fixture.failures]);
  assert.ok(fixture.lines.length > 0);
  assert.not.ok(/aok_|[0-9a-f]{64}/.test(seen));
});
