import { StoreUnavailable } from '../../kernel/errors.ts';
import type { Event, Recorded } from '../../kernel/event.ts';
import type { Tables } from '../../stores/documents/port.ts';
import { changeRow, type RowPage, removeRow, rowPage } from '../../stores/documents/rows.ts';
import type { EventLog } from '../../stores/events/log.ts';
import type { Reactor } from './reactor.ts';

/** The table of reactions that were set aside: `reactor/eventId`. */
export const SET_ASIDE = 'reactionsSetAside';

/** A reaction that was given up. `stream` and `revision` are not in the rows of earlier releases. */
export type SetAside = Readonly<{
  reactor: string;
  eventId: string;
  position: string;
  stream?: string;
  revision?: number;
  error: string;
}>;

/** Sets a reaction aside. One that is set aside already stays as it is. */
export const setAside = async (
  tables: Tables,
  reactor: string,
  { id: eventId, position, stream, revision }: Recorded,
  error: unknown,
): Promise<void> => {
  const row: SetAside = { reactor, eventId, position, stream, revision, error: String(error) };
  await tables.insert(SET_ASIDE, keyOf(reactor, eventId), row);
};

/** A page of the reactions that were set aside, of all reactors or of one, by reactor and event. */
export const setAsidePage = (
  tables: Tables,
  reactor: string | null,
  limit: number,
  after: string | null,
): Promise<RowPage<SetAside>> =>
  rowPage(tables, SET_ASIDE, reactor === null ? '' : keyOf(reactor, ''), limit, after);

/** `failed` is called with what a reaction throws. */
type RetryPorts = Readonly<{
  log: Pick<EventLog, 'load' | 'follow'>;
  tables: Tables;
  reactors: readonly Reactor[];
  signal: AbortSignal;
  failed(error: unknown, facts: object): void;
}>;

/**
 * Does a reaction that was set aside: its effect is that of a command, and done once. It is set aside no
 * longer, or the fault that it met is given; null when there is none of this reactor and event. Throws
 * `StoreUnavailable`.
 */
export const retrySetAside =
  ({ log, tables, reactors, signal, failed }: RetryPorts) =>
  async (name: string, eventId: string): Promise<Readonly<{ error: string | null }> | null> => {
    const key = keyOf(name, eventId);
    const found = await tables.read<SetAside>(SET_ASIDE, key);
    const reactor = reactors.find((one) => one.name === name);
    if (!found || !reactor) return null;
    try {
      const event = await eventOf(log, reactor, found.row, signal);
      if (event === null) throw new Error(`the log gives no event ${eventId}`);
      await reactor.start?.(event.position);
      await reactor.react(event, signal);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      failed(error, { reactor: name, eventId });
      await changeRow<SetAside>(tables, SET_ASIDE, key, (row) => row && { ...row, error: String(error) });
      return { error: String(error) };
    }
    await removeRow(tables, SET_ASIDE, key);
    return { error: null };
  };

const eventOf = async (
  log: RetryPorts['log'],
  reactor: Reactor,
  { eventId, stream }: SetAside,
  signal: AbortSignal,
): Promise<Recorded<Event> | null> => {
  const isIt = ({ id }: Recorded): boolean => id === eventId;
  if (stream !== undefined) return (await log.load(stream)).events.find(isIt) ?? null;
  const { prefixes, handles: types } = reactor;
  for await (const { events, live } of log.follow(null, { prefixes, types, page: PAGE, signal })) {
    const event = events.find(isIt);
    if (event || live) return event ?? null;
  }
  return null;
};

const PAGE = 500;

const keyOf = (reactor: string, eventId: string): string => `${reactor}/${eventId}`;
