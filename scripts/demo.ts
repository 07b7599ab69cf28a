import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createTenant, type Server, type Settings, startServer, type Tenant } from './demo/intake.ts';
import { integration, type Job } from './demo/integration.ts';
import { proofsOf } from './demo/proofs.ts';
import {
  approveCorrected,
  processed,
  readValue,
  rejectDuplicate,
  type Stage,
  samplePath,
  send,
  showFields,
  writeCopy,
  writeDefinition,
} from './demo/receipts.ts';
import { type Secrets, verify } from './demo/verify.ts';
import { print } from './named.ts';
import { type Receiver, receiverSettings, startReceiver } from './receiver.ts';

// What the service does for its users, then its proofs and their limits: `npm run demo`, or `npm run demo --
// --keep` to leave the service running.
const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-demo-'));
  const receiver = await startReceiver();
  try {
    await demonstrate(folder, receiver);
  } finally {
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const demonstrate = async (folder: string, receiver: Receiver): Promise<void> => {
  const settings = settingsIn(folder, receiver);
  // Before the service, which would report on the first screen that it made the data folder.
  const tenant = await createTenant(settings, 'Demo Ltd', writeDefinition(folder));
  const server = await startServer(settings);
  try {
    const stage = { api: integration(server.url, tenant.key), webhookUrl: `${receiver.url}/webhooks` };
    const { webhooks, corrected, names } = await showReceipts(stage, folder);
    await showWebhooks(receiver, tenant, webhooks, names);
    print(`\nThe service runs at ${server.url}, its data is in ${server.data}`);
    print(await proofsOf(settings, corrected.submissionId, join(folder, 'evidence.zip')));
    print(`demo ok: ${names.size} submissions, ${webhooks} webhooks verified`);
    if (values.keep) await keep(server, tenant);
  } finally {
    await server.stop();
  }
};

const settingsIn = (folder: string, receiver: Receiver): Settings => ({
  PORT: '0',
  STORAGE_PORT: '0',
  DATA_DIR: join(folder, 'data'),
  EVIDENCE_KEY: process.env.EVIDENCE_KEY || randomBytes(32).toString('base64'),
  LOG_LEVEL: 'warn',
  ...receiverSettings(receiver, folder),
});

type Shown = Readonly<{ webhooks: number; corrected: Job; names: ReadonlyMap<string, string> }>;

/** Four receipts: one is read, one comes as a PDF, one is a copy, one needs a person. */
const showReceipts = async (stage: Stage, folder: string): Promise<Shown> => {
  const names = new Map<string, string>();
  const sent = async (path: string, mimeType: string): Promise<Job> => {
    const job = await send(stage, path, mimeType);
    names.set(job.submissionId, basename(path));
    return job;
  };
  print('Four receipts come in; reading them takes some seconds.\n');
  const picture = samplePath('receipt.jpg');
  const original = await sent(picture, 'image/jpeg');
  const pdf = await sent(samplePath('receipt.pdf'), 'application/pdf');
  const stained = await sent(samplePath('receipt-stained.png'), 'image/png');

  const read = await processed(stage, original, 'approved');
  const copy = await sent(await writeCopy(picture, folder), 'image/jpeg');
  print('receipt.jpg was read and approved:');
  showFields(read);
  const fromPdf = await processed(stage, pdf, 'approved');
  print(`\nreceipt.pdf was read and approved: total ${readValue(fromPdf, 'total')}`);
  const doubtful = await processed(stage, stained, 'review');
  await approveCorrected(stage, stained, { total: 19 });
  print(`\nreceipt-stained.png needed a person, since its total is stained: ${readValue(doubtful, 'total')}`);
  print('  a reviewer corrected it to 19 and approved');
  await processed(stage, copy, 'review');
  print('\nreceipt-again.jpg, a smaller copy of the first one with other bytes, is a duplicate:');
  const matches = await rejectDuplicate(stage, copy, names);
  print('  a reviewer confirmed it and rejected the copy');
  return { webhooks: names.size + matches + 2, corrected: stained, names };
};

const showWebhooks = async (
  receiver: Receiver,
  secrets: Secrets,
  count: number,
  names: ReadonlyMap<string, string>,
): Promise<void> => {
  print(`\nThe integration got ${count} webhooks, and verified both signatures of each:`);
  const seen = new Set<string>();
  const lines = new Map<string, number>();
  while (seen.size < count) {
    const request = await receiver.waitFor(
      ({ headers }) => !seen.has(String(headers['x-webhook-id'])),
      30_000,
    );
    const { eventType, submissionId } = verify(request, secrets);
    seen.add(String(request.headers['x-webhook-id']));
    const line = `  ${eventType.padEnd(32)}  ${names.get(submissionId)}`;
    lines.set(line, (lines.get(line) ?? 0) + 1);
  }
  for (const [line, times] of lines) print(times === 1 ? line : `${line} (${times}, one for each match)`);
};

const keep = async (server: Server, { key }: Tenant): Promise<void> => {
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  print('The service keeps running. Try:');
  print(`  curl -s ${authorization} ${server.url}/api/v1/workflows`);
  print(`  curl -s ${authorization} '${server.url}/api/v1/submissions?status=approved&limit=2'`);
  print(`  curl -s ${authorization} -X POST ${server.url}/api/v1/workflows/receipt/sessions`);
  print('End it with Ctrl-C.');
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve('stopped'));
  });
  const how = await Promise.race([stopped, server.ended]);
  // Ctrl-C in a terminal reaches the service, too, which may be the quicker one.
  if (how !== 'stopped') print('The service has ended.');
};

await main();
