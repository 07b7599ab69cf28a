import type { IntakeError } from '../client/index.ts';
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

/**
 * A failure as it is reported. `exitCode`: 1 when it was tried and failed, 2 when the command line or the
 * settings are wrong.
 */
type Problem = Readonly<ReturnType<typeof problem> & { requestId?: string }>;

/**
 * Errors whose message is for operators, and what to do about them; null: nothing more. The code is the
 * dashed name.
 */
const HINTS: Readonly<Record<string, string | null>> = {
  DataDirInUse: null,
  DataDirDamaged: null,
  NoData:
    'Set DATA_DIR to the folder that the service uses, or run this where `./data` is that folder. `intake serve` and `intake company create` make a new one.',
  NotLoggedIn:
    'Log in: intake login URL, with --profile NAME for one of several accounts. Or set INTAKE_URL and INTAKE_KEY.',
  StoreUnavailable: null,
  ReadModelNotBuilt:
    'A running `intake serve` builds it by itself: `intake projections status` shows how far. Without one: `intake projections rebuild`, with its name.',
  StoreMisconfigured: null,
  StoreDamaged: null,
  ChainBroken: 'Nothing was exported: keep the log as it is, and its backups.',
  EventsNotFoldable:
    'Nothing was exported. The event breaks its schema, or rests on one that only a newer release supports: export with that release.',
  PageNotRead: null,
  PackageTooLarge: 'Nothing was exported.',
  PackageRefused: null,
  OtherFilter: 'Give the filter of the first start, or another folder.',
  NoPackage: null,
  CompanyNotFound: '`intake company list` shows the companies there are.',
  WorkflowNotFound:
    '`intake workflow list` shows what is published; `intake workflow publish FILE` publishes.',
  SubmissionNotFound: 'Are the settings (DATA_DIR, or the engines) those that the server uses?',
  SubmissionNotReprocessable: 'A round can start for one that is failed or capture_quality_blocked.',
  SubmissionNotApproved: 'Only what is approved, and has not been synced, can be sent on.',
  SubmissionHasNoSync:
    'The version of the workflow that it was opened with names no sync target, or it is a test with a forced outcome.',
  SubmissionRedacted:
    'The key that opened its private data was destroyed: no target will ever get them from here.',
  WebhookDeliveryNotFound: '`intake webhooks list` shows them.',
  UserNotFound: '`intake user list` shows the users there are.',
  UserIsDisabled:
    '`intake user enable ID` lets the user in again, `intake user reset ID --enable` with a new password.',
  InvitationNotFound: '`intake invite list` shows the invitations there are.',
  EmailTaken: '`intake user reset ID` gives a user a new password; `intake user list` shows the users.',
  RoleNeedsCompany: 'Give --company ID; `intake company list` shows the companies.',
  RoleTakesNoCompany: 'Leave --company out, or choose another role.',
  KeyNeedsCompany: 'Give --company ID, the company of that user: `intake user list` shows it.',
  RoleMakesNoKeys: 'Name an org_admin or a super_admin: `intake user list` shows the role of each user.',
  KeyOutsideCompany: '`intake user list` shows the company of each user.',
  RoleKeepsCompany: 'Leave --company out. To work for another company a person needs another e-mail.',
  ApiKeyIsRevoked: 'Make a new key: intake key create.',
  ApiKeyIsRotated: '`intake key list` shows the key that replaced it: rotate that one.',
  ApiKeyNotFound: '`intake key list` shows the keys there are.',
};

/** What went wrong, and what to do about it. */
export const problemOf = (error: unknown): Problem => {
  if (!(error instanceof Error)) return problem('unexpected', String(error));
  if (error instanceof CommandFailed) return problem(error.code, error.message, error.hint, error.faults);
  if (error instanceof WrongUsage) {
    // Given in the place of its identifier, a key or a token would go on into logs of standard error.
    const message = error.message.replaceAll(SECRET, (_, prefix = '') => `${prefix}…`);
    return { ...problem('wrong-usage', message, `See \`${error.command} --help\`.`), exitCode: 2 };
  }
  if (error.name === 'InvalidSettings') {
    const invalid = problem('invalid-settings', 'The settings are not valid.', null, settingFaults(error));
    return { ...invalid, exitCode: 2 };
  }
  if (isOfService(error)) return ofService(error);
  const { name, message } = error;
  if (name === 'SealBroken')
    return problem('seal-broken', `${message}: it was changed in the log, or its key was.`);
  if (Object.hasOwn(HINTS, name) || 'facts' in error) {
    const reported = problem(dashed(name), message, HINTS[name] ?? null);
    return { ...reported, exitCode: name === 'NoData' || name === 'NotLoggedIn' ? 2 : 1 };
  }
  if ('syscall' in error) return ofSystem(error);
  return problem('unexpected', error.stack ?? error.message);
};

/** The failure as text for people. */
export const textOf = ({ detail, hint, errors, requestId }: Problem): string =>
  [
    `intake: ${detail}`,
    // A single fault is the detail itself.
    ...errors
      .map((fault) => `${fault.pointer || '(the whole)'} ${fault.detail}`)
      .filter((words) => detail !== `${words}.`)
      .map((words) => `  ${words}`),
    ...(requestId === undefined ? [] : [`  request ${requestId}`]),
    ...(hint === null ? [] : [hint]),
    '',
  ].join('\n');

/** What a service answered, or that it did not. The client is not loaded here: commands must start fast. */
const isOfService = (error: Error): error is IntakeError => error.name === 'IntakeError';

const ofService = ({ code, message, problem: told, requestId }: IntakeError): Problem => ({
  ...problem(code, told?.detail ?? message, SERVICE_HINTS[code] ?? null, told?.errors ?? []),
  ...(requestId !== null && { requestId }),
});

const OTHER_KEY = '`intake whoami` shows the account that is used; `intake login URL` stores another key.';

/** What to do about a problem of a service, by its code. */
const SERVICE_HINTS: Readonly<Record<string, string>> = {
  unauthorized: OTHER_KEY,
  'key-revoked': OTHER_KEY,
  'key-expired': OTHER_KEY,
  'not-found':
    '`intake workflows list` and `intake submissions list` show what the key sees; `intake whoami` shows the key.',
  unreachable: 'Is the address right, and is the service running? `intake serve` runs one here.',
  'precondition-failed': '`intake submissions show` shows what has changed, and the revision.',
  'still-processing': 'It goes on all the same: wait again, or longer with --timeout.',
};

const problem = (
  code: string,
  detail: string,
  hint: string | null = null,
  errors: readonly Fault[] = [],
) => ({ code, detail, hint, exitCode: 1 as 1 | 2, errors });

const settingFaults = (error: Error): readonly Fault[] =>
  'faults' in error && Array.isArray(error.faults)
    ? error.faults.map(({ name, detail }: { name: string; detail: string }) => ({ pointer: name, detail }))
    : [];

/**
 * What the operating system refused: the message says which call and file, a stack trace would add nothing.
 */
const ofSystem = (error: Error): Problem => {
  const { syscall, code, hostname, address, port } = { ...NO_FACTS, ...error };
  if (syscall === 'getaddrinfo') {
    const hint = 'Set HOST to a name or an address.';
    return problem('no-such-address', `There is no address of ${hostname}.`, hint);
  }
  if (syscall !== 'listen') return problem('refused-by-system', error.message);
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

const NO_FACTS = { syscall: '', code: '', hostname: '', address: '', port: 0 };

/** A key, a session token, an invitation's token: no identifier is as long. */
const SECRET = /(aok_|ast_)[\w-]{8,}|[\w-]{43,}/g;

const dashed = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
