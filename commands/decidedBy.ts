import { apiKey, apiKeyStream, OPERATOR } from '../domain/apiKey.ts';
import { invitationStream } from '../domain/invitation.ts';
import { type Decided, type FourEyes, type Origin, peopleBehind } from '../domain/submission/fourEyes.ts';
import { type UserEvent, userStream } from '../domain/user.ts';
import type { Actor, Recorded } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import { load } from './load.ts';

/** Who decides, where two must: a key with the users behind it, one person with who invited or reset them. */
export const decidedBy =
  (log: EventLog) =>
  async (by: Actor): Promise<FourEyes> => {
    const decided = by.kind === 'key' ? await ofKey(log, by) : { by };
    const [person, ...others] = peopleBehind(decided);
    if (person === undefined || others.length > 0) return decided;
    return { ...decided, origin: await originOf(log, person) };
  };

const ofKey = async (log: EventLog, by: Actor): Promise<Decided> => {
  const key = await load(log, apiKey, apiKeyStream(by.id));
  if (key === null) return { by };
  const { createdBy, madeBefore } = key;
  return {
    by,
    ...(createdBy === OPERATOR ? {} : { keyCreatedBy: createdBy }),
    ...(madeBefore === undefined ? {} : { keyMadeBefore: madeBefore }),
  };
};

const originOf = async (log: EventLog, userId: string): Promise<Origin> => {
  // A stream of a category holds the events of its decider only.
  const events = (await log.load(userStream(userId))).events as readonly Recorded<UserEvent>[];
  const reset = events.findLast(({ type }) => type === 'UserPasswordReset');
  const [created] = events;
  const invited =
    created?.type === 'UserCreated'
      ? (await log.load(invitationStream(created.data.invitationId))).events[0]
      : undefined;
  const [invitedBy, resetBy] = [userOf(invited), userOf(reset)];
  return { ...(invitedBy ? { invitedBy } : {}), ...(resetBy ? { resetBy } : {}) };
};

const userOf = (event: Recorded | undefined): string | null =>
  event?.metadata.actor.kind === 'user' ? event.metadata.actor.id : null;
