import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { client, receiptText } from '../support/client.ts';
import { noRoomReason, setNoRoom } from '../support/noRoom.ts';
import { sendFile } from '../support/sendFile.ts';
import { createTenant } from '../support/tenant.ts';
import { openWorld, type World } from '../support/world.ts';

const test = suite('a full disk');
let world: World;
test.before(async () => {
  world = await openWorld(() => ({ LOG_LEVEL: 'info' }));
  await world.start();
});
test.after(() => world.close());

const api = () => world.api;
const ready = async () => {
  const answer = await fetch(`${world.server().healthUrl}/health/ready`);
  const { checks } = (await answer.json()) as {
    checks: { name: string; ok: boolean; detail: string | null }[];
  };
  return { status: answer.status, faults: checks.filter(({ ok }) => !ok) };
};
const setFull = (isFull: boolean): Promise<void> => setNoRoom(world.server().child.pid ?? 0, isFull);

const reason = noRoomReason();
if (reason !== null) test.skip('reads go on', reason);
else
  test('reads go on, whatever else is refused is a 503 that can be repeated, and it heals within 5 s [problems-12]', async () => {
    const done = await api().process([receiptText()], { batchRef: 'full' });
    // Of a key that was never used lastUsedAt would be written.
    const { key: unused } = await createTenant(world.settings);
    const open = await api().open([]);
    await eventually('it is ready', async () => (await ready()).status === 200);
    await setFull(true);
    await eventually('it is not ready', async () => (await ready()).status === 503);
    const { faults } = await ready();
    assert.equal(faults, [{ name: 'documents', ok: false, detail: 'it can be read, and takes no writes' }]);

    for (const path of [
      ...['/workflows', '/workflows/receipt', '/workflows/receipt/versions/1', '/companies', '/submissions'],
      ...[`/submissions/${done.submissionId}`, `/submissions/${done.submissionId}?at=0`],
      ...[`/submissions/${done.submissionId}/fraud-matches`, `/jobs/${done.sessionId}`],
      ...['/batches/full', '/events', '/webhook-deliveries'],
    ]) {
      const { status, text } = await api().get(`/api/v1${path}`);
      assert.is(status, 200, `${path}: ${text}`);
    }
    assert.is((await client(world.url, unused).get('/api/v1/workflows')).status, 200);
    const { body } = await api().get(`/api/v1/submissions/${done.submissionId}`);
    assert.is((await fetch(body.files[0].downloadUrl)).status, 200);

    for (const path of [
      '/workflows/receipt/sessions',
      `/workflows/receipt/sessions/${open.sessionId}/submit`,
    ]) {
      const { status, headers } = await api().post(`/api/v1${path}`);
      assert.equal([status, headers.get('retry-after')], [503, '1'], path);
    }
    const { content, mimeType } = receiptText();
    const refused = await sendFile(open.uploads[0], content, mimeType);
    assert.equal([refused.status, refused.headers.get('retry-after')], [503, '1']);

    const mended = performance.now();
    await setFull(false);
    await eventually('a session is opened', async () => {
      const { status } = await api().post('/api/v1/workflows/receipt/sessions');
      return status === 201;
    });
    assert.ok(performance.now() - mended < 5_000, 'healed in time');
    assert.is((await sendFile(open.uploads[0], content, mimeType)).status, 200);
    assert.is((await api().submit(open)).status, 202);
    assert.is((await api().ended(open)).state, 'completed');
    await eventually('it is ready again', async () => (await ready()).status === 200);
    const told = world
      .server()
      .log()
      .filter(({ part }) => part !== undefined);
    assert.equal(
      told.map(({ part, msg }) => `${part}: ${msg}`),
      [
        'documents: a part of the service can’t be used',
        'documents: a part of the service can be used again',
      ],
    );
  });
