import { setTimeout as sleep } from 'node:timers/promises';
import { createTenant } from '../../scripts/demo/intake.ts';
import { WORKFLOW } from '../service.ts';
import { AT_ONCE, RECEIVERS } from './burst.ts';
import { liveUrl, type Stage } from './stage.ts';

/**
 * From the events of the service itself to the arrival of their webhooks, in ms: so many submissions a second
 * are cancelled over HTTP, after `warm` others: a service that has just started is slower, and has no
 * connections yet.
 */
export const latencies = async (
  { settings, server, sink }: Stage,
  rate: number,
  seconds: number,
  warm: number,
): Promise<readonly number[]> => {
  const { key } = await createTenant(settings, 'Bench', WORKFLOW);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<Readonly<Record<string, string>>> => {
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}/api/v1/${path}`, request);
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Readonly<Record<string, string>>;
  };
  const cancel = async (n: number): Promise<void> => {
    const webhookUrl = liveUrl(sink, n % RECEIVERS);
    const files = [{ mimeType: 'image/jpeg', fileSize: 123_456 }];
    const { submissionId } = await post('workflows/receipt/sessions', { files, webhookUrl });
    await post(`submissions/${submissionId}/cancel`, { reason: 'of no use' });
  };
  const atOnce = Math.min(AT_ONCE, warm);
  for (let n = 0; n < warm; n += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, more) => cancel(n + more)));
  await sleep(1_000);
  const known = new Set((await sink.arrivals()).keys());
  const start = performance.now();
  const cancelled: Promise<void>[] = [];
  for (let n = 0; n < rate * seconds; n += 1) {
    await sleep(Math.max(0, start + (n * 1_000) / rate - performance.now()));
    cancelled.push(cancel(n));
  }
  await Promise.all(cancelled);
  await sleep(1_000);
  const arrivals = [...(await sink.arrivals())].filter(([id]) => !known.has(id));
  const missing = Array.from({ length: rate * seconds - arrivals.length }, () => Number.POSITIVE_INFINITY);
  return [...arrivals.map(([, { at, occurredAt }]) => at - occurredAt), ...missing];
};
