import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createEgress } from '../outbound/egress.ts';
import { createSender } from '../outbound/send.ts';
import { deliveryHeaders } from '../outbound/sign.ts';
import { print } from '../scripts/named.ts';
import { BODY, deadUrl, liveUrl, openStage, SECRET, type Stage, until } from './deliveries/stage.ts';
import { type Usage, usageOf, usedFor } from './deliveries/usage.ts';
import { judge, median, type Row } from './measure.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'webhooks: deliveries a second, what each costs, and receivers that are dead';

const RECEIVERS = 16;
const AT_ONCE = 64;
const P8 = {
  figure: 'P8',
  what: 'deliveries, each recorded durably',
  yardstick: 'a bare signed undici loop',
} as const;
const COST = { figure: 'P8', yardstick: '-', isAtMost: true } as const;
/** Every fifth webhook goes to a dead receiver. */
const DEAD_EACH = 5;

/**
 * Measures, in turns, the service and a bare loop that signs and sends the same bytes; then webhooks one by
 * one, `--rate` a second (10); then bursts with and without dead receivers. `--deliveries N` of each burst
 * (default 2,000), `--rounds N` (5). Needs Linux, which counts what a process writes. Its rows are those of P8 and P9.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { values } = parseArgs({
    args: [...options],
    options: {
      deliveries: { type: 'string', default: '2000' },
      rounds: { type: 'string', default: '5' },
      rate: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '30' },
    },
  });
  const [count, rounds, rate, seconds] = [values.deliveries, values.rounds, values.rate, values.seconds].map(
    Number,
  ) as [number, number, number, number];
  const stage = await openStage(count * (rounds * 3 + 1) + rate * seconds, RECEIVERS * 2);
  try {
    await burst(stage, count / 4, () => liveUrl(stage.sink, 0)); // to warm up
    const rows = await costs(stage, count, rounds);
    const prompt = seconds === 0 ? [] : await latency(stage, rate, seconds);
    return [...rows, ...prompt, ...(await besideDead(stage, count, rounds))];
  } finally {
    await stage.end();
  }
};

type Burst = Readonly<{ perSecond: number; used: Usage }>;

/** Requests so many webhooks at once, until all to live receivers have arrived and are recorded. */
const burst = async (stage: Stage, count: number, url: (n: number) => string): Promise<Burst> => {
  const { server, sink } = stage;
  const [before, delivered, arrived] = [usageOf(server.pid), await stage.delivered(), await sink.count()];
  const start = performance.now();
  let begun = 0;
  let live = 0;
  const requesting = async (): Promise<void> => {
    while (begun < count) {
      const to = url(begun++);
      if (!to.includes(`:${sink.dead}/`)) live += 1;
      await stage.request(to);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, requesting));
  await until(async () => (await sink.count()) - arrived >= live, 120);
  const elapsed = performance.now() - start;
  await until(async () => (await stage.delivered()) - delivered >= live, 120);
  return { perSecond: (live * 1_000) / elapsed, used: usedFor(live, before, usageOf(server.pid)) };
};

const costs = async (stage: Stage, count: number, rounds: number): Promise<readonly Row[]> => {
  const bursts: Burst[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await bareLoop(stage, count);
    const ours = await burst(stage, count, (n) => liveUrl(stage.sink, n % RECEIVERS));
    bursts.push(ours);
    ratios.push(bare.cpuMs / ours.used.cpuMs);
    print(
      `round ${round + 1}: ${Math.round(ours.perSecond)}/s, ${show(ours.used)}; bare ${Math.round(bare.perSecond)}/s, ${bare.cpuMs.toFixed(3)} ms`,
    );
  }
  const middle = (pick: (one: Burst) => number): number => median(bursts.map(pick));
  const [perSecond, cpuMs, bytes] = [
    middle((one) => one.perSecond),
    middle(({ used }) => used.cpuMs),
    middle(({ used }) => used.bytes),
  ];
  const ratio = median(ratios);
  return [
    judge({ ...P8, goal: 0.35 }, ratio, 'by processor time'),
    judge({ ...P8, yardstick: '-', goal: 1_000, unit: '/s' }, perSecond),
    judge({ ...COST, what: 'processor time of a delivery', goal: 1, unit: 'ms' }, cpuMs),
    judge({ ...COST, what: 'bytes written for a delivery', goal: 20, unit: 'kB' }, bytes / 1_000),
  ];
};

const show = ({ cpuMs, bytes, writes }: Usage): string =>
  `${cpuMs.toFixed(2)} ms, ${(bytes / 1_000).toFixed(1)} kB in ${writes.toFixed(1)} writes each`;

/** The same bytes, signed and sent by nothing but undici, with no record of anything. */
const bareLoop = async ({ sink }: Stage, count: number) => {
  const resolve = new Map(
    Array.from({ length: RECEIVERS }, (_, n) => [new URL(liveUrl(sink, n)).hostname, ['127.0.0.1']]),
  );
  const egress = createEgress({ egress: 'any', resolve, ca: sink.ca });
  const sender = createSender(egress);
  const send = async (n: number): Promise<void> => {
    const signable = { eventId: `bare-${n}`, eventType: 'session.completed', body: BODY, at: new Date() };
    const { error } = await sender.send({
      url: liveUrl(sink, n % RECEIVERS),
      headers: deliveryHeaders(signable, SECRET),
      body: BODY,
    });
    if (error !== null) throw new Error(error);
  };
  let begun = 0;
  const sending = async (until: number): Promise<void> => {
    while (begun < until) await send(begun++);
  };
  const sendAll = (until: number) => Promise.all(Array.from({ length: AT_ONCE }, () => sending(until)));
  await sendAll(count / 4);
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  await sendAll(count / 4 + count);
  const { user, system } = process.cpuUsage(cpu);
  const perSecond = (count * 1_000) / (performance.now() - start);
  await egress.close();
  return { perSecond, cpuMs: (user + system) / 1_000 / count };
};

/** From the event that requests a webhook to its arrival, at so many a second. */
const latency = async (stage: Stage, rate: number, seconds: number): Promise<readonly Row[]> => {
  const requested = new Map<string, number>();
  const start = performance.now();
  for (let n = 0; n < rate * seconds; n += 1) {
    await sleep(Math.max(0, start + (n * 1_000) / rate - performance.now()));
    const at = performance.timeOrigin + performance.now();
    requested.set(await stage.request(liveUrl(stage.sink, n % RECEIVERS)), at);
  }
  await sleep(1_000);
  const arrivals = await stage.sink.arrivals();
  const took = [...requested].map(([id, at]) => (arrivals.get(id) ?? Number.POSITIVE_INFINITY) - at);
  const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN;
  const what = `p99 from event to arrival at ${rate}/s`;
  return [judge({ ...COST, what, goal: 10, unit: 'ms' }, p99, `p50 ${median(took).toFixed(1)} ms`)];
};

/** A fifth as many again go to dead receivers, which may not slow the live ones. */
const besideDead = async (stage: Stage, count: number, rounds: number): Promise<readonly Row[]> => {
  const { sink } = stage;
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const alone = await burst(stage, count, (n) => liveUrl(sink, n % RECEIVERS));
    const beside = await burst(stage, count, (n) =>
      n % DEAD_EACH === 0 ? deadUrl(sink, RECEIVERS + (n % RECEIVERS)) : liveUrl(sink, n % RECEIVERS),
    );
    ratios.push(beside.perSecond / alone.perSecond);
    print(
      `round ${round + 1}: ${Math.round(beside.perSecond)}/s live beside dead ones, ${Math.round(alone.perSecond)}/s alone`,
    );
  }
  const what = 'deliveries to live receivers beside 20 % dead ones';
  return [judge({ figure: 'P9', what, yardstick: 'without the dead ones', goal: 0.95 }, median(ratios))];
};
