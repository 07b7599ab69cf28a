import type { Actor, Recorded } from '../domain/kernel.ts';
import type { SubmissionEvent } from '../domain/submission/events.ts';
import { evolve, type Submission } from '../domain/submission/state.ts';
import { type Change, changesBetween } from '../projections/changes.ts';
import { publicName } from '../projections/eventNames.ts';
import { printable } from './output.ts';

/** An event as an auditor reads it: all of its data, and what it changed in the submission. */
export type Entry = Readonly<{
  revision: number;
  id: string;
  type: string;
  occurredAt: string;
  actor: Actor;
  requestId: string | null;
  correlation: string;
  causation: string;
  data: SubmissionEvent['data'];
  changes: readonly Change[];
}>;

/** The submission after one more event, and the entry that tells of it. */
export const nextEntry = (
  before: Submission | null,
  event: Recorded<SubmissionEvent>,
): Readonly<{ state: Submission | null; entry: Entry }> => {
  const { revision, id, metadata, data } = event;
  const state = evolve(before, event);
  const entry = {
    revision,
    id,
    type: publicName(event.type),
    occurredAt: metadata.at,
    actor: metadata.actor,
    requestId: metadata.requestId ?? null,
    correlation: metadata.$correlationId,
    causation: metadata.$causationId,
    data,
    changes: changesBetween(before ?? {}, state),
  };
  return { state, entry };
};

/** A stream's entries, and the state that each of them left. */
export const timelineOf = (events: readonly Recorded<SubmissionEvent>[]) => {
  const states: (Submission | null)[] = [];
  const entries = events.map((event) => {
    const { state, entry } = nextEntry(states.at(-1) ?? null, event);
    states.push(state);
    return entry;
  });
  return { entries, states };
};

/** An entry for people: when, what, who, for which request; below it what changed. */
export const entryText = ({ revision, type, occurredAt, actor, requestId, changes }: Entry): string => {
  const request = requestId === null ? '' : `  request ${printable(requestId)}`;
  const head = `${occurredAt}  #${revision} ${type}  by ${actor.kind} ${actor.id}${request}`;
  return [head, ...changes.filter(telling).map((change) => `    ${changeText(change)}`)].join('\n');
};

/** A change on one line; long values are cut. */
export const changeText = ({ pointer, from, to }: Change): string => {
  const member = printable(pointer.slice(1).replaceAll('/', '.'));
  return isEmpty(from) ? `${member}: ${short(to)}` : `${member}: ${short(from)} → ${short(to)}`;
};

/** From nothing to an empty list or object tells people nothing. */
const telling = ({ from, to }: Change): boolean => !(isEmpty(from) && isEmpty(to));

const isEmpty = (value: unknown): boolean => ['null', '[]', '{}'].includes(JSON.stringify(value));

const LONGEST = 100;

const short = (value: unknown): string => {
  const text = printable(JSON.stringify(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
};
