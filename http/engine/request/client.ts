import type { Context } from '../koa.ts';
import { isUnmodified } from './preconditions.ts';

/** The client of an answer that waits for a change. */
export type Client = Readonly<{
  /** Whether it has this entity already: its If-None-Match names the tag. */
  has(tag: string): boolean;
  /** Aborted when its connection ends. */
  gone: AbortSignal;
  /** Admits its request once more: rights may have ended while it waited. Throws 401, 403 and 429. */
  admitted(): Promise<unknown>;
}>;

/** The client of a request. */
export const clientOf = ({ req, res }: Context, admitted: Client['admitted']): Client => {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return { has: (tag) => isUnmodified(req, tag), gone: gone.signal, admitted };
};
