import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../kernel/clock.ts';
import { embeddedObjects } from '../../stores/objects/embedded.ts';
import { type S3Settings, s3ObjectStore } from '../../stores/objects/s3/store.ts';
import { suite } from '../harness.ts';
import { engineFor } from '../support/engines.ts';
import { freePort } from '../support/freePort.ts';
import type { ObjectsUnderTest } from './objects/stage.ts';
import { remoteTests } from './objects/trouble.ts';
import { objectContract } from './objects.ts';

const open = async (
  settings: Readonly<Record<string, string>>,
  ended: () => Promise<void> = async () => undefined,
): Promise<ObjectsUnderTest> => {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = settings;
  const base: S3Settings & { endpoint: string } = {
    endpoint: settings.S3_ENDPOINT ?? '',
    bucket: settings.S3_BUCKET ?? '',
    region: settings.S3_REGION || 'us-east-1',
    pathStyle: settings.S3_PATH_STYLE !== 'false',
    credentials: { accessKeyId, secretAccessKey },
  };
  const remote = {
    missing: s3ObjectStore({ ...base, bucket: 'missing-bucket' }),
    stranger: s3ObjectStore({ ...base, credentials: { accessKeyId, secretAccessKey: 'stranger' } }),
  };
  const stores = {
    store: s3ObjectStore(base),
    unavailable: s3ObjectStore({ ...base, endpoint: `http://127.0.0.1:${await freePort()}` }),
  };
  return {
    ...stores,
    remote: { ...remote, endpoint: base.endpoint },
    named: base.bucket,
    secrets: [accessKeyId, secretAccessKey],
    close: async () => {
      await Promise.all(Object.values({ ...stores, ...remote }).map((store) => store.close()));
      await ended();
    },
  };
};

const engine = engineFor('s3');
if (typeof engine === 'string') suite('objects: S3').skip('the whole contract', engine);
else objectContract('S3', async () => open(await engine()), [remoteTests]);

objectContract('S3, at the embedded endpoint', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'intake-objects-'));
  const credentials = { accessKeyId: 'contract-key', secretAccessKey: 'contract-secret' };
  const bucket = { bucket: 'contract', region: 'us-east-1', credentials };
  const { url, close } = await embeddedObjects({ ...bucket, folder, port: 0, clock: systemClock });
  const settings = {
    S3_ENDPOINT: url,
    S3_BUCKET: bucket.bucket,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  return open(settings, async () => {
    await close();
    await rm(folder, { recursive: true });
  });
}, [remoteTests]);
