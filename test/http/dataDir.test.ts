import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import * as assert from 'uvu/assert';
import { deliveries } from '../../projections/deliveries.ts';
import { eventually, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { engines, isEmbedded } from '../support/ownEngines.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('what lies in DATA_DIR');
let service: TestService;
test.before(async () => {
  service = await startService();
});
test.after(() => service.close());

const isEmbeddedPart = (part: (typeof engines)[number]): boolean => !engines.includes(part);

test('each part that no engine holds, and nothing else: without any there is no need for a folder', async () => {
  const { api } = await service.company();
  assert.is((await api.process([receiptText()])).submissionStatus, 'approved');
  const isNeeded = engines.length < 3;
  const expected = [
    ...(isEmbeddedPart('log') ? ['log.db'] : []),
    ...(isEmbeddedPart('documents') ? ['forgotten.db', 'keys.db', 'models.db', 'tables.db'] : []),
    ...(isEmbeddedPart('files') ? ['objects'] : []),
    ...(isEmbedded ? ['master.key'] : []),
    ...(isNeeded ? ['serve.lock', 'serve.pid', 'work'] : []),
  ];
  // What the test itself put there, and what stands beside a database while it is open, is none of it.
  const besides = /^(receiver\.pem|.*\.workflow\.json|.*-(wal|shm))$/;
  const found = () => readdirSync(service.dataDir).filter((name) => !besides.test(name));
  assert.equal(found().sort(), expected.sort());
  await eventually('the command line to see the company', async () => {
    const { data } = await service.intake<{ data: readonly unknown[] }>('company', 'list');
    return data.length === 1;
  });
  assert.equal(found().sort(), expected.sort());
});

test('a submit that is repeated while the deliveries can’t be read is answered from the log', async () => {
  if (!isEmbeddedPart('documents')) return;
  const { api } = await service.company();
  const webhookUrl = 'https://nowhere.example/hook';
  const session = await api.open([receiptText()], { webhookUrl });
  assert.is((await api.submit(session)).status, 202);
  await api.ended(session);
  const models = new Libsql(join(service.dataDir, 'models.db'));
  const table = `m_deliveries_v${deliveries.version}`;
  // The service, in this very process, has the file to itself for a moment after each write.
  const rename = (from: string, to: string) =>
    eventually('the file is free', () => {
      try {
        models.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
        return true;
      } catch (error) {
        assert.match(String(error), /locked/);
        return false;
      }
    });
  await rename(table, 'away');
  try {
    const { status, body } = await api.submit(session);
    assert.equal([status, body.webhookDeliveryStatus], [202, 'pending']);
  } finally {
    await rename('away', table);
    models.close();
  }
});
