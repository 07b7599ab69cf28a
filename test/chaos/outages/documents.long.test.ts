import { onServer, ownDatabase } from '../../contract/mongodbDocuments/server.ts';
import { outageTests } from './stage.ts';

onServer('an outage of the documents', () =>
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
  }),
);
