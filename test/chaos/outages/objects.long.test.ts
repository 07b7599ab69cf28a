import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../kernel/clock.ts';
import { embeddedObjects } from '../../../stores/objects/embedded.ts';
import { outageTests } from './stage.ts';

const credentials = { accessKeyId: 'outage-key', secretAccessKey: 'outage-secret' };
const place = { bucket: 'intake', region: 'us-east-1' };

outageTests('objects', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-outage-'));
  const { url, close } = await embeddedObjects({
    ...place,
    credentials,
    folder,
    port: 0,
    clock: systemClock,
  });
  return {
    port: Number(new URL(url).port),
    settingsAt: (port) => ({
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      // Clients come by another way than the service does.
      S3_PUBLIC_ENDPOINT: url,
      S3_BUCKET: place.bucket,
      S3_REGION: place.region,
      S3_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }),
    refused: { settings: { S3_BUCKET: 'missing' }, says: /store-misconfigured.*missing/ },
    close: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
