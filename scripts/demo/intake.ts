import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The secrets that `intake key create` prints once. */
export type Secrets = Readonly<{ webhookSecret: string; standardWebhooksSecret: string }>;

/**
 * This build's command, unless INTAKE_EXECUTABLE (a setting or an environment variable) names another build's
 * `dist/cli/intake.js`: so that two can be compared.
 */
export const executable = ({ INTAKE_EXECUTABLE = process.env.INTAKE_EXECUTABLE }: Settings = {}): string =>
  INTAKE_EXECUTABLE ?? fileURLToPath(new URL('../../cli/intake.js', import.meta.url));
const run = promisify(execFile);

/** Settings as environment variables. */
export type Settings = Readonly<Record<string, string>>;

/** The output of a command of the command line. Throws with that output when it failed. */
export const intake = async (settings: Settings, ...args: readonly string[]): Promise<string> => {
  const env = { ...process.env, ...settings };
  return (await run(process.execPath, [executable(settings), ...args], { env })).stdout;
};

/** A company's identifier and a key of its own; the secrets are nowhere else. */
export type Tenant = Secrets & Readonly<{ companyId: string; keyId: string; key: string }>;

/** Makes a company that may use the workflow of a definition's file, and a key. */
export const createTenant = async (settings: Settings, name: string, definition: string): Promise<Tenant> => {
  const answer = async (...args: readonly string[]) => JSON.parse(await intake(settings, ...args, '--json'));
  const { id: companyId } = await answer('company', 'create', '--name', name);
  const { slug } = await answer('workflow', 'publish', definition);
  await answer('workflow', 'assign', slug, '--company', companyId);
  const { id: keyId, ...secrets } = await answer(
    'key',
    'create',
    '--company',
    companyId,
    '--name',
    'Bookkeeping',
  );
  return { companyId, keyId, ...secrets };
};

/** Invites the first person of the platform, who invites all others in the service itself. */
export const inviteOperator = async (settings: Settings, email: string): Promise<{ token: string }> =>
  JSON.parse(await intake(settings, 'invite', '--email', email, '--role', 'super_admin', '--json'));

/**
 * A running `intake serve`; `data` is the path of its data, `stop` lets it end in order, `ended` resolves
 * when it has ended, however that came.
 */
export type Server = Readonly<{
  url: string;
  data: string;
  pid: number;
  ended: Promise<unknown>;
  stop(): Promise<void>;
}>;

/** Starts `intake serve` and resolves once it answers. Its log goes to this process's standard error. */
export const startServer = async (settings: Settings, ...options: readonly string[]): Promise<Server> => {
  const child = spawn(process.execPath, [executable(settings), 'serve', '--json', ...options], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const first = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  if (first.done) throw new Error('the service did not start: see above');
  const { url, data, pid } = JSON.parse(first.value) as { url: string; data: string; pid: number };
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { url, data, pid, ended: exited, stop };
};
