import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { receiptDefinition } from '../../test/support/definition.ts';
import { createTenant, intake, type Settings } from '../demo/intake.ts';
import { integration, type Job } from '../demo/integration.ts';

/** What there is to hit: keys of every kind (the first one is the right one), and identifiers by parameter. */
export type World = Readonly<{
  keys: readonly string[];
  tokens: readonly string[];
  ids: Readonly<Record<string, readonly (string | number)[]>>;
}>;

const SENT = 24;

/** Fills a running service: a company with a workflow, keys of every kind, and submissions in every state. */
export const prepareWorld = async (
  settings: Settings,
  folder: string,
  url: string,
  webhookUrl: string,
): Promise<World> => {
  const file = join(folder, 'receipt.workflow.json');
  const fraud = { checks: ['duplicate_file', 'duplicate_data'], businessKey: ['company', 'total'] };
  writeFileSync(file, JSON.stringify({ ...receiptDefinition, processing: { reviewBelow: 0.5, fraud } }));
  const { companyId, key } = await createTenant(settings, 'ACME', file);
  const answer = async (...args: readonly string[]) => JSON.parse(await intake(settings, ...args, '--json'));
  const unscoped = await answer('key', 'create', '--unscoped');
  const test = await answer('key', 'create', '--company', companyId, '--test');
  const revoked = await answer('key', 'create', '--company', companyId);
  await answer('key', 'revoke', revoked.id);
  const api = integration(url, key);
  const jobs: Job[] = [];
  // Each total comes twice: the second one waits for a reviewer.
  for (let index = 0; index < SENT; index += 1) {
    const receipt = join(folder, `receipt-${index}.json`);
    const content = { company: 'ACME Trading', date: '2018-03-12', total: index >> 1 };
    writeFileSync(receipt, JSON.stringify(content));
    jobs.push(await api.send(receipt, 'application/json', webhookUrl, `fuzz-${index}`));
  }
  const pending = await Promise.all(
    Array.from({ length: SENT / 2 }, () =>
      api.post<Job>('/workflows/receipt/sessions', { batchRef: 'fuzz', webhookUrl }),
    ),
  );
  const all = [...jobs, ...pending];
  return {
    keys: [key, unscoped.key, test.key, revoked.key, `aok_${'0'.repeat(64)}`],
    tokens: [],
    ids: {
      slug: ['receipt'],
      version: [1],
      sessionId: all.map(({ sessionId }) => sessionId),
      submissionId: all.map(({ submissionId }) => submissionId),
      batchRef: ['fuzz'],
      matchId: [],
      eventId: [],
      code: ['not-found', 'unavailable'],
    },
  };
};
