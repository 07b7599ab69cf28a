import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import * as assert from 'uvu/assert';
import { readPublicKey } from '../../evidence/keys.ts';
import { openPackage } from '../../evidence/package/open.ts';
import { verifyPackage } from '../../evidence/verify.ts';
import { examples } from '../controls/events.ts';
import { suite } from '../harness.ts';

const test = suite('golden evidence [audit-2]');

/**
 * Packages as releases have made them, by the version of their form. They must hold for ever: make new ones,
 * never these anew.
 */
const VERSIONS = ['v1', 'v2'];
/** Events that there were not yet when the first of them was made. */
const SINCE = [
  ...['SubmissionSyncFailed', 'SubmissionSyncRequested', 'SubmissionFirstDecisionMade'],
  ...['SubmissionLegalHoldPlaced', 'SubmissionLegalHoldLifted'],
  ...['SubmissionNoteAdded', 'SubmissionAssigned', 'SubmissionPostponed', 'SubmissionResumed'],
  ...['SubmissionRedactionRequested', 'SubmissionRedacted', 'SubmissionOpenedForEntry'],
];

/** The page's verifier, in another language: it knows of a package what the page says, and nothing else. */
const recipe = /```python\n(.*?)```/s.exec(readFileSync('docs/auditors.md', 'utf8'))?.[1] ?? '';
const PYTHON = spawnSync('python3', ['--version']).status === 0;

if (!PYTHON) test.skip('the recipe of docs/auditors.md', 'there is no python3 here');
else
  test('the recipe of docs/auditors.md takes a package that holds, and no other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'intake-recipe-'));
    const source = await openPackage('test/golden/evidence.v1.zip');
    for (const { path } of source.entries) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), Buffer.concat(await Readable.from(source.read(path)).toArray()));
    }
    await source.close();
    const verify = () => spawnSync('python3', ['-c', recipe, folder], { encoding: 'utf8' });
    assert.is(verify().stdout, 'holds\n', verify().stderr);
    const events = join(folder, 'events.jsonl');
    writeFileSync(events, readFileSync(events, 'utf8').replace('"ann"', '"bob"'));
    assert.match(verify().stderr, /AssertionError: events\.jsonl/);
    rmSync(folder, { recursive: true });
  });

for (const version of VERSIONS)
  test(`a package of ${version} holds, and each document is made of its events as it was then`, async () => {
    const key = readPublicKey(readFileSync(`test/golden/evidence.${version}.pem`, 'utf8'));
    assert.ok(key);
    const source = await openPackage(`test/golden/evidence.${version}.zip`);
    const { manifest, findings } = await verifyPackage(source, key);
    await source.close();
    assert.equal(findings, []);
    const types = new Set(manifest?.submission.events.map(({ type }) => type));
    const all = Object.keys(examples).filter(
      (type) => /^(Session|Submission)[A-Z]/.test(type) && !SINCE.includes(type),
    );
    assert.equal(
      all.filter((type) => !types.has(type)),
      [],
      'every event of a submission that there was is in it',
    );
  });
