import { pick } from '../kernel/pick.ts';
import type { ApiKeyDocument } from '../projections/apiKeys.ts';
import { collect } from '../projections/engine/pages.ts';
import { companyId, email, keyId, name } from './arguments.ts';
import { type Command, type Common, group, leaf, WrongUsage } from './commandLine.ts';
import { CommandFailed } from './failure.ts';
import type { Columns } from './output.ts';
import type { Core, Runtime } from './runtime.ts';
import { onStores, type Stores, withStores } from './stores.ts';

/** `intake key …`: the API keys. */
export const addKeyCommands = (program: Command, runtime: Runtime): void => {
  const key = group(program, 'key', 'API keys: each acts for one company, or for none');
  leaf(key, 'create', 'make a key; its secrets are shown this once', [
    'intake key create --company cmp_01hv6x3m8q2r5t7w9y0a1b2c3d --name "ERP"',
    'intake key create --company cmp_01hv6x3m8q2r5t7w9y0a1b2c3d --test --json | jq -r .key',
    'intake key create --unscoped',
    'intake key create --company cmp_01hv6x3m8q2r5t7w9y0a1b2c3d --as ann@example.com',
  ])
    .option('--company <id>', 'the company it acts for', companyId)
    .option('--unscoped', 'a key of no company: it gives access to no submissions')
    .option('--name <name>', 'what it is for, for people', name)
    .option('--test', 'a key for test data, to which live keys have no access')
    .option('--as <email>', 'the user who makes it: an org_admin for the own company only', email)
    .action(create(runtime));
  leaf(key, 'list', 'show the keys, newest first, never their secrets', [
    'intake key list',
    'intake key list --json',
  ]).action(onStores(runtime, list));
  leaf(key, 'revoke', 'refuse a key from now on', ['intake key revoke key_01hv6x3m8q2r5t7w9y0a1b2c3d'])
    .argument('<id>', 'the key, by its identifier', keyId)
    .action(onStores(runtime, revoke));
};

type CreateOptions = Common &
  Readonly<{ company?: string; unscoped?: true; name?: string; test?: true; as?: string }>;

const create =
  (runtime: Runtime) =>
  async (options: CreateOptions): Promise<void> => {
    const { company = null, unscoped = false } = options;
    if ((company === null) !== unscoped) {
      throw new WrongUsage('give --company ID, or --unscoped: one of them.', 'intake key create');
    }
    const { standardWebhooksSecret } = await import('../outbound/sign.ts');
    await withStores(
      runtime,
      options,
      async ({ core, output, context, visible }) => {
        const mode = options.test ? 'test' : 'live';
        const createdBy =
          options.as === undefined ? 'operator' : await core.users.requireKeyMaker(options.as, company);
        const input = { companyId: company, mode, name: options.name ?? null, createdBy } as const;
        const { id, key, hash, position } = await core.administer.createKey(input, context);
        await visible(position);
        const answer = { id, key, webhookSecret: hash, standardWebhooksSecret: standardWebhooksSecret(hash) };
        await output.answer(answer, () => secretsText(answer));
      },
      { create: unscoped },
    );
  };

const secretsText = (secrets: Readonly<Record<string, string>>): string =>
  [
    ...Object.entries(secrets).map(([name, value]) => `${name.padEnd(24)}${value}`),
    'Keep them now: the key itself is not stored, and they are never shown again.',
  ].join('\n');

/** No more are counted: "many" is enough for a decision to revoke a key. */
const MAX_COUNTED = 10_000;

type KeyRow = ApiKeyDocument & Readonly<{ lastUsedAt: string | null; openSessions: number }>;

const columns: Columns<KeyRow> = {
  ID: ({ id }) => id,
  NAME: (key) => key.name,
  COMPANY: (key) => key.companyId,
  MODE: ({ mode }) => mode,
  CREATED: ({ createdAt }) => createdAt,
  BY: ({ createdBy }) => createdBy,
  'LAST USED': ({ lastUsedAt }) => lastUsedAt,
  REVOKED: ({ revokedAt }) => revokedAt,
  'OPEN SESSIONS': ({ openSessions }) => (openSessions < MAX_COUNTED ? openSessions : `${MAX_COUNTED}+`),
};

const list = async ({ core, output, upToDate }: Stores): Promise<void> => {
  await upToDate();
  const { items } = await collect(core.apiKeys.list);
  const rows: KeyRow[] = [];
  for (const item of items) rows.push(await rowOf(core, item));
  const empty = `There is no key in ${core.locations.all} yet. Make one: intake key create --company ID`;
  await output.list(rows, columns, empty);
};

const rowOf = async (core: Core, key: ApiKeyDocument): Promise<KeyRow> => ({
  ...pick(key, 'id', 'name', 'companyId', 'mode', 'createdAt', 'createdBy'),
  lastUsedAt: (await core.credentials.byId(key.id))?.lastUsedAt ?? null,
  revokedAt: key.revokedAt,
  openSessions: await core.submissions.countOpen(key.id, MAX_COUNTED),
});

const revoke = async ({ core, output, context, visible }: Stores, id: string): Promise<void> => {
  await visible(await core.administer.revokeKey(id, context));
  const revokedAt = (await core.credentials.byId(id))?.revokedAt;
  if (!revokedAt) throw new CommandFailed('key-not-revoked', `The key ${id} has no row of credentials.`);
  await output.answer(
    { id, revokedAt },
    () => `The key ${id} is refused since ${revokedAt}. Webhooks of its sessions still go out.`,
  );
};
