import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { hasData } from '../../runtime/dataFolder.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { suite } from '../harness.ts';
import { receiptDefinition } from '../support/definition.ts';
import { refusalOf, workplace } from './run.ts';

const test = suite('the command line in a folder without data [cli-3]');

const ID = '01hv6x3m8q2r5t7w9y0a1b2c3d';
const COMPANY = `cmp_${ID}`;
const EVENT = '01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b';

const inNeedOfData = [
  'company list',
  'workflow list',
  `workflow assign receipt --company ${COMPANY}`,
  `workflow unassign receipt --company ${COMPANY}`,
  'key list',
  `key create --company ${COMPANY}`,
  `key revoke key_${ID}`,
  'invite list',
  `invite --email bob@example.com --role org_admin --company ${COMPANY}`,
  `invite revoke inv_${ID}`,
  'user list',
  `user disable usr_${ID}`,
  `user reset usr_${ID}`,
  `audit sub_${ID}`,
  `audit export sub_${ID}`,
  'audit key',
  `submissions reprocess sub_${ID}`,
  `submissions sync sub_${ID}`,
  'projections status',
  'projections rebuild --all',
  'projections retry submissions',
  'webhooks list',
  `webhooks show ${EVENT}`,
  `webhooks redeliver ${EVENT}`,
];

test('what needs data refuses, names the folder and makes nothing', async () => {
  const place = workplace();
  test.after(place.remove);
  for (const isThere of [false, true]) {
    // Somebody else's ./data.
    if (isThere) mkdirSync(place.settings.DATA_DIR);
    for (const line of inNeedOfData) {
      const refusal = refusalOf(await place.intake(...line.split(' '), '--json'));
      assert.equal([refusal.code, refusal.exitCode], ['no-data', 2], line);
      assert.is(refusal.detail, `DATA_DIR ${place.settings.DATA_DIR} holds no data of Intake.`, line);
      assert.match(refusal.hint ?? '', /Set DATA_DIR to the folder that the service uses/, line);
    }
    if (isThere) assert.equal(readdirSync(place.settings.DATA_DIR), []);
    else assert.is(existsSync(place.settings.DATA_DIR), false);
  }
});

test('what may come first makes the folder, and says so once', async () => {
  const elsewhere = workplace();
  test.after(elsewhere.remove);
  const definition = join(elsewhere.folder, 'receipt.json');
  writeFileSync(definition, JSON.stringify(receiptDefinition));
  const first = [
    'company create --name ACME',
    `workflow publish ${definition}`,
    'key create --unscoped',
    'invite --email ann@example.com --role super_admin',
  ];
  for (const line of first) {
    const place = workplace();
    test.after(place.remove);
    const made = await place.intake(...line.split(' '), '--json');
    assert.is(made.code, 0, made.stderr);
    const notice = `Made a new data folder: ${place.settings.DATA_DIR} (DATA_DIR).`;
    assert.is(made.stderr, `${JSON.stringify({ notice })}\n`, line);
    const again = await place.intake('company', 'create', '--name', 'ACME');
    assert.equal([again.code, again.stderr], [0, ''], line);
  }
});

test('serve makes the folder, and says so once', async () => {
  const place = workplace();
  test.after(place.remove);
  for (const notice of [/^{"notice":"Made a new data folder: [^"]*\/data \(DATA_DIR\)\."}$/m, null]) {
    const server = await place.serve();
    server.child.kill('SIGTERM');
    const { stderr } = await server.ended;
    if (notice) assert.match(stderr, notice);
    else assert.is(stderr, '');
  }
});

test('a folder is needed for the parts that no engine holds', () => {
  const place = workplace();
  test.after(place.remove);
  const { DATA_DIR } = place.settings;
  const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
  const log = { EVENTSTOREDB_URL: 'esdb://127.0.0.1:2113?tls=false', MASTER_KEY };
  const documents = { MONGODB_URL: 'mongodb://127.0.0.1', MASTER_KEY };
  const files = { S3_BUCKET: 'intake', S3_ENDPOINT: 'http://127.0.0.1:9000', MASTER_KEY };
  const found = (engines: Readonly<Record<string, string>>) => hasData(readConfig({ DATA_DIR, ...engines }));
  assert.is(found({ ...log, ...documents, ...files }), true, 'nothing lies in it');
  assert.is(found({ ...log, ...documents }), false);
  mkdirSync(DATA_DIR);
  assert.is(found({ ...log, ...documents }), true, 'a folder for files');
  assert.equal([{}, log, documents].map(found), [false, false, false]);
  writeFileSync(join(DATA_DIR, 'tables.db'), '');
  assert.equal([{}, log, documents].map(found), [true, true, false]);
  writeFileSync(join(DATA_DIR, 'log.db'), '');
  assert.equal([{}, log, documents].map(found), [true, true, true]);
});
