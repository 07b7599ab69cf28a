import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { InvalidSettings, readConfig } from '../../../runtime/settings/config.ts';
import { parseDuration } from '../../../runtime/settings/parsers.ts';
import { suite } from '../../harness.ts';

const test = suite('settings [settings-1]');

/** The settings that are refused. */
const faults = (environment: Readonly<Record<string, string>>): readonly string[] => {
  try {
    readConfig(environment);
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    for (const { name, detail } of error.faults) assert.ok(error.message.includes(`${name} ${detail}`));
    return error.faults.map(({ name }) => name);
  }
  return [];
};

test('a setting that is not set has its default [settings-5]', () => {
  const config = readConfig({});
  assert.equal(
    [config.port, config.host, config.publicUrl, config.dataDir, config.storagePort, config.storagePublicUrl],
    [3000, '127.0.0.1', null, './data', 3001, null],
  );
  assert.equal([config.masterKey, config.sessionTtlMs, config.logLevel], [null, 86_400_000, 'info']);
  assert.equal([config.batchGraceMs, config.sweep], [300_000, { everyMs: 10_000 }]);
  assert.equal([config.rateLimit, config.authFailures, config.trustProxy], [100, 20, 0]);
  assert.equal(config.webhook.retryDelaysMs, [30_000, 300_000, 1_800_000]);
  assert.equal([config.webhook.egress, config.webhook.resolve.size], ['public', 0]);
});

test('every fault is named at once', () => {
  const wrong = {
    PORT: 'x',
    STORAGE_PORT: '65536',
    PUBLIC_URL: 'ftp://a',
    MASTER_KEY: 'short',
    EVIDENCE_KEY: 'short',
    WEBHOOK_RETRY_DELAYS: '30s,soon',
    WEBHOOK_EGRESS: 'all',
    WEBHOOK_RESOLVE: 'example.com',
    SESSION_TTL: '8d',
    BATCH_GRACE: '8d',
    SWEEP: '61m',
    LOG_LEVEL: 'loud',
    RATE_LIMIT: 'none',
    AUTH_FAILURES: '0',
    TRUST_PROXY: 'yes',
    S3_REGION: 'somewhere',
  };
  assert.equal([...faults(wrong)].sort(), Object.keys(wrong).sort());
});

const table: readonly Readonly<{ name: string; good: readonly string[]; bad: readonly string[] }>[] = [
  { name: 'PORT', good: ['0', '65535'], bad: ['-1', '1.5', ' 80', '0x50', '65536'] },
  {
    name: 'PUBLIC_URL',
    good: ['https://api.example.com/'],
    bad: ['example.com', 'http://', 'file:///a', 'https://a/?b', 'https://a/#b'],
  },
  { name: 'STORAGE_PUBLIC_URL', good: ['https://files.example.com/'], bad: ['https://a.example/files'] },
  {
    name: 'METRICS_TOKEN',
    good: ['sixteen-at-least', 'x'.repeat(64)],
    bad: ['short', 'fifteen-letters', 'with a space in it', 'ünprintable-anyway'],
  },
  { name: 'STORAGE_PORT', good: ['0', '3002'], bad: ['3000'] },
  { name: 'SESSION_TTL', good: ['1s', '7d', '90m'], bad: ['999ms', '169h', '24', '1.5h', '-1s', '1 h'] },
  { name: 'BATCH_GRACE', good: ['0s', '250ms', '7d'], bad: ['169h', '5', '-1s'] },
  { name: 'DELIVERY_RETENTION', good: ['0s', '90d', '36500d'], bad: ['36501d', '999999999d', 'never'] },
  {
    name: 'SWEEP',
    good: ['1s', '1500ms', '7s', '90s', '1h', '*/5 * * * *', '30 0 3 * * *', '@hourly'],
    bad: ['0s', '500ms', '61m', '2h', 'often', '* * *', '61 * * * *', '0 0 31 2 *'],
  },
  { name: 'WEBHOOK_RETRY_DELAYS', good: ['1s', '1s, 2s'], bad: [',', '1s,,2s', '1s;2s', '1s,31d'] },
  {
    name: 'WEBHOOK_RESOLVE',
    good: ['a.example=127.0.0.1', 'a.example=127.0.0.1,a.example=::1, b.example=10.0.0.1'],
    bad: ['a.example', '=127.0.0.1', 'a.example=', 'a=b=c', 'a.example=b.example', 'a.example=127.0.0'],
  },
  {
    name: 'MASTER_KEY',
    good: [Buffer.alloc(32, 1).toString('base64')],
    bad: [
      Buffer.alloc(31, 1).toString('base64'),
      'a'.repeat(64),
      `*${Buffer.alloc(32, 1).toString('base64')}`,
    ],
  },
  {
    name: 'EVIDENCE_KEY',
    good: [Buffer.alloc(32, 1).toString('base64'), ''],
    bad: [Buffer.alloc(64, 1).toString('base64'), '-----BEGIN PRIVATE KEY-----'],
  },
  {
    name: 'ALLOWED_ORIGINS',
    good: ['https://a.example', 'http://localhost:5173, https://b.example:8443', ''],
    bad: [
      '*',
      'a.example',
      'https://a.example/',
      'https://a.example:443',
      'https://A.example',
      'null',
      'ftp://a.example',
      'https://u@a.example',
    ],
  },
  {
    name: 'AGENT_URL',
    good: ['http://127.0.0.1:11434/v1'],
    bad: ['127.0.0.1:11434', 'https://a/v1?x=1', 'https://user:word@a.example/v1'],
  },
  { name: 'AGENT_MODEL', good: [''], bad: ['small-1'] },
  { name: 'AGENT_KEY', good: [''], bad: ['sk-1'] },
  { name: 'OIDC_CLIENT_ID', good: [''], bad: ['intake'] },
  { name: 'OIDC_CLIENT_SECRET', good: [''], bad: ['secret'] },
  { name: 'OIDC_SCOPES', good: [''], bad: ['openid'] },
  { name: 'PASSWORD_LOGIN', good: ['on', ''], bad: ['off', 'ON', 'false'] },
  { name: 'WEBHOOK_EGRESS', good: ['any', 'public'], bad: ['ANY', 'none'] },
  { name: 'RATE_LIMIT', good: ['0', '1'], bad: ['-1', '0.5', 'off'] },
  { name: 'AUTH_FAILURES', good: ['1', '1000'], bad: ['0', 'many'] },
  { name: 'TRUST_PROXY', good: ['0', '2'], bad: ['true', '17'] },
  {
    name: 'HOST',
    good: ['0.0.0.0', '::1', 'my-host.example'],
    bad: ['bad host', '[::1]', 'http://a', '1.2.3.4:80'],
  },
];
for (const { name, good, bad } of table) {
  for (const value of good)
    test(`${name}=${value} is fine`, () => assert.equal(faults({ [name]: value }), []));
  for (const value of bad) {
    test(`${name}=${value} is refused`, () => assert.equal(faults({ [name]: value }), [name]));
  }
}

const oidc = {
  OIDC_ISSUER: 'https://login.example.com/realms/acme',
  OIDC_CLIENT_ID: 'intake',
  OIDC_CLIENT_SECRET: 'not-a-secret',
  PUBLIC_URL: 'https://intake.example.com/',
};

test('an identity provider is whole or none, and people must come back', () => {
  assert.is(readConfig({}).oidc, null);
  assert.equal(readConfig({ ...oidc, PASSWORD_LOGIN: 'off' }).oidc, {
    issuer: 'https://login.example.com/realms/acme',
    ...{ clientId: 'intake', clientSecret: 'not-a-secret', scopes: 'openid email profile' },
    redirectUri: 'https://intake.example.com/console/signed-in',
  });
  assert.is(readConfig({}).passwordLogIn, true);
  assert.is(readConfig({ ...oidc, PASSWORD_LOGIN: 'off' }).passwordLogIn, false);
  const { OIDC_ISSUER, ...others } = oidc;
  assert.equal(faults({ OIDC_ISSUER }), ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL']);
  assert.equal(faults(others), ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']);
  assert.equal(faults({ ...oidc, OIDC_CLIENT_SECRET: '' }), ['OIDC_CLIENT_SECRET']);
});

const issuers = {
  good: [
    'https://a.example',
    'https://a.example/',
    'http://localhost:8080/realms/x',
    'http://127.0.0.1:1',
    'http://[::1]:80',
  ],
  bad: [
    'a.example',
    'http://a.example',
    'http://10.0.0.1',
    'http://127.0.0.1.example.com',
    'https://u:p@a.example',
    'https://a.example?x',
    'https://a.example#x',
    'ftp://a.example',
  ],
};
for (const value of issuers.good)
  test(`OIDC_ISSUER=${value} is fine, and kept to the letter`, () =>
    assert.is(readConfig({ ...oidc, OIDC_ISSUER: value }).oidc?.issuer, value));
for (const value of issuers.bad)
  test(`OIDC_ISSUER=${value} is refused`, () =>
    assert.equal(faults({ ...oidc, OIDC_ISSUER: value }), ['OIDC_ISSUER']));

test('scopes are names with a space between, openid among them', () => {
  const scopes = (value: string) => faults({ ...oidc, OIDC_SCOPES: value });
  for (const value of ['openid', 'openid email groups', 'email openid'])
    assert.equal(scopes(value), [], value);
  for (const value of ['email', 'openid  email', ' openid', 'openid,email', 'openid\temail', 'openidé'])
    assert.equal(scopes(value), ['OIDC_SCOPES'], value);
});

test('no fault of the settings repeats the client’s secret', () => {
  const secret = 'a secret with spaces';
  try {
    readConfig({ ...oidc, OIDC_CLIENT_SECRET: secret });
    assert.unreachable();
  } catch (error) {
    assert.ok(error instanceof InvalidSettings);
    assert.not.ok((error as Error).message.includes(secret));
  }
});

test('each origin that is none is named, and those that are make a set', () => {
  assert.equal(faults({ ALLOWED_ORIGINS: 'https://a.example,*,b.example' }), [
    'ALLOWED_ORIGINS',
    'ALLOWED_ORIGINS',
  ]);
  const { allowedOrigins } = readConfig({ ALLOWED_ORIGINS: 'https://a.example, https://b.example,' });
  assert.equal([...allowedOrigins], ['https://a.example', 'https://b.example']);
  assert.is(readConfig({}).allowedOrigins.size, 0);
});

test('the agent has an endpoint, and perhaps a model and a key; a key goes into a header', () => {
  assert.is(readConfig({}).agent, null);
  const AGENT_URL = 'https://models.example.com/v1/';
  const url = 'https://models.example.com/v1';
  assert.equal(readConfig({ AGENT_URL }).agent, { url, model: null, key: null });
  const full = { AGENT_URL, AGENT_MODEL: 'small-1', AGENT_KEY: 'sk-1' };
  assert.equal(readConfig(full).agent, { url, model: 'small-1', key: 'sk-1' });
  assert.equal(faults({ ...full, AGENT_KEY: 'sk 1\n' }), ['AGENT_KEY']);
});

test('durations', () => {
  assert.equal(
    ['250ms', '30s', '5m', '24h', '90d', '0s'].map(parseDuration),
    [250, 30_000, 300_000, 86_400_000, 7_776_000_000, 0],
  );
  for (const text of ['', '5', 's', '5 s', '5S', '-5s', '1e3s', '5s5s', '1234567890s'])
    assert.is(parseDuration(text), null, text);
});

test('names are mapped to all of their addresses, and addresses lose their last slash', () => {
  const { webhook, publicUrl } = readConfig({
    WEBHOOK_RESOLVE: 'a.example=127.0.0.1,a.example=::1,B.example=10.0.0.1',
    PUBLIC_URL: 'https://api.example.com/',
  });
  assert.equal(
    [...webhook.resolve],
    [
      ['a.example', ['127.0.0.1', '::1']],
      ['b.example', ['10.0.0.1']],
    ],
  );
  assert.is(publicUrl, 'https://api.example.com');
});

test('a file that holds no certificate is refused at the start, not at the first webhook', () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-config-'));
  try {
    const path = join(folder, 'ca.pem');
    assert.equal(faults({ WEBHOOK_CA: path }), ['WEBHOOK_CA'], 'no file');
    for (const text of [
      '',
      'no certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    ]) {
      writeFileSync(path, text);
      assert.equal(faults({ WEBHOOK_CA: path }), ['WEBHOOK_CA'], text);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a secret is what the named setting holds; an empty one, and what every object has, is none', () => {
  const { secretOf } = readConfig({ ERP_SECRET: 's', EMPTY: '' });
  assert.equal(['ERP_SECRET', 'EMPTY', 'OTHER', 'constructor'].map(secretOf), ['s', null, null, null]);
});
