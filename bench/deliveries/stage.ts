import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemContext } from '../../commands/handle.ts';
import { webhookDelivery, webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import type { Core } from '../../runtime/wire.ts';
import { type Server, startServer } from '../../scripts/demo/intake.ts';
import { deliveryFacts } from '../../test/controls/events.ts';
import { openCoreOf } from '../../test/support/core.ts';
import { fillLog } from '../filledLog.ts';
import { SINK_HOST, type Sink, startSink } from './sink.ts';
import { usageOf } from './usage.ts';

/** What each webhook sends: as many bytes as a receipt's. */
export const BODY = JSON.stringify({ result: 'x'.repeat(525) });
export const SECRET = 'f'.repeat(64);
const COMPANIES = 4;

/** A service, a receiver, and submissions whose webhooks are requested in the log beside the service. */
export type Stage = Readonly<{
  server: Server;
  sink: Sink;
  /** Requests the webhook of another submission; gives its identifier. */
  request(url: string): Promise<string>;
  /** How many of all deliveries the read models show as delivered. */
  delivered(): Promise<number>;
  end(): Promise<void>;
}>;

/** The address of live receivers: each number is an origin of its own. */
export const liveUrl = ({ live }: Sink, n: number): string => `https://r${n}.${SINK_HOST}:${live}/hook`;
/** The address of receivers that never answer. */
export const deadUrl = ({ dead }: Sink, n: number): string => `https://r${n}.${SINK_HOST}:${dead}/hook`;

/** Starts all; there are so many submissions, and so many receivers have a name. */
export const openStage = async (submissions: number, receivers: number): Promise<Stage> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-deliveries-'));
  const sink = await startSink();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, sink.ca);
  const settings = {
    ...{ PORT: '0', STORAGE_PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', RATE_LIMIT: '0' },
    ...{ WEBHOOK_EGRESS: 'any', WEBHOOK_CA: ca },
    WEBHOOK_RESOLVE: Array.from({ length: receivers }, (_, n) => `r${n}.${SINK_HOST}=127.0.0.1`).join(','),
  };
  const core = await openCoreOf(settings);
  const request = await requester(core, submissions);
  const server = await startServer(settings);
  await untilIdle(server.pid);
  return {
    ...{ server, sink, request },
    delivered: () => core.documents.models.count('deliveries', { status: 'delivered' }),
    end: async () => {
      await server.stop();
      await core.close();
      await sink.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const requester = async (core: Core, submissions: number): Promise<Stage['request']> => {
  const companies = Array.from({ length: COMPANIES }, () => core.ids.ulid());
  const owned: Readonly<{ submissionId: string; companyId: string; keyId: string }>[] = [];
  for (const ulid of companies) {
    const facts = { companyId: `cmp_${ulid}`, keyId: `key_${ulid}` };
    const row = { ...facts, mode: 'live', hash: SECRET, revokedAt: null, lastUsedAt: null } as const;
    await core.credentials.add(row);
    const filled = await fillLog(core.log, Math.ceil(submissions / COMPANIES), facts, false);
    owned.push(...filled.map((submissionId) => ({ ...facts, submissionId })));
  }
  // The companies take turns.
  const each = owned.length / COMPANIES;
  let requested = 0;
  return async (url) => {
    const n = requested++;
    const own = owned[(n % COMPANIES) * each + Math.floor(n / COMPANIES)];
    if (!own) throw new Error('there are no more submissions');
    const eventId = core.ids.event();
    const facts = { ...deliveryFacts, ...own, mode: 'live', eventId } as const;
    const command = { type: 'RequestDelivery', facts, url, body: BODY } as never;
    await core.handle(
      webhookDelivery,
      webhookDeliveryStream(eventId),
      command,
      systemContext('bench', core.ids),
    );
    return eventId;
  };
};

/** Read models and reactors have then caught up with what was filled in. */
const untilIdle = async (pid: number): Promise<void> => {
  for (let before = -IDLE_MS; ; ) {
    const { cpuMs } = usageOf(pid);
    if (cpuMs - before < IDLE_MS / 10) return;
    before = cpuMs;
    await sleep(IDLE_MS);
  }
};

const IDLE_MS = 500;

/** Waits until `done`. Throws after so many seconds. */
export const until = async (done: () => Promise<boolean>, seconds: number): Promise<void> => {
  for (const end = performance.now() + seconds * 1_000; !(await done()); await sleep(10))
    if (performance.now() > end) throw new Error(`it was not done after ${seconds} s`);
};
