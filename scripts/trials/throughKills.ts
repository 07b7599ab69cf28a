import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IntakeClient } from '../../client/index.ts';
import { executable, type Settings } from '../demo/intake.ts';
import type { Killable } from './served.ts';

type Came = Readonly<{ id: string; type: string; submissionId: string; body: string; accepted: boolean }>;

const SLOWEST_MS = 40;
/** Every so many events the first attempt is answered 500. */
const REFUSED_EVERY = 40;

/** What came of events that a command sent on, while it and the service were killed. */
export type Receiver = Readonly<{ url: string; came: readonly Came[]; close(): Promise<void> }>;

/** A receiver on this machine, which refuses an event now and then. */
export const startLaptop = async (): Promise<Receiver> => {
  const came: Came[] = [];
  const known = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    // Whoever sent it was killed.
    if (body === null) return;
    const { eventType: type, submissionId } = JSON.parse(body);
    const id = String(request.headers['x-webhook-id']);
    const isRefused = !known.has(id) && (known.size + 1) % REFUSED_EVERY === 0;
    known.add(id);
    came.push({ id, type, submissionId, body, accepted: !isRefused });
    // Often enough it is here that its sender is killed.
    await sleep(Math.random() * SLOWEST_MS);
    response.writeHead(isRefused ? 500 : 204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    came,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** `intake listen` with an account in its settings. */
export const killableListener = (settings: Settings, forwardTo: string): Killable => {
  let child: ChildProcess | null = null;
  return {
    start: async () => {
      const words = [executable(settings), 'listen', '--json', '--forward-to', forwardTo];
      const stdio = ['ignore', 'ignore', 'pipe'] as const;
      child = spawn(process.execPath, words, { env: { ...process.env, ...settings }, stdio: [...stdio] });
      // It has said where it starts.
      if (child.stderr) await once(child.stderr, 'data');
      child.stderr?.resume();
    },
    kill: async () => {
      child?.kill('SIGKILL');
      if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      child = null;
    },
  };
};

const CONTENT = new Blob([JSON.stringify({ note: 'nothing to see' })], { type: 'application/json' });

/**
 * Sends documents to a workflow whose documents wait for a person, and approves each: two events. It ends
 * when it is told.
 */
export const load = async (intake: IntakeClient, slug: string, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    const job = await intake.submit(slug, [CONTENT]);
    const { submissionId } = await intake.wait(job.sessionId);
    const path = { submissionId };
    await intake.post('/api/v1/submissions/{submissionId}/approve', { path, body: {} });
  }
};

/** Kills one after the other, each once so many more events have come, and starts it again. */
export const killInTurn = async (
  killables: readonly Killable[],
  kills: number,
  came: () => number,
): Promise<void> => {
  for (let n = 0; n < kills; n += 1)
    for (const killable of killables) {
      const before = came();
      while (came() < before + MORE) await sleep(20);
      await sleep(Math.random() * 300);
      await killable.kill();
      await killable.start();
    }
};

const MORE = 20;

type FeedEvent = Readonly<{ eventId: string; eventType: string; submissionId: string | null }>;

/** The whole feed of a key, or its events of a type. */
export const wholeFeed = async (intake: IntakeClient, types?: string): Promise<readonly FeedEvent[]> => {
  const events: FeedEvent[] = [];
  const query = { limit: 100, ...(types && { types }) };
  for await (const event of intake.list('/api/v1/events', { query })) events.push(event);
  return events;
};

/** What is wrong with what came, and how much came. */
export const judge = (feed: readonly FeedEvent[], came: readonly Came[]) => {
  const accepted = new Set(came.filter((one) => one.accepted).map(({ id }) => id));
  const ids = new Set(feed.map(({ eventId }) => eventId));
  const firsts = came.filter(({ id }, n) => came.findIndex((one) => one.id === id) === n);
  const inFeed = bySubmission(feed.map(({ eventId: id, submissionId }) => ({ id, submissionId })));
  const inTime = bySubmission(firsts);
  return {
    events: feed.length,
    forwards: came.length,
    'forwarded again': came.length - firsts.length,
    refused: came.filter((one) => !one.accepted).length,
    lost: feed.filter(({ eventId }) => !accepted.has(eventId)).length,
    'not of the feed': firsts.filter(({ id }) => !ids.has(id)).length,
    'under two ids':
      firsts.length - new Set(firsts.map(({ type, submissionId }) => `${type} ${submissionId}`)).size,
    'with other bytes': firsts.length - new Set(came.map(({ id, body }) => `${id} ${body}`)).size,
    'out of order': [...inFeed].filter(([id, order]) => order !== inTime.get(id)).length,
  };
};

/** The events of each submission in their order, as a text. */
const bySubmission = (all: readonly Readonly<{ id: string; submissionId: string | null }>[]) => {
  const orders = new Map<string | null, string>();
  for (const { id, submissionId } of all) orders.set(submissionId, `${orders.get(submissionId) ?? ''} ${id}`);
  return orders;
};
