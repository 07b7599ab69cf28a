import type { Role } from '../kernel/scope.ts';
import type { KeyLeft } from '../projections/apiKeys.ts';
import { collect } from '../projections/engine/pages.ts';
import type { UserDocument } from '../projections/users.ts';
import { companyId, ROLES, role, userId } from './arguments.ts';
import { type Command, group, leaf } from './commandLine.ts';
import { issuedOf, issuedText } from './invite.ts';
import { type Columns, printable } from './output.ts';
import { basisOf, type GivenBasis, withBasis } from './redactionBasis.ts';
import type { Runtime } from './runtime.ts';
import { onStores, type Stores } from './stores.ts';

/** `intake user …`: the people. */
export const addUserCommands = (program: Command, runtime: Runtime): void => {
  const user = group(program, 'user', 'people; `intake invite` makes new users');
  leaf(user, 'list', 'show the users, newest first', ['intake user list', 'intake user list --json']).action(
    onStores(runtime, list),
  );
  leaf(user, 'disable', 'shut a user out, with all sessions, at once', [
    'intake user disable usr_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ])
    .argument('<id>', 'the user, by identifier', userId)
    .action(onStores(runtime, disable));
  leaf(user, 'enable', 'let a disabled user log in again, with the same password', [
    'intake user enable usr_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ])
    .argument('<id>', 'the user, by identifier', userId)
    .action(onStores(runtime, enable));
  leaf(user, 'role', 'give a user another role, also in open sessions', [
    'intake user role usr_01hv6x3m8q2r5t7w9y0a1b2c3d --role reviewer',
    'intake user role usr_01hv6x3m8q2r5t7w9y0a1b2c3d --role super_admin',
  ])
    .argument('<id>', 'the user, by identifier', userId)
    .requiredOption('--role <role>', ROLES, role)
    .option('--company <id>', 'the company of one who was a super_admin', companyId)
    .action(onStores(runtime, changeRole));
  leaf(
    user,
    'reset',
    "revoke a user's password, end all sessions, and give or mail a token to choose a new one",
    [
      'intake user reset usr_01hv6x3m8q2r5t7w9y0a1b2c3d',
      'intake user reset usr_01hv6x3m8q2r5t7w9y0a1b2c3d --enable',
    ],
  )
    .argument('<id>', 'the user, by identifier', userId)
    .option('--enable', 'let a disabled user come back that way')
    .action(onStores(runtime, reset));
  withBasis(
    leaf(user, 'redact', 'remove the name and the e-mail of a disabled user, for ever', [
      'intake user redact usr_01hv6x3m8q2r5t7w9y0a1b2c3d --reason "left the company" --legal-basis erasure_request',
    ]).argument('<id>', 'the user, by identifier', userId),
  ).action(onStores(runtime, redact));
};

type Row = UserDocument & Readonly<{ state: 'active' | 'disabled' | 'reset' }>;

const columns: Columns<Row> = {
  ID: ({ id }) => id,
  'E-MAIL': (row) => row.email,
  NAME: (row) => row.name,
  ROLE: (row) => row.role,
  COMPANY: (row) => row.companyId,
  STATE: ({ state }) => state,
  CREATED: ({ createdAt }) => createdAt,
};

const list = async ({ core, output, upToDate }: Stores): Promise<void> => {
  await upToDate();
  const { items } = await collect(core.users.list);
  const rows = items.map((item): Row => ({ ...item, state: stateOf(item) }));
  const empty = `There is no user in ${core.locations.all} yet. Invite one: intake invite --email E --role R`;
  await output.list(rows, columns, empty);
};

const stateOf = ({ disabledAt, resetAt }: UserDocument): Row['state'] => {
  if (disabledAt !== null) return 'disabled';
  return resetAt === null ? 'active' : 'reset';
};

const disable = async ({ core, output, context, upToDate }: Stores, id: string): Promise<void> => {
  const { disabledAt } = await core.users.disableUser(id, context);
  await upToDate();
  const keys = await core.keysLeft(id, null, null);
  await output.answer({ id, disabledAt, keys }, () =>
    [`The user ${id} is shut out since ${disabledAt}, with all sessions.`, ...keysText(keys)].join('\n'),
  );
};

/** The keys that go on, each with the command that ends it. */
const keysText = (keys: readonly KeyLeft[]): readonly string[] => {
  if (keys.length === 0) return [];
  const lines = keys.map(
    ({ id, name, companyId, lastUsedAt }) =>
      `intake key revoke ${id}  # ${printable(name ?? 'without a name')}, ${companyId ?? 'unscoped'}, ${lastUsedAt ? `last used ${lastUsedAt}` : 'never used'}`,
  );
  return [
    'API keys that this user made go on. Rotate those that are in use, and revoke the others:',
    ...lines,
  ];
};

const redact = async (
  { core, output, context, visible, upToDate }: Stores,
  id: string,
  options: GivenBasis,
): Promise<void> => {
  await upToDate();
  await visible(await core.redactPeople.redactUser(id, basisOf(options), context));
  await output.answer(
    { id, redacted: true },
    () => `The user ${id} is redacted. The e-mail may be invited anew.`,
  );
};

const enable = async ({ core, output, context, visible }: Stores, id: string): Promise<void> => {
  await visible(await core.users.enableUser(id, context));
  await output.answer({ id, disabledAt: null }, () => `The user ${id} may log in again.`);
};

type RoleOptions = Readonly<{ role: Role; company?: string }>;

const changeRole = async (
  { core, output, context, visible, upToDate }: Stores,
  id: string,
  { role, company }: RoleOptions,
): Promise<void> => {
  await upToDate();
  const own = (await core.users.find(id))?.companyId ?? null;
  const office = { role, companyId: company ?? (role === 'super_admin' ? null : own) };
  await visible(await core.users.changeRole(id, { ...office, by: 'administrator' }, context));
  const keys = await core.keysLeft(id, office, null);
  await output.answer({ id, ...office, keys }, () =>
    [`The user ${id} is ${role} from the next request on.`, ...keysText(keys)].join('\n'),
  );
};

const reset = async (
  { core, output, context, visible, runtime }: Stores,
  id: string,
  { enable = false }: Readonly<{ enable?: boolean }>,
): Promise<void> => {
  const made = await core.users.resetUser(id, enable, context);
  await visible(made.position);
  const answer = { id, invitationId: made.id, ...(await issuedOf(runtime, made)) };
  await output.answer(answer, () =>
    [
      `The password of ${id} no longer works, and all sessions are ended.`,
      `invitation ${made.id}`,
      ...issuedText(answer),
    ].join('\n'),
  );
};
