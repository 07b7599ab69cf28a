import { startStandIn } from './standIn.ts';

// `node dist/test/standIn/standIn.process.js [port]`: a stand-in of an EventStoreDB until SIGTERM; prints its
// connection string.
const standIn = await startStandIn({ port: Number(process.argv[2] ?? 0) });
process.stdout.write(`${standIn.connectionString}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, async () => {
    await standIn.stop();
    process.exit(0);
  });
