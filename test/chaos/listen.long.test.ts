import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FAULTS, listenThroughKills } from '../../scripts/trials/listen.ts';
import { settingsOf } from '../../scripts/trials/served.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('intake listen and kill -9');
const folder = mkdtempSync(join(tmpdir(), 'intake-listen-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
const KILLS = rounds(2, 10);

test(
  `${KILLS} kills of the service and of the command: nothing is lost, under two ids, or out of order [cli-14]`,
  async () => {
    const figures = await listenThroughKills(settingsOf(folder), KILLS, () => undefined);
    for (const fault of FAULTS) assert.is(figures[fault], 0, JSON.stringify(figures));
    assert.ok(figures.events >= KILLS * 20);
  },
  { timeoutMs: KILLS * 60_000 + 120_000 },
);
