import * as assert from 'uvu/assert';
import { InvalidSettings, readConfig } from '../../../runtime/settings/config.ts';
import { misspelt } from '../../../runtime/settings/misspelt.ts';
import { settingNames } from '../../../runtime/settings/table.ts';
import { start, workplace } from '../../cli/run.ts';
import { suite } from '../../harness.ts';

const test = suite('misspelt settings');

const slips: Readonly<Record<string, string>> = {
  WEBHOK_EGRESS: 'WEBHOOK_EGRESS',
  WEBHOOK_EGRES: 'WEBHOOK_EGRESS',
  WEBHOOKS_RESOLVE: 'WEBHOOK_RESOLVE',
  S3_ENDPONT: 'S3_ENDPOINT',
  S3_BUKCET: 'S3_BUCKET',
  RATE_LIMITS: 'RATE_LIMIT',
  RATELIMIT: 'RATE_LIMIT',
  DATADIR: 'DATA_DIR',
  DATA_DRI: 'DATA_DIR',
  STORAGE_PUBLICURL: 'STORAGE_PUBLIC_URL',
  MONGO_URL: 'MONGODB_URL',
  MONGODB_URI: 'MONGODB_URL',
  EVENTSTORE_DB_URL: 'EVENTSTOREDB_URL',
  PUBLIC_URI: 'PUBLIC_URL',
  MASTERKEY: 'MASTER_KEY',
  LOG_LEVL: 'LOG_LEVEL',
};

/** What stands in the environments of shells, containers, CI and of other services. */
const foreign = [
  ...[
    'PATH',
    'HOME',
    'HOSTNAME',
    'POST',
    'HOSTS',
    'PORTS',
    'WORKER',
    'SWEEPS',
    'PWD',
    'LANG',
    'TERM',
    'SHLVL',
  ],
  ...['XDG_DATA_DIRS', 'XDG_DATA_HOME', 'SSH_AGENT_PID', 'SESSION_MANAGER', 'SESSION_URL', 'SESSION_ID'],
  ...[
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'NODE_ENV',
    'NODE_OPTIONS',
    'NPM_CONFIG_CACHE',
    'DATABASE_URL',
  ],
  ...[
    'AWS_REGION',
    'AWS_ACCESS_KEY',
    'AGENT_ID',
    'AGENT_OS',
    'AGENT_NAME',
    'AGENT_UID',
    'LOG_DIR',
    'REDIS_URL',
  ],
  ...[
    'S3_KEY',
    'DATA_PATH',
    'PUBLIC_KEY',
    'PUBLIC_DIR',
    'SECRET_KEY',
    'ERP_SECRET',
    'KUBERNETES_SERVICE_PORT',
  ],
];

test('a slip is named with the nearest setting [settings-2]', () => {
  for (const [name, nearest] of Object.entries(slips))
    assert.equal(misspelt([name]), [
      { name, detail: `is no setting of Intake and has no effect: did you mean ${nearest}?` },
    ]);
});

test('settings themselves and the variables of others are left alone [settings-2]', () => {
  assert.equal(misspelt(settingNames), []);
  assert.equal(misspelt(foreign), []);
});

test('one that is empty is as good as not set [settings-2]', () => {
  assert.equal(readConfig({ RATE_LIMITS: '' }).misspelt, []);
  assert.is(readConfig({ RATE_LIMITS: '1' }).misspelt.length, 1);
});

test('beside settings that are refused they stand too: a slip may be the cause [settings-2]', () => {
  try {
    readConfig({ S3_BUKCET: 'files', S3_ENDPOINT: 'http://127.0.0.1:9000' });
    assert.unreachable();
  } catch (error) {
    assert.ok(error instanceof InvalidSettings);
    assert.equal(
      error.faults.map(({ name }) => name),
      ['S3_ENDPOINT', 'S3_BUKCET'],
    );
  }
});

test('a command tells of them on standard error [settings-2]', async () => {
  const place = workplace();
  test.after(place.remove);
  await place.json('company', 'create', '--name', 'ACME');
  const { code, stderr } = await start({ ...place.settings, WEBHOK_EGRESS: 'any' }, 'company', 'list').ended;
  const said = 'WEBHOK_EGRESS is no setting of Intake and has no effect: did you mean WEBHOOK_EGRESS?\n';
  assert.equal([code, stderr], [0, said]);
});

test('serve tells of them in its log, and of PUBLIC_URL without STORAGE_PUBLIC_URL [settings-2, settings-3]', async () => {
  const place = workplace();
  test.after(place.remove);
  await place.json('company', 'create', '--name', 'ACME');
  const told = async (settings: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
    const server = start({ ...place.settings, ...settings }, 'serve', '--json');
    server.child.stdout?.once('data', () => server.child.kill('SIGTERM'));
    const { stderr } = await server.ended;
    const lines = stderr.split('\n').filter((line) => line !== '');
    return lines
      .map((line) => JSON.parse(line))
      .map(({ level, setting, msg }) => [level, setting, msg.replace(/:\d+$/, ':PORT')]);
  };
  const named = 'upload and download addresses name http://127.0.0.1:PORT';
  assert.equal(await told({ PUBLIC_URL: 'https://intake.example', RATE_LIMITS: '5' }), [
    [40, 'RATE_LIMITS', 'RATE_LIMITS is no setting of Intake and has no effect: did you mean RATE_LIMIT?'],
    [40, 'STORAGE_PUBLIC_URL', `STORAGE_PUBLIC_URL is not set, though PUBLIC_URL is: ${named}`],
  ]);
  const both = { PUBLIC_URL: 'https://intake.example', STORAGE_PUBLIC_URL: 'https://files.example' };
  assert.equal(await told(both), []);
});
