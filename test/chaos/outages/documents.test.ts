import { MONGODB_URL, NO_SERVER, ownDatabase } from '../../contract/mongodbDocuments/server.ts';
import { suite } from '../../harness.ts';
import { outageTests } from './stage.ts';

if (MONGODB_URL === undefined) suite('an outage of the documents').skip('all of it', NO_SERVER);
else
  outageTests('documents', async () => {
    const { url, end } = await ownDatabase();
    const { port, pathname } = new URL(url);
    return {
      port: Number(port || 27_017),
      settingsAt: (at) => ({ MONGODB_URL: `mongodb://127.0.0.1:${at}${pathname}?directConnection=true` }),
      refused: {
        settings: { MASTER_KEY: Buffer.alloc(32, 8).toString('base64') },
        says: /store-misconfigured.*MASTER_KEY/,
      },
      close: end,
    };
  });
