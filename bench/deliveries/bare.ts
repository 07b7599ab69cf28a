import { createEgress } from '../../outbound/egress.ts';
import { createSender } from '../../outbound/send.ts';
import { deliveryHeaders } from '../../outbound/sign.ts';
import { AT_ONCE, type Burst, RECEIVERS } from './burst.ts';
import type { Sink } from './sink.ts';
import { BODY, liveUrl, SECRET } from './stage.ts';

/** The same bytes, signed and sent by nothing but undici, with no record of anything. */
export const bareLoop = async (sink: Sink, count: number): Promise<Burst> => {
  const resolve = new Map(
    Array.from({ length: RECEIVERS }, (_, n) => [new URL(liveUrl(sink, n)).hostname, ['127.0.0.1']]),
  );
  const egress = createEgress({ egress: 'any', resolve, ca: sink.ca });
  const sender = createSender(egress);
  const send = async (n: number): Promise<void> => {
    const signable = { eventId: `bare-${n}`, eventType: 'session.completed', body: BODY, at: new Date() };
    const { error } = await sender.send({
      url: liveUrl(sink, n % RECEIVERS),
      headers: deliveryHeaders(signable, [SECRET]),
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
  return { perSecond, used: { cpuMs: (user + system) / 1_000 / count, bytes: 0, writes: 0 } };
};
