import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { withoutEngines } from '../../bench/engineSettings.ts';
import { isOnce, submitThroughKills } from '../../scripts/trials/client.ts';
import { rounds, suite } from '../harness.ts';
import { testSettings } from '../support/service.ts';

const test = suite('the client, while the service is killed');
const load = { count: rounds(40, 200), kills: rounds(2, 6) };
const folder = mkdtempSync(join(tmpdir(), 'intake-test-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

test(
  `${load.count} submissions and ${load.kills} kills: each is done once [client-3]`,
  async () => {
    const settings = { ...withoutEngines, ...testSettings(folder) };
    const outcome = await submitThroughKills(settings, load, () => undefined);
    assert.ok(isOnce(outcome, load), JSON.stringify(outcome));
  },
  { timeoutMs: load.kills * 60_000 + 60_000 },
);
