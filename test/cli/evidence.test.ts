import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { whileStoppable } from '../../cli/signals.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { evidenceSeed } from '../../runtime/dataFolder.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import type { Core } from '../../runtime/wire.ts';
import { examples } from '../controls/events.ts';
import { created, processed, routing, started, submitted } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { runIntake } from '../support/commandLine.ts';
import { openCoreOf } from '../support/core.ts';
import { documentOf, refusalOf, workplace } from './run.ts';

const test = suite('the command line: evidence [audit-2]');
const place = workplace();
const ID = routing.submissionId;
const at = (name: string): string => join(place.folder, name);
let core: Core;
test.before(async () => {
  core = await openCoreOf(place.settings);
  const context = {
    actor: { kind: 'key', id: routing.keyId },
    $correlationId: 'c',
    $causationId: 'c',
  } as const;
  let head = null;
  for (const event of [created, submitted, started, processed('review'), examples.SubmissionApproved]) {
    const metadata = { schema: 1, at: '2026-11-21T10:00:00.000Z', ...context };
    head = await core.log.append(
      submissionStream(ID),
      head,
      [{ ...event, id: core.ids.event(), metadata }],
      () => ID,
    );
  }
});
test.after(async () => {
  await core.close();
  place.remove();
});

type Key = Readonly<{ id: string; publicKey: string }>;
type Verdict = Readonly<{
  holds: boolean;
  findings: readonly Readonly<{ file: string; pointer: string }>[];
  cannotProve: readonly string[];
  package: Readonly<{ submissionId: string }> | null;
}>;

test('exports a folder and a zip file, and verifies both with nothing but the public key', async () => {
  const key = await place.json<Key>('audit', 'key');
  writeFileSync(at('key.pem'), key.publicKey);
  assert.is(statSync(join(place.settings.DATA_DIR, 'evidence.key')).mode & 0o777, 0o600);
  for (const name of ['folder', 'package.zip']) {
    const made = await place.intake(
      'audit',
      'export',
      ID.replace('sub_', 'ses_'),
      '--out',
      at(name),
      '--json',
    );
    assert.match(made.stderr, /File 0 \(fil_\w+\) is missing in the store/);
    const { missing, events, lastHash, key: id } = documentOf<Record<string, unknown>>(made);
    assert.equal(
      [missing, events, id],
      [[{ fileId: `fil_${ID.slice(4)}`, fileIndex: 0, label: 'front', reason: 'not_found' }], 5, key.id],
    );
    assert.match(String(lastHash), /^[0-9a-f]{64}$/);
    // No settings at all: as on another machine.
    const verdict = documentOf<Verdict>(
      await runIntake({}, 'audit', 'verify', at(name), '--key', at('key.pem'), '--json'),
    );
    assert.equal([verdict.holds, verdict.findings, verdict.package?.submissionId], [true, [], ID]);
    assert.ok(verdict.cannotProve.length > 0);
  }
  const [, inside = ''] = key.publicKey.split('\n');
  const { code, stdout } = await runIntake({}, 'audit', 'verify', at('folder'), '--key', inside);
  assert.is(code, 0);
  assert.match(
    stdout,
    /folder holds: it is what was exported at .* by intake [\d.]+, signed with the key [0-9a-f]{16}\./,
  );
  assert.match(stdout, /What this can’t prove:\n {2}- that the log held nothing after the last event/);
  const again = refusalOf(await place.intake('audit', 'export', ID, '--out', at('folder'), '--json'));
  assert.equal([again.code, again.exitCode], ['package-refused', 1]);
});

test('a changed package exits with 1, with what was changed and what can’t be proven', async () => {
  const path = at('folder/decisions.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"ann"', '"bob"'));
  const words = ['audit', 'verify', at('folder'), '--key', at('key.pem')];
  const [json, text] = [await runIntake({}, ...words, '--json'), await runIntake({}, ...words)];
  assert.equal([json.code, json.stderr, text.code, text.stderr], [1, '', 1, '']);
  const verdict = JSON.parse(json.stdout) as Verdict;
  assert.equal([verdict.holds, verdict.package], [false, null]);
  assert.equal(
    verdict.findings.map(({ file, pointer }) => [file, pointer]),
    [['decisions.json', '/0/by']],
  );
  assert.match(
    text.stdout,
    /folder does NOT hold\. The first finding is at decisions\.json; 1 in all:\n {2}decisions\.json, \/0\/by: is "bob"/,
  );
  assert.match(text.stdout, /What this can’t prove:/);
  const other = await place.json<Key>('audit', 'key');
  const stranger = Buffer.from(other.publicKey.split('\n')[1] ?? '', 'base64');
  stranger[20] = (stranger[20] ?? 0) ^ 1;
  const wrong = await runIntake({}, ...words.slice(0, 4), stranger.toString('base64'));
  assert.is(wrong.code, 1);
});

test('without the key, with a secret one, or without a package nothing is judged', async () => {
  const verify = async (...words: readonly string[]) =>
    refusalOf(await runIntake({}, 'audit', 'verify', ...words, '--json'));
  const keyless = await verify(at('package.zip'));
  assert.equal([keyless.code, keyless.exitCode], ['wrong-usage', 2]);
  assert.match(keyless.detail, /--key PUBLICKEY is needed: .*`intake audit key`/);
  const secret = await verify(at('package.zip'), '--key', join(place.settings.DATA_DIR, 'evidence.key'));
  assert.equal([secret.code, secret.exitCode], ['no-public-key', 1]);
  const endless = await verify(at('package.zip'), '--key', '/dev/zero');
  assert.equal([endless.code, endless.exitCode], ['no-public-key', 1]);
  assert.is((await verify(at('nothing.zip'), '--key', at('key.pem'))).code, 'no-package');
  assert.is((await verify(at('key.pem'), '--key', at('key.pem'))).code, 'no-package');
  const unknown = refusalOf(
    await place.intake('audit', 'export', 'sub_01hv6x3m8q2r5t7w9y0a1b2c3f', '--out', at('a'), '--json'),
  );
  assert.equal([unknown.code, existsSync(at('a'))], ['submission-not-found', false]);
});

test('EVIDENCE_KEY is the key where it is set, and needed only where there is no DATA_DIR', async () => {
  const EVIDENCE_KEY = Buffer.alloc(32, 5).toString('base64');
  const given = documentOf<Key>(
    await runIntake({ ...place.settings, EVIDENCE_KEY }, 'audit', 'key', '--json'),
  );
  assert.is.not(given.id, (await place.json<Key>('audit', 'key')).id);
  const engines = {
    MASTER_KEY: EVIDENCE_KEY,
    EVENTSTOREDB_URL: 'esdb://localhost:1',
    MONGODB_URL: 'mongodb://localhost:1',
    S3_BUCKET: 'intake',
    S3_ENDPOINT: 'http://localhost:1',
  };
  assert.throws(
    () => evidenceSeed(readConfig(engines)),
    (error: Error) => error.name === 'InvalidSettings' && /EVIDENCE_KEY must be set/.test(error.message),
  );
  assert.equal(evidenceSeed(readConfig({ ...engines, EVIDENCE_KEY })), Buffer.alloc(32, 5));
});

test('work that can be stopped gets the signal, and removes its listeners', async () => {
  const before = process.listenerCount('SIGINT');
  const heard = await whileStoppable(async (signal) => {
    process.emit('SIGINT');
    return signal.aborted;
  });
  assert.equal([heard, process.listenerCount('SIGINT')], [true, before]);
});
