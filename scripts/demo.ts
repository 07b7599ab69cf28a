import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from '../cli/table.ts';
import { createTenant, intake, type Server, type Settings, startServer, type Tenant } from './demo/intake.ts';
import { type Integration, integration, type Job, textOf } from './demo/integration.ts';
import { type Secrets, verify } from './demo/verify.ts';
import { type Receiver, startReceiver } from './receiver.ts';

// The product's main job, done for real: `npm run demo`, or `npm run demo -- --keep` to leave the service running.
const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });

type Row = Readonly<{
  id: string;
  clientSubmissionId: string;
  submissionStatus: string;
  confidence: number | null;
  extractedData: Readonly<Record<string, unknown>> | null;
}>;

const samples = fileURLToPath(new URL('../../scripts/samples/', import.meta.url));
const documents = [
  { file: 'receipt.jpg', mimeType: 'image/jpeg', ends: 'approved' },
  { file: 'receipt.pdf', mimeType: 'application/pdf', ends: 'approved' },
  { file: 'receipt-stained.png', mimeType: 'image/png', ends: 'review' },
] as const;
const WEBHOOKS = documents.length + 1;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-demo-'));
  const receiver = await startReceiver();
  const ca = join(folder, 'receiver.pem');
  writeFileSync(ca, receiver.ca);
  const settings: Settings = {
    PORT: '0',
    STORAGE_PORT: '0',
    DATA_DIR: join(folder, 'data'),
    EVIDENCE_KEY: process.env.EVIDENCE_KEY || randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
    WEBHOOK_EGRESS: 'any',
    WEBHOOK_RESOLVE: 'receiver.example=127.0.0.1',
    WEBHOOK_CA: ca,
  };
  const server = await startServer(settings);
  say(`the service runs at ${server.url}, its data is in ${server.data}`);
  try {
    const { tenant, api } = await prepare(settings, server);
    const jobs = await sendAll(api, receiver);
    await finish(api, jobs);
    const verified = await verifyAll(receiver, tenant);
    const reviewed = jobs.at(-1) as Job;
    await show(api, settings, reviewed);
    await prove(settings, join(folder, 'evidence.zip'), reviewed);
    say(`demo ok: ${jobs.length} submissions, ${verified} webhooks verified`);
    if (values.keep) await keep(server, tenant);
  } finally {
    await server.stop();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const prepare = async (settings: Settings, server: Server): Promise<{ tenant: Tenant; api: Integration }> => {
  const tenant = await createTenant(settings, 'Demo Ltd', join(samples, 'receipt.workflow.json'));
  say(`made the company ${tenant.companyId}, published the workflow receipt, made the key ${tenant.keyId}`);
  return { tenant, api: integration(server.url, tenant.key) };
};

const sendAll = async (api: Integration, receiver: Receiver): Promise<readonly Job[]> => {
  const jobs: Job[] = [];
  for (const { file, mimeType } of documents) {
    const path = join(samples, file);
    if (!existsSync(path)) throw new Error(`the sample ${path} is missing`);
    jobs.push(await api.send(path, mimeType, `${receiver.url}/webhooks`, file));
    say(`sent ${file}: a session, one PUT into object storage, one submit`);
  }
  return jobs;
};

/** Waits for every job, and approves the one that needs a person. */
const finish = async (api: Integration, jobs: readonly Job[]): Promise<void> => {
  for (const [index, { sessionId, submissionId }] of jobs.entries()) {
    const document = documents[index] as (typeof documents)[number];
    const job = await finished(api, sessionId, document.file);
    say(`${document.file} is processed: ${job.submissionStatus}`);
    if (job.submissionStatus !== document.ends) {
      throw new Error(`${document.file} should have ended as ${document.ends}: ${JSON.stringify(job)}`);
    }
    if (document.ends !== 'review') continue;
    const { reviewReasons } = await api.get<{
      reviewReasons: readonly { code: string; field: string | null }[];
    }>(`/submissions/${submissionId}`);
    const reasons = reviewReasons.map(({ code, field }) => (field ? `${code} (${field})` : code));
    await api.post(`/submissions/${submissionId}/approve`, { actor: 'demo', comment: 'looked at the paper' });
    say(`it needed a person because of ${reasons.join(', ')}: approved`);
  }
};

const finished = async (api: Integration, sessionId: string, file: string): Promise<Job> => {
  const started = performance.now();
  for (let looks = 0; ; looks += 1) {
    const job = await api.get<Job>(`/jobs/${sessionId}`);
    if (!['pending', 'queued', 'processing'].includes(job.state)) return job;
    const seconds = Math.round((performance.now() - started) / 1000);
    if (seconds > 60) throw new Error(`${file} was not processed within a minute: ${JSON.stringify(job)}`);
    if (looks % 10 === 9) say(`… ${file} is ${job.state} (${seconds} s)`);
    await sleep(200);
  }
};

const verifyAll = async (receiver: Receiver, secrets: Secrets): Promise<number> => {
  const seen = new Set<string>();
  while (seen.size < WEBHOOKS) {
    const request = await receiver.waitFor(
      ({ headers }) => !seen.has(String(headers['x-webhook-id'])),
      30_000,
    );
    const { eventType, submissionId } = verify(request, secrets);
    seen.add(String(request.headers['x-webhook-id']));
    say(`webhook ${eventType} for ${submissionId}: both signatures hold`);
  }
  return seen.size;
};

const show = async (api: Integration, settings: Settings, reviewed: Job): Promise<void> => {
  const { data } = await api.get<{ data: readonly Row[] }>('/submissions');
  const columns = {
    id: ({ id }: Row) => id,
    file: ({ clientSubmissionId }: Row) => clientSubmissionId,
    status: ({ submissionStatus }: Row) => submissionStatus,
    confidence: ({ confidence }: Row) => confidence?.toFixed(2) ?? null,
    company: ({ extractedData }: Row) => textOf(extractedData?.company),
    date: ({ extractedData }: Row) => textOf(extractedData?.date),
    total: ({ extractedData }: Row) => textOf(extractedData?.total),
  };
  say(`\nThe submissions:\n${table(data, columns)}`);
  say(
    `\nThe event stream of ${reviewed.submissionId}:\n${await intake(settings, 'audit', reviewed.submissionId)}`,
  );
};

/** Exports evidence of a submission, and verifies it as somebody would who has nothing but the package and the public key. */
const prove = async (settings: Settings, path: string, { submissionId }: Job): Promise<void> => {
  const { publicKey } = JSON.parse(await intake(settings, 'audit', 'key', '--json')) as { publicKey: string };
  await intake(settings, 'audit', 'export', submissionId, '--out', path);
  const key = `${path}.pem`;
  writeFileSync(key, publicKey);
  say(`Its evidence, exported and verified:\n${await intake({}, 'audit', 'verify', path, '--key', key)}`);
};

const keep = async (server: Server, { key }: Tenant): Promise<void> => {
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  say('The service goes on running. Try:');
  say(`  curl -s ${authorization} ${server.url}/api/v1/workflows`);
  say(`  curl -s ${authorization} '${server.url}/api/v1/submissions?status=approved&limit=2'`);
  say(`  curl -s ${authorization} -X POST ${server.url}/api/v1/workflows/receipt/sessions`);
  say('End it with Ctrl-C.');
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve('stopped'));
  });
  const how = await Promise.race([stopped, server.ended]);
  // Ctrl-C in a terminal reaches the service, too, which may be the quicker one.
  if (how !== 'stopped') say('The service has ended.');
};

await main();
