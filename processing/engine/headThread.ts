import { parentPort } from 'node:worker_threads';
import { typeOf } from '../read/sniff.ts';
import type { Head } from './headSniffer.ts';

/** A thread that sniffs heads of files, one at a time. An error ends it. */
parentPort?.on('message', async ({ bytes, declared }: Head) => {
  parentPort?.postMessage(await typeOf(Buffer.from(bytes), declared, { cut: true }));
});
