import type { users } from '../../commands/users.ts';
import { permissions } from '../../domain/permissions.ts';
import type { User } from '../../domain/user.ts';
import type { Mode } from '../../kernel/scope.ts';
import type { KeyLeft, keysLeftBy } from '../../projections/apiKeys.ts';
import type { UserDocument, userQueries } from '../../projections/users.ts';
import { cursor, limit, userId, userIds } from '../../schemas/parameters.ts';
import {
  ChangeRole,
  Names,
  People,
  PersonDisabled,
  PersonEnabled,
  PersonReset,
  RoleChanged,
} from '../../schemas/people.ts';
import { NoMembers } from '../../schemas/sessions.ts';
import type { PersonCaller } from '../engine/access/caller.ts';
import { pageOf, wholeList } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext, isWithin } from './caller.ts';
import { type IssuedPorts, issuedBefore, issuedOf } from './issued.ts';
import { officeFaults, officeOf } from './offices.ts';

type Queries = ReturnType<typeof userQueries>;

export type PeoplePorts = Readonly<{
  users: ReturnType<typeof users> & Pick<Queries, 'list' | 'listOf' | 'findAll'>;
  /** A user as the log has it; null for none. */
  current(userId: string): Promise<User | null>;
  company(companyId: string): Promise<object | null>;
  /** The live keys that a person made; where an office is given, those that it may not make. */
  keysLeft: ReturnType<typeof keysLeftBy>;
  /** Throws 429 once a company (null: the platform) has invited too often: a reset is an invitation, too. */
  limit(companyId: string | null): Promise<void>;
}> &
  IssuedPorts;

/** People, for the administrators of a company and of the platform; their names, for all (people-13). */
export const peopleRoutes = (ports: PeoplePorts): readonly Route[] => [
  listRoute(ports),
  namesRoute(ports),
  ...accessRoutes(ports),
  roleRoute(ports),
  resetRoute(ports),
];

const listRoute = ({ users }: PeoplePorts): Route =>
  route({
    name: 'listPeople',
    summary: 'List the people of the company, newest first; all to a super_admin who names none',
    description: 'Also those that are disabled, with when they last logged in.',
    method: 'GET',
    path: '/api/v1/people',
    access: 'people.read',
    query: { cursor, limit },
    answers: { 200: People },
  })({
    run: async ({ caller: { companyId }, query }) => {
      const read: typeof users.list = (size, after) =>
        companyId === null ? users.list(size, after) : users.listOf({ companyId }, size, after);
      const filters = { list: 'people', companyId };
      return { status: 200, body: await pageOf(query, filters, read, personOf) };
    },
  });

/** Documents of version 1, which are read while version 2 is filled, lack the last members. */
const personOf = (user: UserDocument) => ({
  ...user,
  lastLogInAt: user.lastLogInAt ?? null,
  boundAt: user.boundAt ?? null,
});

const namesRoute = ({ users }: PeoplePorts): Route =>
  route({
    name: 'listNames',
    summary: 'Get the names of people by their identifiers, as events have them',
    description:
      'Those of the own company, and of super_admins, who work for every company. Others are left out. Without `ids`: up to 1,000 of each role that decides submissions of the company, also by Intake-Company, and is not disabled.',
    method: 'GET',
    path: '/api/v1/people/names',
    access: 'people.names',
    query: { ids: userIds },
    answers: { 200: Names },
  })({
    run: async ({ caller, query: { ids } }) => {
      if (ids.length === 0)
        return { status: 200, body: wholeList(await decidersOf(users, caller.companyId)) };
      const found = await users.findAll(ids);
      const shown = ids.flatMap((id) => found.get(id) ?? []);
      const own = shown.filter((one) => one.role === 'super_admin' || isWithin(caller, one));
      return { status: 200, body: wholeList(own.map(nameOf)) };
    },
  });

const nameOf = ({ id, name }: UserDocument) => ({ id, name });

const MAX_DECIDERS = 1_000;

/** Those of a company to whom a review may be given (people-18); none without a company. */
const decidersOf = async ({ listOf }: PeoplePorts['users'], companyId: string | null) => {
  if (companyId === null) return [];
  const { roles } = permissions['submissions.decide'];
  const pages = await Promise.all(roles.map((role) => listOf({ companyId, role }, MAX_DECIDERS, null)));
  return pages.flatMap(({ items }) => items.filter(({ disabledAt }) => disabledAt === null).map(nameOf));
};

type PersonRequest = Readonly<{ caller: PersonCaller; parameters: Readonly<{ userId: string }> }>;

const finder =
  ({ current }: PeoplePorts) =>
  async ({ caller, parameters }: PersonRequest): Promise<User | null> => {
    const found = await current(parameters.userId);
    return found && isWithin(caller, found) ? found : null;
  };

const keyOf = ({ mode, ...key }: KeyLeft) => ({ ...key, mode: mode as Mode });

const accessRoutes = (ports: PeoplePorts): readonly Route[] => [
  route({
    name: 'disablePerson',
    summary: 'Refuse a person from now on, and end all sessions',
    description:
      'The tokens and cookies of the person are refused from then on. API keys that the person made go on: `keys` lists them, to be revoked or rotated.',
    method: 'POST',
    path: '/api/v1/people/{userId}/disable',
    access: 'people.manage',
    parameters: { userId },
    body: NoMembers,
    answers: { 200: PersonDisabled },
    refusals: ['last-administrator'],
  })({
    find: finder(ports),
    run: async ({ found: { userId: id }, ...request }) => {
      const { disabledAt, position } = await ports.users.disableUser(id, commandContext(request));
      const keys = await ports.keysLeft(id, null, request.caller.companyId);
      return { status: 200, position, body: { id, disabledAt, keys: keys.map(keyOf) } };
    },
  }),
  route({
    name: 'enablePerson',
    summary: 'Let a disabled person log in again, with the same password',
    description: 'Sessions that were ended stay ended.',
    method: 'POST',
    path: '/api/v1/people/{userId}/enable',
    access: 'people.manage',
    parameters: { userId },
    body: NoMembers,
    answers: { 200: PersonEnabled },
    refusals: ['person-redacted'],
  })({
    find: finder(ports),
    run: async ({ found: { userId: id }, ...request }) => {
      const position = await ports.users.enableUser(id, commandContext(request));
      return { status: 200, position, body: { id, disabledAt: null } };
    },
  }),
];

const roleRoute = (ports: PeoplePorts): Route =>
  route({
    name: 'changeRole',
    summary: 'Change a person’s role, from the next request of open sessions on',
    description:
      'A super_admin belongs to no company, everybody else to one. `keys` lists the API keys that the person made and may make no more: they go on.',
    method: 'POST',
    path: '/api/v1/people/{userId}/role',
    access: 'people.manage',
    parameters: { userId },
    body: ChangeRole,
    answers: { 200: RoleChanged },
    refusals: ['last-administrator', 'own-role', 'person-redacted'],
  })({
    find: finder(ports),
    check: ({ caller, found, body }) => officeFaults(caller, body, found.companyId, ports.company),
    run: async ({ found, body, ...request }) => {
      const { userId: id } = found;
      const office = officeOf(body.role, body.companyId, found.companyId);
      const change = { ...office, by: 'administrator' } as const;
      const position = await ports.users.changeRole(id, change, commandContext(request));
      const keys = await ports.keysLeft(id, office, request.caller.companyId);
      return { status: 200, position, body: { id, ...office, keys: keys.map(keyOf) } };
    },
  });

const resetRoute = (ports: PeoplePorts): Route => {
  type Made = Readonly<{ token?: string | null; expiresAt: string }>;
  const resetOf = (id: string, invitationId: string, { token = null, expiresAt }: Made) => ({
    id,
    invitationId,
    ...issuedOf({ token, expiresAt }, ports),
  });
  return route({
    name: 'resetPerson',
    summary: 'Remove a person’s password, end all sessions, and invite to choose a new one',
    description:
      'The token is in this answer alone, or is mailed where the service sends mails. A newer reset makes it invalid.',
    method: 'POST',
    path: '/api/v1/people/{userId}/reset',
    access: 'people.manage',
    parameters: { userId },
    body: NoMembers,
    answers: { 201: PersonReset },
    refusals: ['user-disabled', 'person-redacted', 'secret-shown-once', 'rate-limited'],
  })({
    replay: async (request) => {
      const made = await issuedBefore(request, ports, 'reset again');
      if (made === null) return null;
      return { status: 201, body: resetOf(request.parameters.userId, made.invitationId, made) };
    },
    find: finder(ports),
    run: async ({ found: { userId: id, companyId }, ...request }) => {
      await ports.limit(companyId);
      const { ulid } = request.reserved;
      const made = await ports.users.resetUser(id, false, commandContext(request), ulid);
      return { status: 201, position: made.position, body: resetOf(id, made.id, made) };
    },
  });
};
