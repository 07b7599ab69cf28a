import { type UserEmailEvent, userEmail } from '../domain/userEmail.ts';
import type { EventOf } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';

const CLAIMED = 'UserEmailClaimed';
type Claim = EventOf<UserEmailEvent, typeof CLAIMED>['data'];
const PAGE = 500;

/**
 * The e-mail that a user has claimed, as the HMAC in its stream's name; null where the log has no claim.
 * Reads the claims of all users: for one whose e-mail does not open any more.
 */
export const emailClaimedBy = async (
  log: Pick<EventLog, 'follow' | 'head'>,
  userId: string,
): Promise<string | null> => {
  if ((await log.head()) === null) return null;
  const stop = new AbortController();
  const options = { prefixes: [userEmail.category], types: [CLAIMED], page: PAGE, signal: stop.signal };
  try {
    for await (const { events, live } of log.follow(null, options)) {
      const claim = events.find(({ type, data }) => type === CLAIMED && (data as Claim).userId === userId);
      if (claim) return claim.stream.slice(userEmail.category.length);
      if (live) return null;
    }
    return null;
  } finally {
    stop.abort();
  }
};
