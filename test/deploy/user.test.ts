import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { certificateFor } from '../../scripts/certificate.ts';
import { runUserProgram } from '../../stores/events/eventstoredb/userProgram.ts';
import { suite } from '../harness.ts';
import { type StandIn, startStandIn } from '../standIn/standIn.ts';

const test = suite('deploy/eventstoredb/user.mjs');
const ADMIN = 'admin:se%63ret@';

let folder: string;
let ca: string;
let tls: Awaited<ReturnType<typeof certificateFor>>;
let server: StandIn;
test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'intake-test-'));
  ca = join(folder, 'ca.crt');
  tls = await certificateFor('localhost');
  writeFileSync(ca, tls.cert);
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A test with a server of its own. */
const onServer = (what: string, body: () => Promise<void>): void =>
  test(what, async () => {
    server = await startStandIn({ tls, user: { name: 'admin', password: 'secret' } });
    await body().finally(() => server.stop());
  });

type Ended = Readonly<{ code: number; output: string }>;
type Settings = Readonly<Record<string, string>>;

const SECRET = /se(c|%63)ret|[Pp]assword-/;

/** What the program prints, nothing of which is secret, and its exit code. */
const run = async (env: Settings): Promise<Ended> => {
  const { code, text: output } = await runUserProgram(env);
  assert.not.match(output, SECRET);
  return { code, output: `${output}\n` };
};

/** The same of a process of its own. */
const spawned = async (env: Settings): Promise<Ended> => {
  const child = spawn(process.execPath, ['deploy/eventstoredb/user.mjs'], { env });
  const [told, faults, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  assert.not.match(told + faults, SECRET);
  assert.is(code === 0 ? faults : told, '');
  return { code, output: told + faults };
};

const urlOf = (login = ADMIN, authority = `&tlsCAFile=${ca}`): string =>
  `kurrentdb://${login}localhost:${server.port}?tls=true${authority}`;

const runAs = (EVENTSTOREDB_PASSWORD: string, EVENTSTOREDB_ADMIN_URL = urlOf()): Promise<Ended> =>
  run({ EVENTSTOREDB_ADMIN_URL, EVENTSTOREDB_PASSWORD });

/** What the server's log says of `$all`, version by version. */
const metadata = (): readonly unknown[] =>
  server.log.stream('$$$all').map(({ data }) => JSON.parse(Buffer.from(data).toString()));

const put = (stream: string, type: string, body: object): void => {
  const event = { id: crypto.randomUUID(), type, contentType: 'application/json', metadata: Buffer.from('') };
  server.log.append(stream, 'any', [{ ...event, data: Buffer.from(JSON.stringify(body)) }]);
};

onServer('makes a user who may read $all; a repetition changes nothing, and says so', async () => {
  assert.equal(await runAs('password-1'), {
    code: 0,
    output:
      'The user intake has been created. It may read $all from now on, beside those who might already.\n',
  });
  assert.is(server.users.passwords.get('intake'), 'password-1');
  assert.equal(metadata(), [{ $acl: { $r: ['$admins', 'intake'] } }]);
  assert.equal(await runAs('password-1'), {
    code: 0,
    output: 'The user intake is there already, with this password. It may read $all already.\n',
  });
  assert.is(metadata().length, 1);
});

onServer(
  'another password is set, tried and told, also where the server goes by the older one for a while',
  async () => {
    await runAs('password-1');
    server.users.late.logIns = 4;
    const { code, output } = await runAs('password-2');
    assert.is(code, 0, output);
    assert.match(
      output,
      /^The user intake had another password: it has been given that of EVENTSTOREDB_PASSWORD\. /,
    );
    assert.is(server.users.passwords.get('intake'), 'password-2');
    assert.is(server.users.late.logIns, 0);
    assert.is(metadata().length, 1);
  },
);

for (const [what, before, after] of [
  [
    'other readers, rights and members',
    { $acl: { $r: ['$admins', 'reports'], $mw: 'ops' }, team: 'x' },
    { $acl: { $r: ['$admins', 'reports', 'intake'], $mw: 'ops' }, team: 'x' },
  ],
  ['one reader', { $acl: { $r: 'reports' } }, { $acl: { $r: ['reports', 'intake'] } }],
  ['a right that names everybody', { $acl: { $r: '$all' } }, null],
  ['a right that names the user', { $acl: { $r: ['intake', 'reports'] } }, null],
] as const)
  onServer(`keeps what the metadata of $all say: ${what}`, async () => {
    put('$$$all', '$metadata', before);
    const { code, output } = await runAs('password-1');
    assert.is(code, 0, output);
    assert.equal(metadata(), after ? [before, after] : [before]);
  });

onServer('keeps who may read $all by the settings of the server', async () => {
  put('$settings', '$settings', { $systemStreamAcl: { $r: ['$admins', 'reports'] } });
  await runAs('password-1');
  assert.equal(metadata(), [{ $acl: { $r: ['$admins', 'reports', 'intake'] } }]);
});

onServer('leaves metadata alone that it can’t keep, and names their stream', async () => {
  put('$$$all', '$metadata', []);
  const { code, output } = await runAs('password-1');
  assert.equal([code, metadata()], [1, [[]]]);
  assert.match(output, /the metadata of the stream \$all are no JSON object/);
});

const faults: readonly (readonly [what: string, url: () => string, says: RegExp])[] = [
  ['a wrong password', () => urlOf('admin:another@'), /refuses the user or the password/],
  ['an authority that nobody named', () => urlOf(ADMIN, ''), /certificate.*tlsCAFile/],
];
for (const [what, url, says] of faults)
  onServer(`${what} is explained in one sentence that names the host, and nothing is changed`, async () => {
    const { code, output } = await runAs('password-1', url());
    assert.is(code, 1);
    assert.match(output, says);
    assert.match(output, new RegExp(`^EVENTSTOREDB_ADMIN_URL, localhost:${server.port}: .*\n$`));
    assert.equal([metadata(), server.users.passwords.has('intake')], [[], false]);
  });

onServer('a user that is no administrator is explained', async () => {
  await runAs('password-1');
  const { code, output } = await runAs('password-1', urlOf('intake:password-1@'));
  assert.is(code, 1);
  assert.match(output, /is no administrator/);
});

onServer('the program prints what was done to standard output, and ends', async () => {
  const EVENTSTOREDB_ADMIN_URL = urlOf();
  const { code, output } = await spawned({ EVENTSTOREDB_ADMIN_URL, EVENTSTOREDB_PASSWORD: 'password-1' });
  assert.equal([code, server.users.passwords.get('intake')], [0, 'password-1']);
  assert.match(output, /^The user intake has been created\. .*\n$/);
});

test('a server that accepts and never answers is given up in time, by its name', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const EVENTSTOREDB_ADMIN_URL = `esdb://${ADMIN}127.0.0.1:${port}?tlsCAFile=${ca}`;
  const { code, output } = await spawned({ EVENTSTOREDB_ADMIN_URL, EVENTSTOREDB_PASSWORD: 'password-1' });
  silent.close();
  assert.is(code, 1);
  assert.match(output, `EVENTSTOREDB_ADMIN_URL, 127.0.0.1:${port}: `);
});

const URL_OF_ONE = 'esdb://admin:secret@a:2113';
const settings: readonly (readonly [what: string, settings: Settings, says: RegExp])[] = [
  ['no password', { EVENTSTOREDB_ADMIN_URL: URL_OF_ONE }, /^EVENTSTOREDB_PASSWORD must be set/],
  [
    'an empty password',
    { EVENTSTOREDB_ADMIN_URL: URL_OF_ONE, EVENTSTOREDB_PASSWORD: '' },
    /^EVENTSTOREDB_PASSWORD must be set/,
  ],
  ['no address', { EVENTSTOREDB_PASSWORD: 'password-1' }, /^EVENTSTOREDB_ADMIN_URL must be set/],
  ...(
    [
      ['esdb://admin:secret@a:99999', /host:port/],
      ['esdb://admin:secret%@a', /user:password before the @, both percent-encoded/],
      ['esdb://admin:1?secret@a', /percent-encoded/],
      ['http://admin:secret@a', /must be kurrentdb:/],
      ['esdb://a', /must hold an administrator's user:password/],
      ['esdb://admin:secret@a?tls=false', /without TLS .* has no users/],
    ] as const
  ).map(
    ([url, says]) =>
      [
        url.replace('secret', '…'),
        { EVENTSTOREDB_ADMIN_URL: url, EVENTSTOREDB_PASSWORD: 'password-1' },
        new RegExp(`^EVENTSTOREDB_ADMIN_URL.*${says.source}`),
      ] as const,
  ),
];
for (const [what, env, says] of settings)
  test(`${what}: refused at once, by the setting's name`, async () => {
    const { code, output } = await run(env);
    assert.is(code, 2);
    assert.match(output, says);
  });
