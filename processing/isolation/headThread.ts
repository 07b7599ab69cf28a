import { parentPort } from 'node:worker_threads';
import { typeOfHead } from '../read/sniff.ts';

/** A thread that judges the beginnings of strangers' files, one at a time. One that it fails on ends it. */
parentPort?.on('message', async (head: Uint8Array) => {
  parentPort?.postMessage(await typeOfHead(Buffer.from(head)));
});
