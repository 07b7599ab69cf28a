import { setTimeout as sleep } from 'node:timers/promises';
import type { Received } from '../../receiver.ts';
import type { Finds } from './look.ts';
import { createPlants } from './planted.ts';
import { type Caller, type Subject, submitted, until } from './subjects.ts';
import type { World } from './world.ts';

/** The request of each redaction. */
export const REQUEST = { reason: 'article 17', legalBasis: 'erasure_request', requestedBy: 'ticket 4711' };

/** Waits until a redaction is done. */
export const redacted = (key: Caller, { submissionId }: Subject): Promise<true> =>
  until(`the redaction of ${submissionId}`, async () => {
    const { redaction } = await key.get(`/api/v1/submissions/${submissionId}`);
    return redaction === 'done';
  });

/**
 * Redacts one submission after the other, and kills the service at a moment within each but the first, which
 * says how long one takes. Gives what is left of them.
 */
export const killWithin = async (world: World, key: Caller, kills: number, say: (line: string) => void) => {
  const left: Finds = new Map();
  const subjects: Subject[] = [];
  let usualMs = 0;
  for (let round = 0; round <= kills; round += 1) {
    const plants = createPlants();
    const input = { address: `${world.receiver.url}/hooks`, batchRef: plants.text('batchRef') };
    const subject = await submitted(key, plants, 'killed', input);
    const started = performance.now();
    const request = () => key.post(`/api/v1/submissions/${subject.submissionId}/redact`, REQUEST);
    if (round === 0) await request();
    else await killDuring(world, request, Math.random() * usualMs);
    await redacted(key, subject);
    usualMs ||= performance.now() - started;
    subjects.push(subject);
    for (const [place, names] of await world.forgotten(plants.all()))
      left.set(place, new Set([...(left.get(place) ?? []), ...names]));
    say(`redaction ${round} of ${kills} with a kill: ${left.size} places hold something`);
  }
  return { left, subjects };
};

/** Whoever had no answer asks again. */
const killDuring = async (world: World, request: () => Promise<unknown>, ms: number): Promise<void> => {
  const isAnswered = request().then(
    () => true,
    () => false,
  );
  await sleep(ms);
  await world.kill();
  await world.start();
  if (!(await isAnswered)) await request();
};

/** Each redaction that is not told of under one identifier, once for its address. */
export const notToldOnce = async (
  requests: readonly Received[],
  subjects: readonly Subject[],
): Promise<readonly string[]> => {
  const idsOf = ({ submissionId }: Subject) =>
    new Set(
      requests
        .filter(({ path, headers }) => path.startsWith('/hooks') && headers['x-webhook-event'] === REDACTED)
        .filter(({ body }) => body.includes(submissionId))
        .map(({ headers }) => headers['x-webhook-id']),
    );
  for (const subject of subjects) await until('the last webhooks', async () => idsOf(subject).size > 0);
  return subjects
    .filter((subject) => idsOf(subject).size !== 1)
    .map((subject) => `${subject.submissionId} is told of under ${idsOf(subject).size} identifiers`);
};

const REDACTED = 'submission.redacted';
