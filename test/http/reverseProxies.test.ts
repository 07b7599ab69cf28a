import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../kernel/clock.ts';
import { embeddedObjects } from '../../stores/objects/embedded.ts';
import { suite } from '../harness.ts';
import { declaring, receiptText } from '../support/client.ts';
import { freePort } from '../support/freePort.ts';
import { engines, isEmbedded, type OwnEngines, ownEngines } from '../support/ownEngines.ts';
import { startReverseProxy } from '../support/reverseProxy.ts';
import { startService } from '../support/service.ts';

const test = suite('behind reverse proxies');

type Settings = Readonly<Record<string, string>>;

/**
 * The API behind one proxy and the store, on a port of its own, behind another. Every address that is
 * answered names the proxies, and works; nothing names the ports behind them.
 */
const worksFromOutside = async (
  storePort: number,
  host: 'kept' | 'replaced',
  settingsFor: (storeUrl: string) => Settings,
): Promise<void> => {
  const port = await freePort();
  const front = await startReverseProxy(port, 'replaced');
  const store = await startReverseProxy(storePort, host);
  const inside = [`:${port}/`, `:${storePort}/`];
  const settings = { PORT: `${port}`, PUBLIC_URL: front.url, TRUST_PROXY: '1', ...settingsFor(store.url) };
  const service = await startService(settings);
  try {
    assert.is(service.url, front.url);
    const { api } = await service.company();
    const receipt = receiptText();
    const session = await api.open([receipt], declaring([receipt]));
    for (const { url } of session.uploads) assert.ok(url.startsWith(`${store.url}/`), url);
    assert.is((await api.submit(session)).status, 202);
    const job = await api.ended(session);
    assert.is(job.submissionStatus, 'approved', JSON.stringify(job));
    const detail = await api.get(`/api/v1/submissions/${session.submissionId}`);
    const [{ downloadUrl }] = detail.body.files;
    assert.ok(downloadUrl.startsWith(`${store.url}/`), downloadUrl);
    const passed = store.passed();
    assert.is(await (await fetch(downloadUrl)).text(), receipt.content);
    assert.is(store.passed(), passed + 1);
    const document = await api.get('/openapi.json');
    assert.equal(document.body.servers, [{ url: front.url }]);
    const invitation = await service.intake<{ url: string }>(
      ...['invite', '--email', 'a@example.com', '--role', 'super_admin'],
    );
    assert.ok(invitation.url.startsWith(`${front.url}/`), invitation.url);
    assert.is((await fetch(invitation.url)).status, 200);
    for (const said of [JSON.stringify(session), detail.text, document.text, invitation.url])
      for (const address of inside) assert.not.ok(said.includes(address), `${address} in ${said}`);
  } finally {
    await service.close();
    await store.close();
    await front.close();
  }
};

for (const host of isEmbedded ? (['kept', 'replaced'] as const) : [])
  test(`the embedded store, its Host header ${host}, is named by STORAGE_PUBLIC_URL`, async () => {
    const storePort = await freePort();
    await worksFromOutside(storePort, host, (url) => ({
      STORAGE_PORT: `${storePort}`,
      STORAGE_PUBLIC_URL: url,
    }));
  });

if (!isEmbedded && !engines.includes('files'))
  test.skip('a bucket is named by S3_PUBLIC_ENDPOINT', 'none of these engines holds files');
else
  test('a bucket is named by S3_PUBLIC_ENDPOINT, while the service reaches it elsewhere', async () => {
    const bucket = isEmbedded ? await standInBucket() : await ownEngines();
    try {
      const { S3_ENDPOINT = '' } = bucket.settings;
      await worksFromOutside(Number(new URL(S3_ENDPOINT).port), 'kept', (url) => ({
        ...bucket.settings,
        S3_PUBLIC_ENDPOINT: url,
      }));
    } finally {
      await bucket.close();
    }
  });

/** The embedded store of another service: it speaks S3. */
const standInBucket = async (): Promise<OwnEngines> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-bucket-'));
  const credentials = { accessKeyId: 'proxied', secretAccessKey: 'secret-of-tests' };
  const place = { bucket: 'behind', region: 'eu-central-1', credentials };
  const bucket = await embeddedObjects({ ...place, folder, port: 0, clock: systemClock });
  return {
    settings: {
      MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
      S3_ENDPOINT: bucket.url,
      S3_BUCKET: place.bucket,
      S3_REGION: place.region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    close: async () => {
      await bucket.close();
      rmSync(folder, { recursive: true });
    },
  };
};
