import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../runtime/clock.ts';
import { embeddedObjects } from '../../stores/objects/embedded/server.ts';
import { s3ObjectStore } from '../../stores/objects/s3.ts';
import { type ObjectsUnderTest, objectContract } from './objects.ts';

const credentials = { accessKeyId: 'contract-key', secretAccessKey: 'contract-secret' };
const place = { bucket: 'contract', region: 'us-east-1', credentials };

/** An address of this machine where nobody listens. */
const deadEndpoint = (): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(`http://127.0.0.1:${port}`));
    });
  });

const open = async (): Promise<ObjectsUnderTest> => {
  const folder = await mkdtemp(join(tmpdir(), 'intake-objects-'));
  const embedded = await embeddedObjects({ ...place, folder, port: 0, clock: systemClock });
  const base = { ...place, endpoint: embedded.url, pathStyle: true };
  const stores = {
    store: s3ObjectStore(base),
    missing: s3ObjectStore({ ...base, bucket: 'missing-bucket' }),
    stranger: s3ObjectStore({ ...base, credentials: { ...credentials, secretAccessKey: 'stranger' } }),
    away: s3ObjectStore({ ...base, endpoint: await deadEndpoint() }),
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
