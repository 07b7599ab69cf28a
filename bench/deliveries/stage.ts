import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemContext } from '../../commands/handle.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { webhookDelivery, webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import { groupBy } from '../../kernel/groupBy.ts';
import { interleave } from '../../kernel/interleave.ts';
import { checkpointOf } from '../../reactors/engine/runner.ts';
import type { Core } from '../../runtime/wire.ts';
import { type Server, type Settings, startServer } from '../../scripts/demo/intake.ts';
import { deliveryFacts } from '../../test/controls/events.ts';
import { openCoreOf } from '../../test/support/core.ts';
import { fillLog } from '../filledLog.ts';
import { serviceSettings } from '../service.ts';
import { SINK_HOST, type Sink, startSink } from './sink.ts';
import { usageOf } from './usage.ts';

/** What each webhook sends: as many bytes as a receipt's. */
export const BODY = JSON.stringify({ result: 'x'.repeat(525) });
export const SECRET = 'f'.repeat(64);
const COMPANIES = 4;
/** For bursts that don’t fall to the companies in equal parts. */
const MAX_SPARE = 100;

/** A service, a receiver, and submissions whose webhooks are requested in the log beside the service. */
export type Stage = Readonly<{
  settings: Settings;
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

/**
 * Starts all; there are so many submissions, and so many receivers have a name. `executable`: another build's
 * `dist/cli/intake.js`.
 */
export const openStage = async (
  submissions: number,
  receivers: number,
  executable?: string,
): Promise<Stage> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-deliveries-'));
  const sink = await startSink();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, sink.ca);
  const settings = {
    ...serviceSettings(join(folder, 'data')),
    ...{ WEBHOOK_EGRESS: 'any', WEBHOOK_CA: ca },
    WEBHOOK_RESOLVE: Array.from({ length: receivers }, (_, n) => `r${n}.${SINK_HOST}=127.0.0.1`).join(','),
    ...(executable === undefined ? {} : { INTAKE_EXECUTABLE: executable }),
  };
  const core = await openCoreOf(settings);
  const filled = await fill(core, submissions);
  const server = await startServer(settings);
  const request = requester(core, await withWebhooks(core, filled));
  await untilIdle(server.pid);
  return {
    ...{ settings, server, sink, request },
    delivered: () => core.documents.models.count('deliveries', { status: 'delivered' }),
    end: async () => {
      await server.stop();
      await core.close();
      await sink.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

type Owned = Readonly<{ submissionId: string; companyId: string; keyId: string }>;

/**
 * Submissions of several companies in turns. Each has a webhook of its own, which only the bench requests.
 */
const fill = async (core: Core, submissions: number): Promise<readonly Owned[]> => {
  const owned: (readonly Owned[])[] = [];
  for (let n = 0; n < COMPANIES; n += 1) {
    const ulid = core.ids.ulid();
    const facts = { companyId: `cmp_${ulid}`, keyId: `key_${ulid}` };
    const row = { ...facts, mode: 'live', hash: SECRET, revokedAt: null, lastUsedAt: null } as const;
    await core.credentials.add(row);
    const count = Math.ceil(submissions / COMPANIES);
    const filled = await fillLog(core.log, count + Math.min(count, MAX_SPARE), facts, true, false);
    owned.push(filled.map((submissionId) => ({ ...facts, submissionId })));
  }
  const { leases, models } = core.documents;
  const fence = await leases.take('bench', core.owner, 10_000);
  const head = await core.log.head();
  if (head) await models.commit([], { [checkpointOf({ name: 'requestDeliveries' })]: head }, fence);
  await leases.release(fence);
  return interleave(owned);
};

/** The submissions and, of each, its last event, which its webhook reports. */
const withWebhooks = (core: Core, owned: readonly Owned[]) =>
  Promise.all(
    owned.map(async (own) => {
      const { events } = await core.log.load(submissionStream(own.submissionId));
      return { ...own, eventId: events.at(-1)?.id ?? '' };
    }),
  );

const requester = (core: Core, filled: Awaited<ReturnType<typeof withWebhooks>>): Stage['request'] => {
  // A receiver belongs to one company, as in reality: each is one lane.
  const ofCompany = [...groupBy(filled, ({ companyId }) => companyId).values()].map((own) => [...own]);
  return async (url) => {
    const own = ofCompany[Number(/^https:\/\/r(\d+)/.exec(url)?.[1]) % COMPANIES]?.shift();
    if (!own) throw new Error('there are no more submissions');
    const { eventId } = own;
    const facts = { ...deliveryFacts, ...own, mode: 'live' } as const;
    const command = { type: 'RequestDelivery', facts, url, body: BODY } as never;
    const context = systemContext('bench', core.ids);
    await core.handle(webhookDelivery, webhookDeliveryStream(eventId), command, context);
    return eventId;
  };
};

/** Read models and reactors have then caught up with what was filled in. */
export const untilIdle = async (pid: number): Promise<void> => {
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
