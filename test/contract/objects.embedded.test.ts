import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../kernel/clock.ts';
import { embeddedObjects } from '../../stores/objects/embedded/server.ts';
import { s3ObjectStore } from '../../stores/objects/s3.ts';
import { freePort } from '../support/freePort.ts';
import type { ObjectsUnderTest } from './objects/stage.ts';
import { objectContract } from './objects.ts';

const credentials = { accessKeyId: 'contract-key', secretAccessKey: 'contract-secret' };
const place = { bucket: 'contract', region: 'us-east-1', credentials };

const open = async (): Promise<ObjectsUnderTest> => {
  const folder = await mkdtemp(join(tmpdir(), 'intake-objects-'));
  const embedded = await embeddedObjects({ ...place, folder, port: 0, clock: systemClock });
  const base = { ...place, endpoint: embedded.url, pathStyle: true, isEmbedded: true };
  const stores = {
    store: s3ObjectStore(base),
    missing: s3ObjectStore({ ...base, bucket: 'missing-bucket' }),
    stranger: s3ObjectStore({ ...base, credentials: { ...credentials, secretAccessKey: 'stranger' } }),
    away: s3ObjectStore({ ...base, endpoint: `http://127.0.0.1:${await freePort()}` }),
  };
  return {
    ...stores,
    bucket: place.bucket,
    endpoint: embedded.url,
    secrets: Object.values(credentials),
    close: async () => {
      await Promise.all(Object.values(stores).map((store) => store.close()));
      await embedded.close();
      await rm(folder, { recursive: true });
    },
  };
};

objectContract('embedded', open);
