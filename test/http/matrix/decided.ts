import type { Position } from '../../../kernel/event.ts';
import type { EventLog } from '../../../stores/events/log.ts';

/**
 * Which events were appended since a position for a key, a user or an operator. What the service goes on with
 * by itself, such as the mails of what was asked before, is left out.
 */
export const decidedSince = async (log: EventLog, since: Position | null): Promise<readonly string[]> => {
  const stop = new AbortController();
  const decided: string[] = [];
  for await (const page of log.follow(since, { prefixes: [''], page: 100, signal: stop.signal })) {
    const own = page.events.filter(({ metadata }) => metadata.actor.kind !== 'system');
    decided.push(...own.map(({ type, stream }) => `${type} in ${stream}`));
    if (page.live) stop.abort();
  }
  return decided;
};
