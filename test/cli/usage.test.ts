import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { EXECUTABLE, refusalOf, start, workplace } from './run.ts';

const test = suite('the command line: what is refused, and how [cli-1]');
const place = workplace();
test.after(place.remove);

const ID = '01hv6x3m8q2r5t7w9y0a1b2c3d';

test(
  'help is on standard output, with examples for every command',
  async () => {
    const commands = [
      ['serve'],
      ['company', 'create'],
      ['company', 'list'],
      ['workflow', 'publish'],
      ['workflow', 'assign'],
      ['workflow', 'unassign'],
      ['workflow', 'list'],
      ['key', 'create'],
      ['key', 'list'],
      ['key', 'revoke'],
      ['invite'],
      ['invite', 'list'],
      ['invite', 'revoke'],
      ['user', 'list'],
      ['user', 'disable'],
      ['user', 'reset'],
      ['audit'],
      ['audit', 'export'],
      ['audit', 'certificate'],
      ['audit', 'verify'],
      ['audit', 'key'],
      ['webhooks', 'list'],
      ['webhooks', 'show'],
      ['webhooks', 'redeliver'],
      ['webhooks', 'failing-receivers'],
      ['webhooks', 'recover'],
      ['reader', 'check'],
      ['submissions', 'reprocess'],
      ['login'],
      ['logout'],
      ['whoami'],
      ['workflows', 'list'],
      ['workflows', 'show'],
      ['submit'],
      ['wait'],
      ['submissions', 'list'],
      ['submissions', 'show'],
      ['approve'],
      ['reject'],
      ['cancel'],
      ['matches', 'list'],
      ['matches', 'resolve'],
      ['batches', 'list'],
      ['batches', 'show'],
      ['events', 'tail'],
      ['endpoints', 'list'],
      ['endpoints', 'create'],
      ['endpoints', 'rotate'],
      ['endpoints', 'disable'],
      ['endpoints', 'enable'],
      ['endpoints', 'delete'],
      ['deliveries', 'list'],
      ['deliveries', 'show'],
      ['deliveries', 'redeliver'],
      ['deliveries', 'failing-receivers'],
      ['deliveries', 'recover'],
      ['completion'],
      [],
    ];
    await Promise.all(
      commands.map(async (command) => {
        const { code, stdout, stderr } = await place.intake(...command, '--help');
        assert.is(code, 0, stderr);
        assert.is(stderr, '');
        assert.match(
          stdout,
          new RegExp(`Examples:\n {2}\\$ (\\w+=\\S+ )*intake ${command.join(' ')}`),
          command.join(' '),
        );
      }),
    );
    const version = await place.spawned('--version');
    assert.equal([version.code, version.stdout], [0, '0.1.0\n']);
    assert.is(existsSync(place.settings.DATA_DIR), false, 'help touches no data');
  },
  { timeoutMs: 60_000 },
);

test(
  'a wrong command line ends with 2 and says which help to read',
  async () => {
    const cases: readonly (readonly [string, RegExp, string])[] = [
      ['company create', /required option '--name/, 'intake company create'],
      ['company create --name= ', /1 to 128 characters/, 'intake company create'],
      ['compny list', /Did you mean company/, 'intake'],
      ['company', /command is missing|unknown option/, 'intake company'],
      ['company list --jsn', /Did you mean --json/, 'intake company list'],
      ['key create', /give --company ID, or --unscoped/, 'intake key create'],
      [`key create --unscoped --company cmp_${ID}`, /one of them/, 'intake key create'],
      ['key create --company acme', /cmp_ and 26 lower-case.*intake company list/, 'intake key create'],
      [`key revoke aok_${'0a'.repeat(32)}`, /'aok_…' .*must be key_/, 'intake key revoke'],
      ['invite', /give --email and --role/, 'intake invite'],
      ['invite --email ann --role super_admin', /must be an e-mail address/, 'intake invite'],
      [
        'invite --email a@b.example --role boss',
        /one of org_admin, reviewer, auditor, super_admin/,
        'intake invite',
      ],
      ['invite revoke 1', /must be inv_ and 26/, 'intake invite revoke'],
      ['user disable ann@example.com', /must be usr_ and 26.*intake user list/, 'intake user disable'],
      ['workflow assign receipt', /required option '--company/, 'intake workflow assign'],
      [`workflow assign Receipt! --company cmp_${ID}`, /must be a slug/, 'intake workflow assign'],
      ['serve --roles api,cook', /one of api, projections, reactors, workers/, 'intake serve'],
      ['audit', /missing required argument/, 'intake audit'],
      [`audit wf_${ID}`, /sub_ or ses_/, 'intake audit'],
      [`audit sub_${ID} --at yesterday`, /a revision such as 3, or a time with its zone/, 'intake audit'],
      [`audit sub_${ID} --at 2026-11-21`, /a time with its zone/, 'intake audit'],
      [`audit sub_${ID} --diff 1`, /takes two points/, 'intake audit'],
      [`audit sub_${ID} --at 1 --follow`, /give one of them/, 'intake audit'],
      ['webhooks list --status lost', /one of pending, delivered, failed/, 'intake webhooks list'],
      ['webhooks list --limit 0', /1 to 10000/, 'intake webhooks list'],
      ['webhooks recover', /required option '--since/, 'intake webhooks recover'],
      ['webhooks recover --since lately', /so long ago as 30m/, 'intake webhooks recover'],
      ['webhooks show 1', /must be a UUID/, 'intake webhooks show'],
      ['login localhost:3000', /must be an address such as https/, 'intake login'],
      ['login http://127.0.0.1:3000', /no terminal.*--key-stdin/, 'intake login'],
      ['whoami --profile A!', /lower-case letters/, 'intake whoami'],
      ['submissions list --status lost', /one of created, processing/, 'intake submissions list'],
      [`approve sub_${ID} --correct total`, /such as total=12.50/, 'intake approve'],
      [`approve sub_${ID} --if-match W/7`, /whole number/, 'intake approve'],
      [`matches resolve sub_${ID} 7 dismissed`, /must be fm_ and 26/, 'intake matches resolve'],
      ['endpoints rotate 7', /must be whe_ and 26/, 'intake endpoints rotate'],
      ['events tail --types session.lost', /one of session.completed/, 'intake events tail'],
      [`wait sub_${ID} --timeout 0`, /1 to 86400/, 'intake wait'],
      ['completion csh', /one of bash, zsh, fish/, 'intake completion'],
    ];
    await Promise.all(
      cases.map(async ([line, detail, help]) => {
        const refusal = refusalOf(await place.intake(...line.split(' '), '--json'));
        assert.is(refusal.exitCode, 2, line);
        assert.is(refusal.code, 'wrong-usage', line);
        assert.match(refusal.detail, detail, line);
        assert.is(refusal.hint, `See \`${help} --help\`.`, line);
      }),
    );
    assert.is(existsSync(place.settings.DATA_DIR), false, 'nothing was tried');
  },
  { timeoutMs: 60_000 },
);

test('without --json a failure is text on standard error', async () => {
  const { code, stdout, stderr } = await place.spawned('company', 'create');
  assert.is(code, 2);
  assert.is(stdout, '');
  assert.is(
    stderr,
    "intake: required option '--name <name>' not specified\nSee `intake company create --help`.\n",
  );
  const missing = await place.spawned();
  assert.is(missing.code, 2);
  assert.match(missing.stderr, /Usage: intake .*a command is missing/s);
});

test('every wrong setting is named at once [settings-1]', async () => {
  const wrong = {
    PORT: '70000',
    SESSION_TTL: 'long',
    S3_PATH_STYLE: 'perhaps',
    DATA_DIR: place.settings.DATA_DIR,
  };
  const names = ['PORT', 'SESSION_TTL', 'S3_PATH_STYLE'];
  for (const command of [['serve'], ['company', 'list']]) {
    const refusal = refusalOf(await start(wrong, ...command, '--json').ended);
    assert.is(refusal.code, 'invalid-settings');
    assert.is(refusal.exitCode, 2);
    assert.equal(
      refusal.errors.map(({ pointer }) => pointer),
      names,
    );
    const { stderr } = await start(wrong, ...command).ended;
    for (const name of names) assert.match(stderr, new RegExp(`^ {2}${name} \\w`, 'm'));
  }
  assert.is(existsSync(place.settings.DATA_DIR), false);
});

test(
  'a file that holds no definition is refused, and told why',
  async () => {
    const file = (name: string, content: string | Uint8Array): string => {
      writeFileSync(join(place.folder, name), content);
      return join(place.folder, name);
    };
    mkdirSync(join(place.folder, 'folder'));
    const cases = [
      [join(place.folder, 'gone.json'), 'no-file', /no file .*gone\.json/],
      [join(place.folder, 'folder'), 'no-file', /is a folder/],
      [
        file('comma.json', '{\n  "slug": "receipt",\n}'),
        'not-json',
        /comma\.json:3:1 is not JSON: name is expected/,
      ],
      [file('empty.json', ''), 'not-json', /empty\.json:1:1/],
      [file('half.json', '{"name": "\\ud800"}'), 'not-kept', /stored unchanged/],
      [file('latin.json', Buffer.from('{"name": "caf\xe9"}', 'latin1')), 'not-utf-8', /UTF-8/],
      [file('large.json', ' '.repeat(1_048_577)), 'file-too-large', /1 MiB/],
      ['/dev/zero', 'file-too-large', /1 MiB/],
    ] as const;
    await Promise.all(
      cases.map(async ([path, code, detail]) => {
        const refusal = refusalOf(await place.intake('workflow', 'publish', path, '--json'));
        assert.is(refusal.code, code);
        assert.is(refusal.exitCode, 1);
        assert.match(refusal.detail, detail);
      }),
    );
    const faulty = file(
      'faulty.json',
      `{"slug": "A", "upload": {"minFiles": 3, "colour": 1}, "outputSchema": [],
        "processing": {"sync": {"url": "https://127.1/hook", "secretEnv": "MASTER_KEY"}}}`,
    );
    const { errors } = refusalOf(await place.intake('workflow', 'publish', faulty, '--json'));
    const pointers = errors.map(({ pointer }) => pointer);
    const [url, secret] = ['/processing/sync/url', '/processing/sync/secretEnv'];
    for (const pointer of [
      '/slug',
      '/name',
      '/upload/colour',
      '/upload/maxFiles',
      '/outputSchema',
      url,
      secret,
    ]) {
      assert.ok(pointers.includes(pointer), `${pointer} among ${pointers}`);
    }
    const { stderr } = await place.intake('workflow', 'publish', faulty);
    for (const pointer of pointers) assert.ok(stderr.includes(`\n  ${pointer} `), pointer);
  },
  { timeoutMs: 60_000 },
);

test('an answer that can’t be written is reported as a failure', () => {
  if (!existsSync('/dev/full')) return;
  const full = openSync('/dev/full', 'w');
  const { status: code, stderr } = spawnSync(process.execPath, [EXECUTABLE, 'invite', '--help', '--json'], {
    env: place.settings,
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  const refusal = refusalOf({ code, stdout: '', stderr });
  assert.is(refusal.code, 'answer-not-written');
  assert.match(refusal.detail, /standard output: ENOSPC/);
});
