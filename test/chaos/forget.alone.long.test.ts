import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { forget } from '../../scripts/trials/forget/forget.ts';
import { long, suite } from '../harness.ts';

const test = suite('what a redaction forgets');
const KILLS = 3;

const title = `what was planted is found where it may be, after the redaction nowhere, also after a rebuild, a restart, a restore and ${KILLS} kills [redaction-8]`;
const found = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-forget-'));
  try {
    const { left, faults } = await forget(folder, { kills: KILLS, whole: false }, () => undefined);
    assert.equal(faults, []);
    for (const [when, finds] of left) assert.equal([...finds], [], when);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
if (long) test(title, found, { timeoutMs: 600_000 });
else test.skip(title, 'it takes a minute: npm run test:all does it');
