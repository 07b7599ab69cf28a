import { setTimeout } from 'node:timers/promises';
import { suite } from '../harness.ts';
import { documentStoreContract } from './documents.ts';
import { MONGODB_URL, NO_SERVER, ownDatabase } from './mongodbDocuments/server.ts';

const NAME = 'documents in MongoDB';

if (MONGODB_URL === undefined) suite(NAME).skip('the contract', NO_SERVER);
else
  documentStoreContract(NAME, async () => {
    const { open, end } = await ownDatabase();
    return { open: async () => open(), pass: (ms) => setTimeout(ms + 50), end };
  });
