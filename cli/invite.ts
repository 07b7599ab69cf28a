import { type InvitationState, invitationUrl, type NewInvitation } from '../commands/invite.ts';
import type { Role } from '../kernel/scope.ts';
import { collect } from '../projections/engine/pages.ts';
import type { InvitationDocument, MailState } from '../projections/invitations.ts';
import { companyId, email, invitationId, ROLES, role } from './arguments.ts';
import { type Command, type Common, leaf, WrongUsage } from './commandLine.ts';
import type { Columns } from './output.ts';
import { basisOf, type GivenBasis, withBasis } from './redactionBasis.ts';
import type { Runtime } from './runtime.ts';
import { onStores, type Stores, withStores } from './stores.ts';

/** `intake invite …`: who is to become a user. */
export const addInviteCommands = (program: Command, runtime: Runtime): void => {
  const invite = leaf(program, 'invite', 'invite somebody to become a user, by a token or by mail', [
    'intake invite --email ann@example.com --role super_admin',
    'intake invite --email bob@example.com --role reviewer --company cmp_01hv6x3m8q2r5t7w9y0a1b2c3d',
    'intake invite list',
  ])
    .option('--email <email>', 'who', email)
    .option('--role <role>', ROLES, role)
    .option('--company <id>', 'the company; a super_admin has none', companyId)
    .action(create(runtime));
  leaf(
    invite,
    'list',
    'show the invitations and whether their mails were sent, newest first, never their tokens',
    ['intake invite list', 'intake invite list --json'],
  ).action(onStores(runtime, list));
  leaf(invite, 'revoke', 'refuse an invitation that nobody has used', [
    'intake invite revoke inv_01hv6x3m8q2r5t7w9y0a1b2c3d',
  ])
    .argument('<id>', 'the invitation, by its identifier', invitationId)
    .action(onStores(runtime, revoke));
  withBasis(
    leaf(invite, 'redact', 'remove the e-mail of an invitation that can’t be used any more, for ever', [
      'intake invite redact inv_01hv6x3m8q2r5t7w9y0a1b2c3d --reason "never came" --legal-basis erasure_request',
    ]).argument('<id>', 'the invitation, by its identifier', invitationId),
  ).action(onStores(runtime, redact));
};

type InviteOptions = Common & Readonly<{ email?: string; role?: Role; company?: string }>;

const create =
  (runtime: Runtime) =>
  async (options: InviteOptions): Promise<void> => {
    const { email: address, role: given, company = null } = options;
    if (address === undefined || given === undefined)
      throw new WrongUsage('give --email and --role, or say `list`, `revoke` or `redact`.', 'intake invite');
    await withStores(
      runtime,
      options,
      async ({ core, output, context, visible }) => {
        const invitee = { email: address, role: given, companyId: company };
        const made = await core.invitations.invite(invitee, context);
        await visible(made.position);
        const answer = { id: made.id, ...(await issuedOf(runtime, made)) };
        await output.answer(answer, () => [`id         ${made.id}`, ...issuedText(answer)].join('\n'));
      },
      { create: company === null },
    );
  };

type Issued = Readonly<{ expiresAt: string } & ({ token: string; url: string } | { mailed: true })>;

/**
 * A new invitation as it is shown: its token, and `url`, the page where the person accepts it; or that its
 * link is mailed.
 */
export const issuedOf = async (runtime: Runtime, { token, expiresAt }: NewInvitation): Promise<Issued> =>
  token === null
    ? { mailed: true, expiresAt }
    : { token, url: invitationUrl(await runtime.publicUrl(), token), expiresAt };

/** The same for people. */
export const issuedText = (issued: Issued): readonly string[] =>
  'mailed' in issued
    ? [
        `expiresAt  ${issued.expiresAt}`,
        'The link is sent by mail. `intake invite list` shows whether it was.',
      ]
    : [
        `token      ${issued.token}`,
        `url        ${issued.url}`,
        `expiresAt  ${issued.expiresAt}`,
        'Give the address to that person alone: who has it chooses the password. It is never shown again.',
      ];

type Row = InvitationDocument & Readonly<{ state: InvitationState; mail: MailState | null }>;

const columns: Columns<Row> = {
  ID: ({ id }) => id,
  'E-MAIL': (row) => row.email,
  ROLE: (row) => row.role,
  COMPANY: (row) => row.companyId,
  STATE: ({ state }) => state,
  MAIL: ({ mail }) => mail && mailText(mail),
  CREATED: ({ createdAt }) => createdAt,
  EXPIRES: ({ expiresAt }) => expiresAt,
  USER: (row) => row.userId,
};

const mailText = ({ mailedAt, error, nextAttemptAt }: MailState): string => {
  if (mailedAt !== null) return 'mailed';
  if (nextAttemptAt === null) return error === null ? 'not mailed' : `failed: ${error}`;
  return error === null ? 'waits' : `next try ${nextAttemptAt}: ${error}`;
};

const list = async ({ core, output, upToDate }: Stores): Promise<void> => {
  await upToDate();
  const { items } = await collect(core.invitations.list);
  const rows: Row[] = [];
  for (const { normalEmail: _, ...item } of items) {
    const state = await core.invitations.standingOf(item);
    rows.push({ ...item, state, mail: item.mail ?? null });
  }
  const empty = `Nobody was invited in ${core.locations.all} yet. Invite: intake invite --email E --role R`;
  await output.list(rows, columns, empty);
};

const revoke = async ({ core, output, context, visible }: Stores, id: string): Promise<void> => {
  await visible(await core.invitations.revokeInvitation(id, context));
  await output.answer({ id, revoked: true }, () => `The invitation ${id} can no longer be used.`);
};

const redact = async (
  { core, output, context, visible }: Stores,
  id: string,
  options: GivenBasis,
): Promise<void> => {
  await visible(await core.redactPeople.redactInvitation(id, basisOf(options), context));
  await output.answer({ id, redacted: true }, () => `The invitation ${id} is redacted.`);
};
