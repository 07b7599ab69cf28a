import type { NewInvitation } from '../commands/invite.ts';
import { normalEmail } from '../domain/userEmail.ts';
import type { Role } from '../kernel/scope.ts';
import { collect } from '../projections/engine/pages.ts';
import type { InvitationDocument } from '../projections/invitations.ts';
import type { UserDocument } from '../projections/users.ts';
import { companyId, email, invitationId, role } from './arguments.ts';
import { type Command, type Common, leaf, WrongUsage } from './commandLine.ts';
import type { Columns } from './output.ts';
import type { Runtime } from './runtime.ts';
import { onStores, type Stores, withStores } from './stores.ts';

/** `intake invite …`: who is to become an administrator. */
export const addInviteCommands = (program: Command, runtime: Runtime): void => {
  const invite = leaf(
    program,
    'invite',
    'invite somebody to become an administrator; the token is shown this once',
    [
      'intake invite --email ann@example.com --role super_admin',
      'intake invite --email bob@example.com --role org_admin --company cmp_01hv6x3m8q2r5t7w9y0a1b2c3d',
      'intake invite list',
    ],
  )
    .option('--email <email>', 'who', email)
    .option('--role <role>', 'org_admin (of one company) or super_admin (of the platform)', role)
    .option('--company <id>', 'the company of an org_admin', companyId)
    .action(create(runtime));
  leaf(invite, 'list', 'show the invitations, newest first, never their tokens', [
    'intake invite list',
    'intake invite list --json',
  ]).action(onStores(runtime, list));
  leaf(invite, 'revoke', 'refuse an invitation that nobody has used', [
    'intake invite revoke inv_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ])
    .argument('<id>', 'the invitation, by its identifier', invitationId)
    .action(onStores(runtime, revoke));
};

type InviteOptions = Common & Readonly<{ email?: string; role?: Role; company?: string }>;

const create =
  (runtime: Runtime) =>
  async (options: InviteOptions): Promise<void> => {
    const { email: address, role: given, company = null } = options;
    if (address === undefined || given === undefined)
      throw new WrongUsage('give --email and --role, or say `list` or `revoke`.', 'intake invite');
    await withStores(
      runtime,
      options,
      async ({ core, output, context, visible }) => {
        const invitee = { email: address, role: given, companyId: company };
        const made = await core.invitations.invite(invitee, context);
        await visible(made.position);
        const answer = { id: made.id, ...(await tokenOf(runtime, made)) };
        await output.answer(answer, () => [`id         ${made.id}`, ...tokenText(answer)].join('\n'));
      },
      { create: company === null },
    );
  };

type Token = Readonly<{ token: string; url: string; expiresAt: string }>;

/** A new invitation's token as it is shown; `url` answers whether it is valid. */
export const tokenOf = async (runtime: Runtime, { token, expiresAt }: NewInvitation): Promise<Token> => {
  const url = `${await runtime.publicUrl()}/api/invitation/validate?token=${token}`;
  return { token, url, expiresAt };
};

/** The same for people. */
export const tokenText = ({ token, url, expiresAt }: Token): readonly string[] => [
  `token      ${token}`,
  `url        ${url}`,
  `expiresAt  ${expiresAt}`,
  'Give it to that person alone: who has the token chooses the password. It is never shown again.',
];

type Row = InvitationDocument & Readonly<{ state: 'open' | 'consumed' | 'expired' | 'revoked' }>;

const columns: Columns<Row> = {
  ID: ({ id }) => id,
  'E-MAIL': (row) => row.email,
  ROLE: (row) => row.role,
  COMPANY: (row) => row.companyId,
  STATE: ({ state }) => state,
  CREATED: ({ createdAt }) => createdAt,
  EXPIRES: ({ expiresAt }) => expiresAt,
  USER: (row) => row.userId,
};

const list = async ({ core, output, upToDate }: Stores): Promise<void> => {
  await upToDate();
  const { items } = await collect(core.invitations.list);
  const { items: users } = await collect(core.users.list);
  const now = core.clock.now().toISOString();
  const rows = items.map((item): Row => ({ ...item, state: stateOf(item, users, now) }));
  const empty = `Nobody was invited in ${core.locations.all} yet. Invite: intake invite --email E --role R`;
  await output.list(rows, columns, empty);
};

/**
 * As the service judges the token: one whose e-mail has a user is consumed, one that a newer reset has
 * replaced can't be used either.
 */
const stateOf = (item: InvitationDocument, users: readonly UserDocument[], now: string): Row['state'] => {
  const { id, email: invited, userId, acceptedAt, revokedAt, expiresAt } = item;
  if (revokedAt !== null) return 'revoked';
  if (acceptedAt !== null) return 'consumed';
  if (userId !== null && !users.some(({ awaits }) => awaits === id)) return 'revoked';
  if (userId === null && users.some((user) => normalEmail(user.email) === normalEmail(invited)))
    return 'consumed';
  return expiresAt <= now ? 'expired' : 'open';
};

const revoke = async ({ core, output, context, visible }: Stores, id: string): Promise<void> => {
  await visible(await core.invitations.revokeInvitation(id, context));
  await output.answer({ id, revoked: true }, () => `The invitation ${id} can no longer be used.`);
};
