import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient, type Job, verifyWebhook } from '../client/index.ts';
import {
  createTenant,
  inviteOperator,
  type Secrets,
  type Server,
  type Settings,
  startServer,
  type Tenant,
} from './demo/intake.ts';
import { startLogInPage } from './demo/logInPage.ts';
import { ANN, accept, join as joins, OPERATOR } from './demo/people.ts';
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
import { answerOf, fillWorld, publishInvoices, WORLD_SETTINGS } from './demo/world/world.ts';
import { print } from './named.ts';
import { type Receiver, receiverSettings, startReceiver } from './receiver.ts';

// What the service does for its users, then its proofs and their limits: `npm run demo`, or `npm run demo --
// --keep` to leave the service running, with documents that wait for people in its console.
const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });

/** What was started, in its order: it is ended in the other one. */
const closing: (() => unknown)[] = [];
/** Whether everything was shown, and the service waits for its end. */
let isKept = false;

/** What keeps the demo from its start, in a sentence for who started it. */
class CannotStart extends Error {}

const main = async (): Promise<void> => {
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve('interrupted'));
  });
  try {
    const how = await Promise.race([demonstrate(), interrupted]);
    if (how !== 'interrupted' && isKept) print('The service has ended.');
    if (how === 'interrupted' && !isKept) process.exitCode = 130;
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    for (const close of closing.reverse()) await close();
  }
};

const demonstrate = async (): Promise<void> => {
  const port = await portOf(process.env.PORT || '0');
  const folder = mkdtempSync(join(tmpdir(), 'intake-demo-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const receiver = await startReceiver({ answer: answerOf });
  closing.push(receiver.close);
  const settings = settingsIn(folder, receiver, port);
  // Before the service, which would report on the first screen that it made the data folder.
  const tenant = await createTenant(settings, 'Demo Ltd', writeDefinition(folder));
  const invited = await inviteOperator(settings, OPERATOR.email);
  if (values.keep) await publishInvoices(settings, tenant.companyId, folder);
  const starting = startServer(settings);
  closing.push(() => starting.then(({ stop }) => stop()));
  const server = await starting;
  const place = { url: server.url, companyId: tenant.companyId };
  const operator = await accept(place, OPERATOR, invited);
  const founders = { operator, reviewer: await joins(place, operator, ANN) };
  const api = createClient({ url: server.url, key: tenant.key });
  const stage = { api, webhookUrl: `${receiver.url}/webhooks`, reviewer: founders.reviewer };
  const { webhooks, corrected, names } = await showReceipts(stage, folder);
  await showWebhooks(receiver, tenant, webhooks, names);
  print(`\nThe service runs at ${server.url}, its data is in ${server.data}`);
  print(await proofsOf(settings, corrected.submissionId, join(folder, 'evidence.zip')));
  print(`demo ok: ${names.size} submissions, ${webhooks} webhooks verified`);
  if (values.keep) await keep(server, tenant, () => fillWorld(place, founders, api, receiver.url));
};

/**
 * That of the setting, or for 0 one that nobody listens on: invitations name it, so the service can't choose
 * its own. Throws `CannotStart`: the service would fail later, and beside all that the demo says.
 */
const portOf = async (text: string): Promise<number> => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new CannotStart(
      `PORT is ${text}: it must be a number from 0 to 65535. Without it the demo takes a free one.`,
    );
  const server = createServer().listen(Number(text), '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'is in use' : `can't be used (${error.code})`;
    throw new CannotStart(
      `Port ${text} on 127.0.0.1 ${why}. Set PORT to another, or leave it out: the demo then takes a free one.`,
    );
  });
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const settingsIn = (folder: string, receiver: Receiver, port: number): Settings => ({
  PORT: String(port),
  STORAGE_PORT: '0',
  DATA_DIR: join(folder, 'data'),
  // A cookie of the console belongs to a host, and nobody's mail server or provider is asked for the demo's
  // people.
  ...{ HOST: '127.0.0.1', PUBLIC_URL: '', SMTP_URL: '', PASSWORD_LOGIN: 'on' },
  ...{ OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '' },
  ...(values.keep ? WORLD_SETTINGS : {}),
  EVIDENCE_KEY: process.env.EVIDENCE_KEY || randomBytes(32).toString('base64'),
  LOG_LEVEL: 'warn',
  ...receiverSettings(receiver, folder),
});

type Shown = Readonly<{ webhooks: number; corrected: Job; names: ReadonlyMap<string, string> }>;

/** Four receipts: one is read, one comes as a PDF, one is a copy, one needs a person. */
const showReceipts = async (stage: Stage, folder: string): Promise<Shown> => {
  const names = new Map<string, string>();
  const sent = async (path: string): Promise<Job> => {
    const job = await send(stage, path);
    names.set(job.submissionId, basename(path));
    return job;
  };
  print('Four receipts come in; reading them takes some seconds.\n');
  const picture = samplePath('receipt.jpg');
  const original = await sent(picture);
  const pdf = await sent(samplePath('receipt.pdf'));
  const stained = await sent(samplePath('receipt-stained.png'));

  const read = await processed(stage, original, 'approved');
  const copy = await sent(await writeCopy(picture, folder));
  print('receipt.jpg was read and approved:');
  showFields(read);
  const fromPdf = await processed(stage, pdf, 'approved');
  print(`\nreceipt.pdf was read and approved: total ${readValue(fromPdf, 'total')}`);
  const doubtful = await processed(stage, stained, 'review');
  await approveCorrected(stage, stained, { total: 19 });
  print(`\nreceipt-stained.png needed a person, since its total is stained: ${readValue(doubtful, 'total')}`);
  print(`  ${stage.reviewer.name} (${stage.reviewer.userId}), a reviewer, corrected it to 19 and approved`);
  await processed(stage, copy, 'review');
  print('\nreceipt-again.jpg, a smaller copy of the first one with other bytes, is a duplicate:');
  const matches = await rejectDuplicate(stage, copy, names);
  print(`  ${stage.reviewer.name} confirmed it and rejected the copy`);
  return { webhooks: names.size + matches + 2, corrected: stained, names };
};

const showWebhooks = async (
  receiver: Receiver,
  { webhookSecret, standardWebhooksSecret }: Secrets,
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
    const { body, headers } = request;
    await verifyWebhook(body, headers, webhookSecret);
    const { eventType, submissionId } = await verifyWebhook(body, headers, standardWebhooksSecret);
    seen.add(String(headers['x-webhook-id']));
    const line = `  ${eventType.padEnd(32)}  ${names.get(submissionId ?? '')}`;
    lines.set(line, (lines.get(line) ?? 0) + 1);
  }
  for (const [line, times] of lines) print(times === 1 ? line : `${line} (${times}, one for each match)`);
};

const keep = async (
  server: Server,
  { key, companyId }: Tenant,
  fill: () => ReturnType<typeof fillWorld>,
): Promise<void> => {
  print(
    '\nThe service keeps running. More documents come in, which need a person; this takes half a minute.',
  );
  const page = await startLogInPage({ url: server.url, companyId }, await fill());
  closing.push(page.close);
  print(`For programs:  curl -s -H 'Authorization: Bearer ${key}' ${server.url}/api/v1/submissions`);
  print(`Open the console, a click logs you in:  ${page.url}`);
  print('End it with Ctrl-C; its data is removed then.');
  isKept = true;
  await server.ended;
};

await main();
