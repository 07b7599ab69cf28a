import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type Job } from '../../client/index.ts';
import { receiptDefinition } from '../../test/support/definition.ts';
import { createTenant, intake, type Settings } from '../demo/intake.ts';

/**
 * What there is to hit: keys of every kind (the first one is the right one), session tokens, and identifiers
 * by parameter.
 */
export type World = Readonly<{
  companyId: string;
  keys: readonly string[];
  tokens: readonly string[];
  credentials: Readonly<{ email: string; password: string }>;
  invitations: readonly string[];
  ids: Readonly<Record<string, readonly (string | number)[]>>;
}>;

const SENT = 40;

/** Fills a running service: a company with a workflow, keys of every kind, and submissions in every state. */
export const prepareWorld = async (
  settings: Settings,
  folder: string,
  url: string,
  webhookUrl: string,
): Promise<World> => {
  const file = join(folder, 'receipt.workflow.json');
  const fraud = { checks: ['duplicate_file', 'duplicate_data'], businessKey: ['company', 'total'] };
  writeFileSync(file, JSON.stringify({ ...receiptDefinition, processing: { review: 'always', fraud } }));
  const { companyId, key } = await createTenant(settings, 'ACME', file);
  const answer = async (...args: readonly string[]) => JSON.parse(await intake(settings, ...args, '--json'));
  const unscoped = await answer('key', 'create', '--unscoped');
  const test = await answer('key', 'create', '--company', companyId, '--test');
  const revoked = await answer('key', 'create', '--company', companyId);
  await answer('key', 'revoke', revoked.id);
  const api = createClient({ url, key });
  const jobs: Job[] = [];
  // All wait for a reviewer; each total comes twice, and the second one is blocked by a fraud match.
  for (let index = 0; index < SENT; index += 1) {
    const receipt = join(folder, `receipt-${index}.json`);
    const content = { company: 'ACME Trading', date: '2018-03-12', total: index >> 1 };
    writeFileSync(receipt, JSON.stringify(content));
    jobs.push(await api.submit('receipt', [receipt], { webhookUrl, clientSubmissionId: `fuzz-${index}` }));
  }
  const pending = await Promise.all(
    Array.from({ length: SENT / 2 }, () =>
      api.post('/api/v1/workflows/{slug}/sessions', {
        path: { slug: 'receipt' },
        body: { batchRef: 'fuzz', webhookUrl },
      }),
    ),
  );
  const all = [...jobs, ...pending];
  return {
    companyId,
    keys: [key, unscoped.key, test.key, revoked.key, `aok_${'0'.repeat(64)}`],
    ...(await preparePeople(answer, url)),
    ids: {
      slug: ['receipt'],
      version: [1],
      sessionId: all.map(({ sessionId }) => sessionId),
      submissionId: all.map(({ submissionId }) => submissionId),
      batchRef: ['fuzz'],
      logInId: [],
      matchId: [],
      eventId: [],
      code: ['not-found', 'unavailable'],
    },
  };
};

type Answer = (...args: readonly string[]) => Promise<Readonly<{ token: string }>>;

/** A super_admin who is logged in, and invitations that nobody has used. */
const preparePeople = async (
  answer: Answer,
  url: string,
): Promise<Pick<World, 'tokens' | 'credentials' | 'invitations'>> => {
  const credentials = { email: 'fuzz@example.com', password: 'correct horse battery staple' };
  const post = async (path: string, body: object): Promise<Readonly<{ token: string }>> => {
    const headers = { 'content-type': 'application/json' };
    const answered = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answered.ok) throw new Error(`${path} was answered ${answered.status}: ${await answered.text()}`);
    return (await answered.json()) as Readonly<{ token: string }>;
  };
  const invite = async (email: string): Promise<string> =>
    (await answer('invite', '--email', email, '--role', 'super_admin')).token;
  const { password } = credentials;
  await post('/api/invitation/complete', { token: await invite(credentials.email), password });
  const { token } = await post('/api/auth/sessions', credentials);
  const invitations = [await invite('first@example.com'), await invite('second@example.com')];
  return { tokens: [token], credentials, invitations };
};
