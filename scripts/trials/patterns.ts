import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../client/index.ts';
import type { Server, Settings } from '../demo/intake.ts';
import { print } from '../named.ts';
import { inReview } from './inReview.ts';
import { admitted, folderOf, whileServed } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'approvals whose corrections can hardly be checked against their patterns, and who waits for them';

const SLUG = 'patterns-trial';
const FIELDS = Array.from({ length: 40 }, (_, index) => `field${index}`);
const APPROVALS = 100;
/** Documents sent at once while approvals are prepared. */
const AT_ONCE = 5;
const SECONDS = 10;
const GOAL_MS = 50;

/**
 * Measures a client that reads and approves, alone and then while two companies repeat approvals whose
 * corrections backtrack for ever (two clients with 40 fields, one with 10). True when its 99th percentile
 * stays within 50 ms.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const folder = folderOf(options);
  try {
    return await whileServed(folder.settings, (server) => measure(server, folder.settings, folder.path));
  } finally {
    folder.remove();
  }
};

const measure = async (server: Server, settings: Settings, path: string): Promise<boolean> => {
  const [good, many, serial] = [
    await admitted(settings, path, workflow),
    await admitted(settings, path, workflow),
    await admitted(settings, path, workflow),
  ].map(({ key }) => clientOf(server.url, key));
  if (!good || !many || !serial) throw new Error('three companies are needed');
  const alone = await usual(good, await queued(good));
  const [first, second, reviewed] = [await many.inReview(), await serial.inReview(), await queued(good)];
  const over = new AbortController();
  const attacks = [
    attack(many, first, FIELDS, over.signal),
    attack(many, first, FIELDS, over.signal),
    attack(serial, second, FIELDS.slice(0, 10), over.signal),
  ];
  const attacked = await usual(good, reviewed);
  over.abort();
  const answered = (await Promise.all(attacks)).reduce((sum, count) => sum + count, 0);
  print(
    `${'milliseconds'.padEnd(32)}${['reads', 'median', 'p99', 'approvals', 'median', 'p99'].map(cell).join('')}`,
  );
  print(`${'alone'.padEnd(32)}${cells(alone)}`);
  print(`${`under attack (${answered} answered)`.padEnd(32)}${cells(attacked)}`);
  const worst = Math.max(quantile(attacked.reads, 0.99), quantile(attacked.approvals, 0.99));
  const isReached = worst <= GOAL_MS;
  print(`p99 under attack: ${worst.toFixed(0)} ms, goal ${GOAL_MS} ms: ${isReached ? 'reached' : 'MISSED'}`);
  return isReached;
};

const workflow = {
  slug: SLUG,
  name: 'Patterns that backtrack',
  upload: {
    minFiles: 1,
    maxFiles: 1,
    acceptedFormats: ['application/json'],
    fileLabels: ['data'],
    maxFileSizeMb: 1,
  },
  outputSchema: FIELDS.map((name) => ({
    ...{ name, required: false, type: 'string' },
    validation: { pattern: '^(\\w+\\s?)*$' },
  })),
  processing: { extractor: 'json', review: 'always' },
};

const clientOf = (url: string, key: string) => {
  const intake = createClient({ url, key });
  const members = Object.fromEntries(FIELDS.map((name) => [name, 'fine']));
  return {
    read: (id: string, signal: AbortSignal) =>
      fetch(`${url}/api/v1/submissions/${id}`, { headers: { authorization: `Bearer ${key}` }, signal }),
    approve: (id: string, corrections: object, signal: AbortSignal) =>
      fetch(`${url}/api/v1/submissions/${id}/approve`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ corrections }),
        signal,
      }),
    /** Sends a document and gives its submission's identifier once it is in review. */
    inReview: (): Promise<string> => inReview(intake, SLUG, {}, members),
  };
};
type Client = ReturnType<typeof clientOf>;

const queued = async (client: Client): Promise<readonly string[]> => {
  const ids: string[] = [];
  while (ids.length < APPROVALS)
    ids.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => client.inReview()))));
  return ids;
};

/**
 * Milliseconds that each read and each approval took. One that is not answered at the end has
 * taken as long as it was waited for.
 */
type Taken = Readonly<{ reads: readonly number[]; approvals: readonly number[] }>;

const usual = async (client: Client, ids: readonly string[]): Promise<Taken> => {
  const over = AbortSignal.timeout(SECONDS * 1_000);
  const corrections = Object.fromEntries(FIELDS.map((name) => [name, 'all is well']));
  const repeat = async (list: readonly string[], call: (id: string) => Promise<Response>) => {
    const taken: number[] = [];
    for (const id of list) {
      if (over.aborted) break;
      const started = performance.now();
      await call(id)
        .then((response) => response.text())
        .catch((error: unknown) => {
          if (!over.aborted) throw error;
        });
      taken.push(performance.now() - started);
      await sleep((SECONDS * 900) / list.length);
    }
    return taken;
  };
  const reads = Array.from({ length: 1_000 }, (_, index) => ids[index % ids.length] ?? '');
  const [ofReads, ofApprovals] = await Promise.all([
    repeat(reads, (id) => client.read(id, over)),
    repeat(ids, (id) => client.approve(id, corrections, over)),
  ]);
  return { reads: ofReads, approvals: ofApprovals };
};

/**
 * Approves with values that were never sent before, one request after the other, until the signal is aborted;
 * gives how many were answered.
 */
const attack = async (
  client: Client,
  id: string,
  fields: readonly string[],
  signal: AbortSignal,
): Promise<number> => {
  let answered = 0;
  while (!signal.aborted) {
    const seed = `${'a'.repeat(40)}${Math.random().toString(36).slice(2)}`;
    const corrections = Object.fromEntries(fields.map((name) => [name, `${seed}${name}!`]));
    await client
      .approve(id, corrections, signal)
      .then((response) => response.text())
      .then(() => {
        answered += 1;
      })
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
  }
  return answered;
};

const quantile = (taken: readonly number[], share: number): number =>
  [...taken].sort((a, b) => a - b)[Math.ceil(taken.length * share) - 1] ?? 0;

const cells = ({ reads, approvals }: Taken): string =>
  [reads, approvals]
    .flatMap((taken) => [taken.length, quantile(taken, 0.5).toFixed(1), quantile(taken, 0.99).toFixed(1)])
    .map(cell)
    .join('');

const cell = (value: string | number): string => String(value).padStart(12);
