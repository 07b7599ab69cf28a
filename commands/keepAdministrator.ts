import { permissionsOf } from '../domain/permissions.ts';
import type { User } from '../domain/user.ts';
import type { Clock } from '../kernel/clock.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Office } from '../kernel/scope.ts';
import type { Identity, UserRow } from '../stores/identity.ts';

type Ports = Readonly<{
  identity: Identity;
  clock: Clock;
  /**
   * Pages of the users who may be administrators of a company, or of the platform: rows decide whether they
   * are.
   */
  administratorsOf(companyId: string | null): AsyncIterable<readonly string[]>;
}>;

/** See `keepAdministrator`. */
export type KeepAdministrator = ReturnType<typeof keepAdministrator>;

/** Whether somebody manages the keys and people of a company, or all of the platform. */
export const isAdministrator = ({ role }: Office): boolean => permissionsOf(role).includes('people.manage');

/**
 * Runs `leave`, by which a user stops being an administrator, so that another one stays in the company, or on
 * the platform, however many leave at once (people-16). Throws `LastAdministrator`.
 */
export const keepAdministrator =
  ({ identity, clock, administratorsOf }: Ports) =>
  async <T>({ userId, role, companyId }: User, leave: () => Promise<T>): Promise<T> => {
    const isOther = (row: UserRow, leaving: readonly string[]): boolean =>
      row.userId !== userId &&
      row.role === role &&
      row.companyId === companyId &&
      row.disabledAt === null &&
      !leaving.includes(row.userId);
    const permits = async (leaving: readonly string[]): Promise<boolean> => {
      for await (const userIds of administratorsOf(companyId))
        if ((await identity.users(userIds)).some((row) => isOther(row, leaving))) return true;
      return false;
    };
    const now = clock.now().getTime();
    if (!(await identity.startLeaving(companyId, userId, now, permits))) throw lastAdministrator(companyId);
    const end = () => identity.endLeaving(companyId, userId, now);
    // After other errors it is not known whether the row was changed.
    const left = await leave().catch(async (error: unknown) => {
      if (error instanceof DomainError) await end();
      throw error;
    });
    await end();
    return left;
  };

const lastAdministrator = (companyId: string | null): DomainError =>
  new DomainError(
    'LastAdministrator',
    companyId === null
      ? 'This is the last super_admin who is not disabled: there must be another one first.'
      : 'This is the last org_admin of the company who is not disabled: there must be another one first.',
  );
