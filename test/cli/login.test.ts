import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { runIntake } from '../support/commandLine.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { documentOf, EXECUTABLE, refusalOf, startProgram, workplace } from './run.ts';

const test = suite('the command line: the account of commands over HTTP');
/** Of util-linux: runs a command at a terminal of its own. */
const SCRIPT = '/usr/bin/script';
const place = workplace();
test.after(place.remove);

type Tenant = Awaited<ReturnType<TestService['company']>>;
let service: TestService;
let tenant: Tenant;

test.before(async () => {
  service = await sharedService();
  tenant = await service.company();
});

/** A configuration folder of its own, and commands that use it. */
const user = (name: string) => {
  const home = join(place.folder, name);
  const settings = { XDG_CONFIG_HOME: home };
  const file = (profile = 'default') => join(home, 'intake', `${profile}.json`);
  const logIn = (key: string, ...more: readonly string[]) => logInAt(service.url, key, ...more);
  const logInAt = (url: string, key: string, ...more: readonly string[]) => {
    const words = ['login', url, '--key-stdin', ...more];
    const running = startProgram(settings, process.execPath, [EXECUTABLE, ...words]);
    running.child.stdin?.end(`${key}\n`);
    return running.ended;
  };
  const run = (words: string, environment: Readonly<Record<string, string>> = {}) =>
    runIntake({ ...settings, ...environment }, ...words.split(' '));
  return { home, settings, file, logIn, logInAt, run };
};

test('a key from standard input is checked, and stored for its user alone [cli-11]', async () => {
  const ann = user('ann');
  const { file, ...said } = documentOf<Record<string, unknown>>(await ann.logIn(tenant.key, '--json'));
  const company = { id: tenant.id, name: 'ACME' };
  const known = { url: service.url, company, mode: 'live', keyId: tenant.keyId };
  assert.equal(said, { profile: 'default', ...known });
  assert.is(file, ann.file());
  assert.equal(JSON.parse(readFileSync(ann.file(), 'utf8')), { url: service.url, key: tenant.key });
  assert.equal(
    [statSync(ann.file()).mode & 0o777, statSync(join(ann.home, 'intake')).mode & 0o777],
    [0o600, 0o700],
  );
  assert.equal(readdirSync(join(ann.home, 'intake')), ['default.json'], 'no draft is left');
  const who = documentOf(await ann.run('whoami --json'));
  assert.equal(who, { ...known, source: 'the profile default' });
  const { stdout, stderr } = await ann.run('whoami');
  assert.not.ok(`${stdout}${stderr}`.includes(tenant.key), 'the key is not shown');
});

test('a key that the service refuses, or that is not valid, is not stored', async () => {
  const bob = user('bob');
  const [unknown, noKey] = [`aok_${'0a'.repeat(32)}`, 'open sesame'];
  for (const [key, code] of [
    [unknown, 'unauthorized'],
    [noKey, 'no-key'],
  ] as const) {
    const ended = await bob.logIn(key, '--json');
    assert.is(refusalOf(ended).code, code);
    assert.not.ok(ended.stderr.includes(key));
  }
  assert.is(existsSync(bob.file()), false);
});

test('who logs in without encryption beyond this machine is warned', async () => {
  const gil = user('gil');
  assert.is((await gil.logIn(tenant.key)).stderr, '');
  const elsewhere = service.url.replace('127.0.0.1', '0.0.0.0');
  assert.match((await gil.logInAt(elsewhere, tenant.key)).stderr, `${elsewhere} is not encrypted`);
});

test('a file that others can read is not used [cli-11]', async () => {
  const cleo = user('cleo');
  assert.is((await cleo.logIn(tenant.key)).code, 0);
  chmodSync(cleo.file(), 0o640);
  const refusal = refusalOf(await cleo.run('whoami --json'));
  assert.equal([refusal.code, refusal.exitCode], ['profile-not-private', 1]);
  assert.match(refusal.hint ?? '', `chmod 600 ${cleo.file()}`);
  chmodSync(cleo.file(), 0o600);
  writeFileSync(cleo.file(), '{"url": 3}');
  assert.is(refusalOf(await cleo.run('whoami --json')).code, 'profile-damaged');
});

test('a stored key goes to no other service; the environment comes before what is stored [cli-12]', async () => {
  const dora = user('dora');
  const other = await service.company();
  assert.is((await dora.logIn(tenant.key)).code, 0);
  const elsewhere = refusalOf(await dora.run('whoami --json --url http://127.0.0.1:9'));
  assert.equal([elsewhere.code, elsewhere.exitCode], ['not-logged-in', 2]);
  assert.match(elsewhere.detail, `is for ${service.url}, not for http://127.0.0.1:9`);
  const variable = refusalOf(await dora.run('whoami --json', { INTAKE_URL: 'http://127.0.0.1:9' }));
  assert.is(variable.code, 'not-logged-in');

  type Who = Readonly<{ company: { id: string }; source: string }>;
  const who = async (words: string, environment: Readonly<Record<string, string>>) => {
    const { company, source } = documentOf<Who>(await dora.run(`whoami --json${words}`, environment));
    return [company.id, source];
  };
  const INTAKE_KEY = other.key;
  assert.equal(await who('', { INTAKE_KEY }), [other.id, 'INTAKE_KEY']);
  assert.equal(await who('', { INTAKE_KEY, INTAKE_URL: `${service.url}/` }), [other.id, 'INTAKE_KEY']);
  assert.equal(await who(' --profile default', { INTAKE_KEY }), [tenant.id, 'the profile default']);
});

test('who is not logged in is told how, and exits with 2 [cli-12]', async () => {
  const eve = user('eve');
  const { code, detail, hint, exitCode } = refusalOf(await eve.run('whoami --json'));
  assert.equal([code, exitCode, detail], ['not-logged-in', 2, 'You are not logged in.']);
  assert.match(hint ?? '', /intake login URL.*INTAKE_URL and INTAKE_KEY/);
  assert.is((await eve.logIn(tenant.key, '--profile', 'test')).code, 0);
  assert.match(
    refusalOf(await eve.run('whoami --json --profile live')).detail,
    /no profile live; there are test/,
  );
  assert.match(
    refusalOf(await eve.run('whoami --json', { INTAKE_KEY: 'aok_1' })).detail,
    /INTAKE_KEY is no API key/,
  );
  assert.equal(documentOf(await eve.run('logout --profile test --json')), { profile: 'test', removed: true });
  assert.equal(documentOf(await eve.run('logout --profile test --json')), {
    profile: 'test',
    removed: false,
  });
});

const asksAtTerminal = async () => {
  const finn = user('finn');
  const command = `'${process.execPath}' '${EXECUTABLE}' login ${service.url}`;
  const terminal = startProgram({ ...finn.settings, SHELL: '/bin/sh' }, SCRIPT, [
    '-qec',
    command,
    '/dev/null',
  ]);
  await eventually('the question', () => terminal.stdout().includes('API key (not shown): '));
  terminal.child.stdin?.write(`${tenant.key}\r`);
  const { code, stdout } = await terminal.ended;
  assert.is(code, 0, stdout);
  assert.not.ok(stdout.includes(tenant.key), stdout);
  assert.match(stdout, /takes the key key_\w+: ACME .*, live data/);
  assert.ok(existsSync(finn.file()));
};

const typed = 'the terminal asks for the key, and does not show it [cli-11]';
if (existsSync(SCRIPT)) test(typed, asksAtTerminal);
else test.skip(typed, 'there is no `script` here, which makes a terminal');
