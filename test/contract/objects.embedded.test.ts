import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../kernel/clock.ts';
import { embeddedObjects } from '../../stores/objects/embedded.ts';
import type { ObjectsUnderTest } from './objects/stage.ts';
import { objectContract } from './objects.ts';

const credentials = { accessKeyId: 'contract-key', secretAccessKey: 'contract-secret' };
const settings = { bucket: 'contract', region: 'us-east-1', credentials, port: 0, clock: systemClock };

const open = async (): Promise<ObjectsUnderTest> => {
  const folder = await mkdtemp(join(tmpdir(), 'intake-objects-'));
  const gone = await mkdtemp(join(tmpdir(), 'intake-objects-'));
  const stores = await Promise.all(
    [folder, gone].map((one) => embeddedObjects({ ...settings, folder: one })),
  );
  const [store, unavailable] = stores.map(({ objects }) => objects);
  await rm(gone, { recursive: true });
  if (!store || !unavailable) throw new Error('two stores were opened');
  return {
    ...{ store, unavailable, named: 'the folder of the object store', secrets: Object.values(credentials) },
    close: async () => {
      await Promise.all(stores.map(({ close }) => close()));
      await rm(folder, { recursive: true });
    },
  };
};

objectContract('embedded', open);
