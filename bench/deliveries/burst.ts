import { deadUrl, liveUrl, type Stage, until } from './stage.ts';
import { type Usage, usageOf, usedFor } from './usage.ts';

export const RECEIVERS = 16;
/** A fifth of all receivers. */
export const DEAD_RECEIVERS = 4;
export const AT_ONCE = 64;

/** What a burst showed: live deliveries a second, and what each has used. */
export type Burst = Readonly<{ perSecond: number; used: Usage }>;

/**
 * Requests so many webhooks, until all to live receivers have arrived and are recorded; beside them `dead`
 * ones to receivers that never answer.
 */
export const burst = async (
  { server, sink, ...stage }: Stage,
  live: number,
  dead = 0,
  receivers = DEAD_RECEIVERS,
): Promise<Burst> => {
  const urls = Array.from({ length: live }, (_, n) => liveUrl(sink, n % RECEIVERS));
  for (let n = dead; n > 0; n -= 1)
    urls.splice(Math.floor((n * live) / dead), 0, deadUrl(sink, RECEIVERS + (n % receivers)));
  const [before, delivered, arrived] = [usageOf(server.pid), await stage.delivered(), await sink.count()];
  const start = performance.now();
  const requesting = async (): Promise<void> => {
    for (let url = urls.shift(); url !== undefined; url = urls.shift()) await stage.request(url);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, requesting));
  await until(async () => (await sink.count()) - arrived >= live, 120);
  const elapsed = performance.now() - start;
  await until(async () => (await stage.delivered()) - delivered >= live, 120);
  return { perSecond: (live * 1_000) / elapsed, used: usedFor(live, before, usageOf(server.pid)) };
};
