import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { overwrite } from '../../scripts/trials/damage.ts';
import { suite } from '../harness.ts';
import { startServerProcess } from '../support/process.ts';
import { testSettings } from '../support/service.ts';

const test = suite('a damaged file of a served folder [operations-7]');
const dataDir = mkdtempSync(join(tmpdir(), 'intake-damaged-'));
const settings = testSettings(dataDir);
const at = (name: string): string => join(dataDir, name);

test.before(async () => {
  await (await startServerProcess(settings)).stop();
});
test.after(() => rmSync(dataDir, { recursive: true }));

/** What a start on the folder says while the file is damaged, which is made whole again afterwards. */
const startOn = async (name: string, share: number): Promise<string> => {
  const whole = readFileSync(at(name));
  overwrite(at(name), share);
  const said = await startServerProcess(settings).then(
    async (server) => `started: ${await server.stop()}`,
    (error: Error) => error.message,
  );
  writeFileSync(at(name), whole);
  return said;
};

for (const [name, remedy] of [
  ['log.db', 'stop the service and restore the data folder from a backup'],
  ['tables.db', 'stop the service and restore the data folder from a backup'],
  ['keys.db', 'stop the service and restore the data folder from a backup'],
  ['models.db', `rm -f '${at('models.db')}' '${at('models.db-wal')}' '${at('models.db-shm')}'`],
] as const) {
  test(`a start names ${name} and what to do about it`, async () => {
    const said = await startOn(name, 0.3);
    assert.match(said, `"${at(name)} is damaged (`);
    assert.match(said, remedy);
  });
}
