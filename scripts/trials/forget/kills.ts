import { setTimeout as sleep } from 'node:timers/promises';
import type { Received } from '../../receiver.ts';
import { type Callers, type Victim, victims } from './killed.ts';
import type { Finds } from './look.ts';
import { type Subject, until } from './subjects.ts';
import type { World } from './world.ts';

const KINDS = ['one', 'several', 'person'] as const;

/**
 * Redacts a submission, all submissions of a person, and somebody who works in it, by turns: first without a
 * kill, which says how long each takes, then with the service killed within each, at moments that are spread
 * evenly over it. Gives what is left of them.
 */
export const killWithin = async (
  world: World,
  callers: Callers,
  kills: number,
  say: (line: string) => void,
) => {
  const left: Finds = new Map();
  const subjects: Subject[] = [];
  const usualMs = { one: 0, several: 0, person: 0 };
  const turns = Math.ceil(kills / KINDS.length);
  for (let round = -KINDS.length; round < kills; round += 1) {
    const kind = KINDS[(round + KINDS.length) % KINDS.length] ?? 'one';
    const victim = await victims[kind](callers);
    const started = performance.now();
    const moment = round < 0 ? null : (usualMs[kind] * (Math.floor(round / KINDS.length) + 0.5)) / turns;
    if (moment === null) await victim.request();
    else await killDuring(world, victim, moment);
    await victim.done();
    if (moment === null) usualMs[kind] = performance.now() - started;
    subjects.push(...victim.subjects);
    for (const [place, names] of await world.forgotten(victim.plants.all()))
      left.set(place, new Set([...(left.get(place) ?? []), ...names]));
    const what = moment === null ? 'without a kill' : `killed after ${Math.round(moment)} ms`;
    say(`redaction ${round + 1} of ${kills}, ${kind}, ${what}: ${left.size} places hold something`);
  }
  return { left, subjects };
};

/** Whoever had no answer asks again. */
const killDuring = async (world: World, { request }: Victim, ms: number): Promise<void> => {
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
