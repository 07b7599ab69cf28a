import { type S3Settings, s3ObjectStore } from '../../stores/objects/s3.ts';
import { suite } from '../harness.ts';
import { engineFor } from '../support/engines.ts';
import { freePort } from '../support/freePort.ts';
import type { ObjectsUnderTest } from './objects/stage.ts';
import { objectContract } from './objects.ts';

const open = async (settings: Readonly<Record<string, string>>): Promise<ObjectsUnderTest> => {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = settings;
  const base: S3Settings & { endpoint: string } = {
    endpoint: settings.S3_ENDPOINT ?? '',
    bucket: settings.S3_BUCKET ?? '',
    region: settings.S3_REGION || 'us-east-1',
    pathStyle: settings.S3_PATH_STYLE !== 'false',
    credentials: { accessKeyId, secretAccessKey },
  };
  const stores = {
    store: s3ObjectStore(base),
    missing: s3ObjectStore({ ...base, bucket: 'missing-bucket' }),
    stranger: s3ObjectStore({ ...base, credentials: { accessKeyId, secretAccessKey: 'stranger' } }),
    away: s3ObjectStore({ ...base, endpoint: `http://127.0.0.1:${await freePort()}` }),
  };
  return {
    ...stores,
    bucket: base.bucket,
    endpoint: base.endpoint,
    secrets: [accessKeyId, secretAccessKey],
    close: async () => {
      await Promise.all(Object.values(stores).map((store) => store.close()));
    },
  };
};

const engine = engineFor('s3');
if (typeof engine === 'string') suite('objects: S3').skip('the whole contract', engine);
else objectContract('S3', async () => open(await engine()));
