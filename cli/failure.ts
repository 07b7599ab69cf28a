import type { Fault } from '../kernel/fault.ts';
import { WrongUsage } from './commandLine.ts';

/** A command that can't be done, and why. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly code: string;
  readonly hint: string | null;
  readonly faults: readonly Fault[];

  constructor(code: string, message: string, hint: string | null = null, faults: readonly Fault[] = []) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.faults = faults;
  }
}

/** What is told of a failure. `exitCode`: 1 when it was tried and failed, 2 when the command line or the settings are wrong. */
type Problem = Readonly<{
  code: string;
  detail: string;
  hint: string | null;
  exitCode: 1 | 2;
  errors: readonly Fault[];
}>;

/** What people do about a broken rule, by its name. */
const HINTS: Readonly<Record<string, string>> = {
  CompanyNotFound: '`intake company list` shows the companies there are.',
  WorkflowNotFound:
    '`intake workflow list` shows what is published; `intake workflow publish FILE` publishes.',
  SubmissionNotFound: 'Are the settings (DATA_DIR, or the engines) those that the server uses?',
  SubmissionNotReprocessable: 'A round can begin for one that is failed or capture_quality_blocked.',
  SubmissionNotApproved: 'Only what is approved, and has not been synced, can be sent on.',
  SubmissionHasNoSync:
    'The version of the workflow that it was opened with names no sync target, or it is a test with a forced outcome.',
  SubmissionRedacted:
    'The key that opened its private data was destroyed: no target will ever get them from here.',
  WebhookDeliveryNotFound: '`intake webhooks list` shows them.',
  UserNotFound: '`intake user list` shows the users there are.',
  UserIsDisabled: '`intake user reset ID --enable` lets the user in again, with a new password.',
  InvitationNotFound: '`intake invite list` shows the invitations there are.',
  EmailTaken: '`intake user reset ID` gives a user a new password; `intake user list` shows the users.',
  RoleNeedsCompany: 'Give --company ID; `intake company list` shows the companies.',
  RoleTakesNoCompany: 'Leave --company out, or invite an org_admin.',
  KeyNeedsCompany: 'Give --company ID, the company of that user: `intake user list` shows it.',
  KeyOutsideCompany: '`intake user list` shows the company of each user.',
  ApiKeyNotFound: '`intake key list` shows the keys there are.',
};

/** Tells what went wrong and what to do about it. */
export const problemOf = (error: unknown): Problem => {
  if (!(error instanceof Error)) return problem('unexpected', String(error));
  if (error instanceof CommandFailed) return problem(error.code, error.message, error.hint, error.faults);
  if (error instanceof WrongUsage) {
    // Given in the place of its identifier, a key or a token would go on into logs of standard error.
    const message = error.message.replaceAll(SECRET, (_, prefix = '') => `${prefix}…`);
    return { ...problem('wrong-usage', message, `See \`${error.command} --help\`.`), exitCode: 2 };
  }
  switch (error.name) {
    case 'InvalidSettings':
      return {
        ...problem('invalid-settings', 'The settings are not valid.', null, settingFaults(error)),
        exitCode: 2,
      };
    case 'DataDirInUse':
      return problem('data-dir-in-use', error.message);
    case 'DataDirDamaged':
      return problem('data-dir-damaged', error.message);
    case 'NoData':
      return { ...problem('no-data', error.message, NO_DATA_HINT), exitCode: 2 };
    case 'StoreUnavailable':
      return problem('store-unavailable', error.message);
    case 'StoreMisconfigured':
      return problem('store-misconfigured', error.message);
    case 'ChainBroken':
      return problem(
        'chain-broken',
        error.message,
        'Nothing was exported: keep the log as it is, and its backups.',
      );
    case 'SealBroken':
      return problem('seal-broken', `${error.message}: it was changed in the log, or its key was.`);
    case 'EventsNotFoldable':
      return problem(
        'events-not-foldable',
        error.message,
        'Nothing was exported. The event breaks its schema, or rests on one that only a newer release knows: export with that release.',
      );
    case 'PackageTooLarge':
      return problem('package-too-large', error.message, 'Nothing was exported.');
    case 'PackageRefused':
      return problem('package-refused', error.message);
    case 'NoPackage':
      return problem('no-package', error.message);
    case 'StoreDamaged':
      return problem('store-damaged', error.message);
  }
  if ('facts' in error) return problem(dashed(error.name), error.message, HINTS[error.name] ?? null);
  if ('syscall' in error) return ofSystem(error);
  return problem('unexpected', error.stack ?? error.message);
};

const NO_DATA_HINT =
  'Set DATA_DIR to the folder that the service uses, or run this where `./data` is that folder. `intake serve` and `intake company create` make a new one.';

/** The failure as text for people. */
export const textOf = ({ detail, hint, errors }: Problem): string =>
  [
    `intake: ${detail}`,
    ...errors.map((fault) => `  ${fault.pointer || '(the whole)'} ${fault.detail}`),
    ...(hint === null ? [] : [hint]),
    '',
  ].join('\n');

const problem = (
  code: string,
  detail: string,
  hint: string | null = null,
  errors: readonly Fault[] = [],
): Problem => ({ code, detail, hint, exitCode: 1, errors });

const settingFaults = (error: Error): readonly Fault[] =>
  'faults' in error && Array.isArray(error.faults)
    ? error.faults.map(({ name, detail }: { name: string; detail: string }) => ({ pointer: name, detail }))
    : [];

/** What the operating system refused: the message says which call and file, a stack trace would tell no more. */
const ofSystem = (error: Error): Problem => {
  const { syscall, hostname } = { syscall: '', hostname: '', ...error };
  switch (syscall) {
    case 'listen':
      return notListening(error);
    case 'getaddrinfo':
      return problem(
        'no-such-address',
        `There is no address of ${hostname}.`,
        'Set HOST to a name or an address.',
      );
    default:
      return problem('refused-by-system', error.message);
  }
};

const notListening = (error: Error): Problem => {
  const { code, address, port } = { code: '', address: '', port: 0, ...error };
  switch (code) {
    case 'EADDRINUSE':
      return problem(
        'address-in-use',
        `Port ${port} on ${address} is taken by another program.`,
        'Set PORT (the API) or STORAGE_PORT (the embedded object store) to a free one.',
      );
    case 'EADDRNOTAVAIL':
      return problem('no-such-address', `This machine has no address ${address}.`, 'Set HOST to one it has.');
    default:
      return problem('not-listening', error.message, 'HOST, PORT and STORAGE_PORT say where it listens.');
  }
};

/** A key, a session token, an invitation's token: no identifier of ours is as long. */
const SECRET = /(aok_|ast_)[\w-]{8,}|[\w-]{43,}/g;

const dashed = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
