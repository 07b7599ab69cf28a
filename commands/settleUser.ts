import { type User, user, userStream } from '../domain/user.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Identity, UserRow } from '../stores/identity.ts';
import { loadStream } from './load.ts';

type Ports = Readonly<{ identity: Identity; log: EventLog; clock: Clock }>;

/** A user as of a revision of the user's stream. */
type AsOf = Readonly<{ state: User | null; revision: number }>;

/**
 * Makes a user's row as the log says, as of `known` or later: of concurrent changes the last one stays. Only
 * with `enables` is a disabled row enabled: it may be one whose event is still to come.
 */
export const settleUser =
  ({ identity, log, clock }: Ports) =>
  async (userId: string, known: AsOf | null = null, enables = false): Promise<void> => {
    const asLogged = async (): Promise<AsOf> => {
      const { state, stream } = await loadStream(log, user, userStream(userId));
      return { state, revision: stream.events.at(-1)?.revision ?? -1 };
    };
    for (let asOf = known ?? (await asLogged()); ; asOf = await asLogged()) {
      const { state, revision } = asOf;
      if (state === null) return;
      let isBehind = false;
      await identity.changeUser(userId, (row) => {
        isBehind = (row.revision ?? -1) > revision;
        return isBehind ? null : { ...rowOf(row, state, enables, clock.now().toISOString()), revision };
      });
      if (!isBehind) return;
    }
  };

const rowOf = (row: UserRow, { role, companyId, disabled }: User, enables: boolean, at: string): UserRow => {
  const office = { ...row, role, companyId };
  if (disabled && row.disabledAt === null) return { ...office, disabledAt: at, epoch: row.epoch + 1 };
  return enables && !disabled ? { ...office, disabledAt: null } : office;
};
