import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { readPublicKey } from '../../evidence/keys.ts';
import { openPackage } from '../../evidence/package/open.ts';
import { verifyPackage } from '../../evidence/verify.ts';
import { examples } from '../controls/events.ts';
import { suite } from '../harness.ts';

const test = suite('golden evidence');

/** Packages as releases have made them, by the version of their form. They must hold for ever: make new ones, never these anew. */
const VERSIONS = ['v1'];

for (const version of VERSIONS)
  test(`a package of ${version} holds, and each document is made of its events as it was then`, async () => {
    const key = readPublicKey(readFileSync(`test/golden/evidence.${version}.pem`, 'utf8'));
    assert.ok(key);
    const source = await openPackage(`test/golden/evidence.${version}.zip`);
    const { manifest, findings } = await verifyPackage(source, key);
    await source.close();
    assert.equal(findings, []);
    const types = new Set(manifest?.submission.events.map(({ type }) => type));
    const all = Object.keys(examples).filter((type) => /^(Session|Submission)[A-Z]/.test(type));
    assert.equal(
      all.filter((type) => !types.has(type)),
      [],
      'every event of a submission is in it',
    );
  });
