import * as assert from 'uvu/assert';
import { rounds } from '../../harness.ts';
import type { Client, Reply } from '../../support/client.ts';

/** No answer takes longer, whatever is away; in a short run other tests have most of the machine. */
const ANSWERED_MS = rounds(15_000, 10_000);

const PAUSE_MS = rounds(200, 50);

/**
 * The answer to a call, which must be one of these, or a 503 that says when to come again; and come in time.
 */
const inTime = async (call: Promise<Reply>, allowed: number): Promise<Reply> => {
  const started = performance.now();
  const reply = await call;
  const took = performance.now() - started;
  assert.ok(took < ANSWERED_MS, `${reply.status} after ${Math.round(took)} ms`);
  assert.ok([allowed, 503].includes(reply.status), reply.text);
  if (reply.status === 503) assert.ok(reply.headers.get('retry-after'), reply.text);
  return reply;
};

/**
 * Opens, lists and submits sessions again and again, one call after the other; gives the sessions that were
 * acknowledged.
 */
export const traffic = async (
  api: Client,
  isStopped: () => boolean,
): Promise<readonly { sessionId: string }[]> => {
  const acknowledged: { sessionId: string }[] = [];
  while (!isStopped()) {
    const { status, body } = await inTime(api.post('/api/v1/workflows/receipt/sessions'), 201);
    if (status === 201) acknowledged.push(body);
    await inTime(api.get('/api/v1/submissions'), 200);
    // They have no files: what submits refuse, they have looked at in the object store.
    for (const session of acknowledged.slice(-3)) await inTime(api.submit(session), 422);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return acknowledged;
};
