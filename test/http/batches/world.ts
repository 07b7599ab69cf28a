import * as assert from 'uvu/assert';
import { eventually } from '../../harness.ts';
import { type Client, receiptText } from '../../support/client.ts';
import { receiptDefinition } from '../../support/definition.ts';
import type { TestService } from '../../support/service.ts';

/** How old the newest session must be in these tests. */
export const GRACE_MS = 300;
export const settings = { BATCH_GRACE: `${GRACE_MS}ms`, SWEEP: '1s' };

export type World = Awaited<ReturnType<typeof makeWorld>>;

export const batchOf = async (api: Client, batchRef: string) => {
  const { status, body, text } = await api.get(`/api/v1/batches/${batchRef}`);
  assert.is(status, 200, text);
  return body;
};

export const completion = (api: Client, batchRef: string) =>
  eventually(
    `the completion of ${batchRef}`,
    async () => {
      const batch = await batchOf(api, batchRef);
      return batch.status === 'completed' && batch;
    },
    20_000,
  );

/**
 * A company with two keys, whose submissions all go to review, and batches in two stages: `first` and `after`
 * are how the batches stood after each, when sweeps had passed that would have completed what was due.
 */
export const makeWorld = async (service: TestService) => {
  const { id, api, key } = await service.company({ ...receiptDefinition, processing: { review: 'always' } });
  const second = await service.key(id);
  const hook = (path: string): string => `${service.receiver.url}${path}`;
  const open = (batchRef: string) => api.open([receiptText()], { batchRef });
  const process = (batchRef: string, path?: string, by: Client = api) =>
    by.process([receiptText()], { batchRef, ...(path === undefined ? {} : { webhookUrl: hook(path) }) });
  const cancel = (session: { submissionId: string }) =>
    api.post(`/api/v1/submissions/${session.submissionId}/cancel`);
  const snapshot = async (passing: string) => {
    // What completes a batch that was opened later has looked at all the others, too.
    await process(passing);
    await completion(api, passing);
    const names = ['told', 'once', 'held', 'left', 'stays', 'empty', 'silent'] as const;
    const batches = await Promise.all(names.map((name) => batchOf(api, name)));
    return Object.fromEntries(names.map((name, index) => [name, batches[index]]));
  };

  const told = async () => {
    // However slow this machine is: the batch must not complete between its sessions.
    const session = await open('told');
    await process('told', '/older');
    await process('told', '/newest', second.api);
    await process('told');
    await cancel(session);
  };
  const withOpen = async (batchRef: string) => {
    const session = await open(batchRef);
    await process(batchRef);
    return session;
  };
  const [held, left, once, silent] = await Promise.all([
    withOpen('held'),
    withOpen('left'),
    process('once', '/once'),
    process('silent'),
    told(),
    process('stays').then(cancel),
    api.open([], { batchRef: 'empty', webhookUrl: hook('/left') }).then(cancel),
  ]);
  const first = await snapshot('passing.1');
  await Promise.all([api.submit(held), cancel(left), process('once', '/once')]);
  await completion(api, 'held');
  const after = await snapshot('passing.2');
  return { api, id, key, second, process, open, once, silent, first, after };
};
