import { OPERATOR } from '../domain/apiKey.ts';
import { type ApiKeyItem, MAX_OPEN_SESSIONS, withUse } from '../projections/apiKeys.ts';
import { collect } from '../projections/engine/pages.ts';
import { companyId, email, keyId, name, overlap } from './arguments.ts';
import { type Command, type Common, group, leaf, WrongUsage } from './commandLine.ts';
import type { Columns } from './output.ts';
import type { Runtime } from './runtime.ts';
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
  leaf(key, 'rotate', 'replace a key by a new one; its secrets are shown this once', [
    'intake key rotate key_01hv6x3m8q2r5t7w9y0a1b2c3d',
    'intake key rotate key_01hv6x3m8q2r5t7w9y0a1b2c3d --overlap 3600',
  ])
    .argument('<id>', 'the key, by its identifier', keyId)
    .option(
      '--overlap <seconds>',
      'how long both work, 30 days at most; 0 revokes the old one',
      overlap,
      ONE_DAY_S,
    )
    .action(rotate(runtime));
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
          options.as === undefined ? OPERATOR : await core.users.requireKeyMaker(options.as, company);
        const input = { companyId: company, mode, name: options.name ?? null, createdBy } as const;
        const { id, key, hash, position } = await core.keys.createKey(input, context);
        await visible(position);
        const answer = { id, key, webhookSecret: hash, standardWebhooksSecret: standardWebhooksSecret(hash) };
        await output.answer(answer, () => secretsText(answer));
      },
      { create: unscoped },
    );
  };

const ONE_DAY_S = 86_400;

const rotate =
  (runtime: Runtime) =>
  async (id: string, options: Common & Readonly<{ overlap: number }>): Promise<void> => {
    const { standardWebhooksSecret } = await import('../outbound/sign.ts');
    await withStores(runtime, options, async ({ core, output, context, visible }) => {
      const input = { keyId: id, overlapSeconds: options.overlap, createdBy: OPERATOR };
      const { made, expiresAt, position } = await core.keys.rotateKey(input, context);
      await visible(position);
      const { key, hash } = made;
      const secrets = { key, webhookSecret: hash, standardWebhooksSecret: standardWebhooksSecret(hash) };
      const answer = { id: made.id, ...secrets, replaced: { id, expiresAt } };
      const until = `The key ${id} is refused from ${expiresAt} on.`;
      await output.answer(answer, () => `${secretsText({ id: made.id, ...secrets })}\n${until}`);
    });
  };

const secretsText = (secrets: Readonly<Record<string, string>>): string =>
  [
    ...Object.entries(secrets).map(([name, value]) => `${name.padEnd(24)}${value}`),
    'Keep them now: the key itself is not stored, and they are never shown again.',
  ].join('\n');

const columns: Columns<ApiKeyItem> = {
  ID: ({ id }) => id,
  NAME: (key) => key.name,
  COMPANY: (key) => key.companyId,
  MODE: ({ mode }) => mode,
  CREATED: ({ createdAt }) => createdAt,
  BY: ({ createdBy }) => createdBy,
  'LAST USED': ({ lastUsedAt }) => lastUsedAt,
  REVOKED: ({ revokedAt }) => revokedAt,
  EXPIRES: ({ expiresAt }) => expiresAt,
  'OPEN SESSIONS': ({ openSessions }) =>
    openSessions < MAX_OPEN_SESSIONS ? openSessions : `${MAX_OPEN_SESSIONS}+`,
};

const list = async ({ core, output, upToDate }: Stores): Promise<void> => {
  await upToDate();
  const { items } = await collect(core.apiKeys.list);
  const { countOpen } = core.submissions;
  const rows = await withUse({ rows: core.credentials.byIds, countOpen })(items);
  const empty = `There is no key in ${core.locations.all} yet. Make one: intake key create --company ID`;
  await output.list(rows, columns, empty);
};

const revoke = async ({ core, output, context, visible }: Stores, id: string): Promise<void> => {
  const { revokedAt, position } = await core.keys.revokeKey(id, context);
  await visible(position);
  await output.answer(
    { id, revokedAt },
    () => `The key ${id} is refused since ${revokedAt}. Webhooks of its sessions still go out.`,
  );
};
