import type { LogInEvent } from '../../domain/logIn.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { EventLog } from '../../stores/events/log.ts';

/** The events of all log-ins of a user, in the log's order. */
export const logInsOf = async (log: EventLog, userId: string): Promise<readonly Recorded<LogInEvent>[]> => {
  const found: Recorded<LogInEvent>[] = [];
  const stop = new AbortController();
  for await (const page of log.follow(null, { prefixes: ['logIn-'], page: 500, signal: stop.signal })) {
    const events = page.events as readonly Recorded<LogInEvent>[];
    found.push(...events.filter(({ data }) => data.userId === userId));
    if (page.live) break;
  }
  stop.abort();
  return found;
};
