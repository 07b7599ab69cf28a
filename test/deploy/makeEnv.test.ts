import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readConfig } from '../../runtime/settings/config.ts';
import { type SettingName, settings as settingsTable } from '../../runtime/settings/table.ts';
import { suite } from '../harness.ts';
import { filledIn, readCompose, readEnv, textOf } from './files.ts';

const test = suite('deploy/make-env');
const folder = mkdtempSync(join(tmpdir(), 'intake-test-'));
const run = (cwd: string) => spawnSync('sh', ['deploy/make-env'], { cwd, encoding: 'utf8' });

test.before(() => {
  for (const path of ['.env.example', 'deploy/make-env']) cpSync(path, join(folder, path));
  assert.is(run(folder).status, 0);
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

const made = () => readEnv(join(folder, '.env'));

test('fills every secret with one of its own, for its owner alone, and keeps what is given', () => {
  const secrets = [...readEnv('.env.example')].filter(([, value]) => value === '').map(([name]) => name);
  assert.is(new Set(secrets.map((name) => made().get(name))).size, secrets.length);
  for (const name of secrets) assert.ok((made().get(name)?.length ?? 0) >= 44, name);
  assert.is(made().get('PUBLIC_URL'), readEnv('.env.example').get('PUBLIC_URL'));
  assert.is(statSync(join(folder, '.env')).mode & 0o777, 0o600);
});

test('of the settings exactly the secret ones are empty before it', () => {
  const own = [...readEnv('.env.example')].filter(([name]) => Object.hasOwn(settingsTable, name));
  for (const [name, value] of own)
    assert.is(value === '', settingsTable[name as SettingName].secret === true, name);
});

test('leaves an .env that is there alone', () => {
  const before = textOf(join(folder, '.env'));
  const { status, stderr } = run(folder);
  assert.is(status, 1);
  assert.match(stderr, /there already/);
  assert.is(textOf(join(folder, '.env')), before);
});

test('without a program to make secrets with it makes no .env', () => {
  const bare = mkdtempSync(join(tmpdir(), 'intake-test-'));
  for (const path of ['.env.example', 'deploy/make-env']) cpSync(path, join(bare, path));
  // All it calls but openssl.
  for (const program of ['dirname', 'mv'])
    symlinkSync(execFileSync('which', [program], { encoding: 'utf8' }).trim(), join(bare, program));
  const { status, stderr } = spawnSync('/bin/sh', ['deploy/make-env'], {
    cwd: bare,
    env: { PATH: bare },
    encoding: 'utf8',
  });
  assert.is.not(status, 0);
  assert.match(stderr, /openssl/);
  assert.not.ok(existsSync(join(bare, '.env')));
  rmSync(bare, { recursive: true, force: true });
});

/**
 * The settings that docker-compose.yml gives to the nodes, filled in from the .env that was made;
 * certificates are not there yet.
 */
const settings = Object.entries(readCompose().services).flatMap(([name, { command, environment }]) =>
  command?.[0] === 'serve' ? { name, environment: environment ?? {} } : [],
);

test('with it every node gets settings that docs/settings.md knows and the service takes', () => {
  const known = textOf('docs/settings.md');
  for (const { name, environment } of settings) {
    for (const setting of Object.keys(environment)) assert.ok(known.includes(`\`${setting}\``), setting);
    const given = Object.entries(environment).map(([setting, value]) => [
      setting,
      filledIn(value, made()).replace('&tlsCAFile=/eventstoredb/ca.crt', ''),
    ]);
    const { engines, masterKey, evidenceKey, trustProxy } = readConfig(Object.fromEntries(given));
    assert.ok(engines.eventStoreDbUrl && engines.mongoDbUrl && engines.s3 && masterKey && evidenceKey, name);
    assert.is(trustProxy, 1, 'the proxy before it');
  }
});
