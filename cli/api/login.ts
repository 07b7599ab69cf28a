import { profile, serviceUrl } from '../arguments.ts';
import { type Command, type Common, leaf } from '../commandLine.ts';
import { createOutput } from '../output.ts';
import { clientOf, onService, overHttp, type Service } from '../overHttp.ts';
import { DEFAULT_PROFILE, profileFile, removeProfile, writeProfile } from '../profiles.ts';
import { identityOf, identityText } from './identity.ts';

/** `intake login`, `logout` and `whoami`: the account of commands over HTTP. */
export const addLoginCommands = (program: Command): void => {
  leaf(program, 'login', 'store the address of a service and a key of it', [
    'intake login https://intake.example.com',
    'intake login https://intake.example.com --profile test',
    'intake login http://127.0.0.1:3000 --key-stdin < key.txt',
  ])
    .argument('<url>', 'the address of the service', serviceUrl)
    .option('--key-stdin', 'read the key from standard input: without it the terminal asks for it')
    .option('--profile <name>', 'the name to store it under, to have several', profile, DEFAULT_PROFILE)
    .action(login);
  leaf(program, 'logout', 'forget a stored key; the service still takes it', [
    'intake logout',
    'intake logout --profile test',
  ])
    .option('--profile <name>', 'the name that it is stored under', profile, DEFAULT_PROFILE)
    .action(logout);
  overHttp(program, 'whoami', 'show which service, company and mode commands are for', [
    'intake whoami',
    'intake whoami --profile test --json | jq -r .company.name',
  ]).action(onService(whoami));
};

type LoginOptions = Common & Readonly<{ keyStdin?: boolean; profile: string }>;

const login = async (url: string, { json, keyStdin = false, profile }: LoginOptions): Promise<void> => {
  const { askForKey } = await import('./askForKey.ts');
  const output = createOutput(json);
  if (isExposed(url))
    output.notice(`${url} is not encrypted: others on the way can read the key. Use https.`);
  const account = { url, key: await askForKey(keyStdin) };
  const identity = await identityOf(await clientOf(account), url);
  writeProfile(profile, account);
  const file = profileFile(profile);
  if (process.env.INTAKE_KEY) output.notice('INTAKE_KEY is set, and comes first.');
  await output.answer(
    { profile, ...identity, file },
    () => `${identityText(identity)}\nThe key is in ${file}.`,
  );
};

/** Without TLS, and not on this machine. */
const isExposed = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
};

const logout = async ({ json, profile }: Common & Readonly<{ profile: string }>): Promise<void> => {
  const removed = removeProfile(profile);
  await createOutput(json).answer({ profile, removed }, () =>
    removed
      ? `The key of the profile ${profile} is forgotten. The service still takes it until it is revoked.`
      : `Nothing is stored under the profile ${profile}.`,
  );
};

const whoami = async ({ account, intake, output }: Service): Promise<void> => {
  const identity = await identityOf(intake, account.url);
  const { source } = account;
  await output.answer({ ...identity, source }, () => `${identityText(identity)}\nThe key is from ${source}.`);
};
