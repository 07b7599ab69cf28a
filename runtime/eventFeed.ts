import type { LongPolls } from '../http/engine/request/longPolls.ts';
import type { Route } from '../http/engine/route.ts';
import { eventRoute } from '../http/routes/events.ts';
import { envelopes, feed, feedChanges } from '../projections/feed.ts';
import type { Core } from './wire.ts';

/** The route of the event feed, and what wakes those who wait for events. */
export const eventFeed = (core: Pick<Core, 'feed' | 'log' | 'progress'>, polls: LongPolls): Route => {
  const changes = feedChanges(core.feed);
  core.progress.watch((changed) => {
    if (changed === null || changed.has(feed.name)) changes.nudge();
  });
  return eventRoute({ feed: core.feed, envelopes: envelopes(core.log), polls, changes });
};
