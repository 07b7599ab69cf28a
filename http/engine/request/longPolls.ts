import { linkTo } from '../../../kernel/signals.ts';
import type { Changes } from '../../../projections/engine/changes.ts';
import { Problem } from '../problems/problem.ts';
import type { Client } from './client.ts';

/**
 * Requests of one caller that may wait at once (review-queue-5, feed-4): a browser has six connections for
 * all of its pages.
 */
const MAX_WAITING = 4;

/** `changes`, `key`: what tells of a change, and of what; `waitMs`: how long the client waits for one. */
type Wait = Readonly<{ changes: Changes; key: string; callerId: string; waitMs: number; client: Client }>;

/** Reads the answer, and says whether it is what the client waits for. */
type Reading<T> = Readonly<{ read(): Promise<T>; isNew(answer: T): boolean }>;

export type LongPolls = ReturnType<typeof createLongPolls>;

/**
 * Answers that wait until there is something new (review-queue-4, feed-4). `stopping`: aborted when the
 * server stops, which ends all waits at once.
 */
export const createLongPolls = (stopping: AbortSignal) => {
  const waiting = new Map<string, number>();
  const enter = (callerId: string, waitMs: number): void => {
    const count = waiting.get(callerId) ?? 0;
    if (count >= MAX_WAITING) {
      const headers = { 'Retry-After': String(Math.ceil(waitMs / 1_000)) };
      const detail = `${MAX_WAITING} requests of this caller wait for changes already: no more may at once.`;
      throw new Problem('rate-limited', detail, { headers });
    }
    waiting.set(callerId, count + 1);
  };
  const leave = (callerId: string): void => {
    const count = (waiting.get(callerId) ?? 0) - 1;
    if (count > 0) waiting.set(callerId, count);
    else waiting.delete(callerId);
  };
  /** The newest answer after `waitMs`, or as soon as it is a new one. */
  const changed = async <T>(
    { changes, key, waitMs, client }: Wait,
    { read, isNew }: Reading<T>,
    first: T,
    before: string,
  ): Promise<T> => {
    const until = performance.now() + waitMs;
    const ended = linkTo(stopping, client.gone);
    try {
      let answer = first;
      for (let state: string | null = before; !isNew(answer); answer = await read()) {
        state = await changes.after(key, state, until - performance.now(), ended.signal);
        if (state === null) break;
      }
      return answer;
    } finally {
      ended.unlink();
    }
  };
  return {
    /**
     * What `read` gives, at once unless the client waits and it is not new: then once it is, or in the end.
     * Throws 429 for one request too many, and what the client's rights refuse in the end.
     */
    answer: async <T>(wait: Wait, reading: Reading<T>): Promise<T> => {
      if (wait.waitMs === 0) return reading.read();
      // Before the first reading: what changes during it is seen then.
      const before = await wait.changes.state(wait.key);
      const first = await reading.read();
      if (reading.isNew(first)) return first;
      enter(wait.callerId, wait.waitMs);
      try {
        const answer = await changed(wait, reading, first, before);
        await wait.client.admitted();
        return answer;
      } finally {
        leave(wait.callerId);
      }
    },
  };
};
