import { company, companyStream } from '../domain/company.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Role } from '../kernel/scope.ts';
import { isCommonPassword } from '../stores/commonPasswords.ts';
import type { EventLog } from '../stores/events/log.ts';
import { load } from './load.ts';

/** Whose password it is to be. `companyName`: null for a super_admin. */
type Whose = Readonly<{ email: string; companyName: string | null }>;

/** Shorter names are in many passwords by chance. */
const MIN_NAME = 4;

/**
 * That a password is none that others would guess first: common, or made of the person's e-mail or company.
 * Throws `PasswordRefused` with each reason.
 */
export const requireGoodPassword = async (password: string, { email, companyName }: Whose): Promise<void> => {
  const errors = [
    ...((await isCommonPassword(folded(password))) ? [COMMON] : []),
    ...(containsAny(password, [email, email.split('@')[0] ?? '']) ? [OF_EMAIL] : []),
    ...(containsAny(password, [companyName ?? '']) ? [OF_COMPANY] : []),
  ].map((detail) => ({ pointer: '/password', detail }));
  const [first] = errors;
  if (first) throw new DomainError('PasswordRefused', `${first.pointer} ${first.detail}.`, { errors });
};

const COMMON = 'is one of the 10,000 most common passwords: choose several words that are not said together';
const OF_EMAIL = 'has the e-mail, or what stands before its @, in it: choose one without';
const OF_COMPANY = 'has the name of the company in it: choose one without';

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Punctuation and spaces hide no name: "acme-trading" is "ACME Trading". */
const bare = (text: string): string => folded(text).replace(/[\p{P}\p{S}\p{Z}]/gu, '');

const containsAny = (password: string, names: readonly string[]): boolean =>
  names.map(bare).some((name) => name.length >= MIN_NAME && bare(password).includes(name));

/** The name of a company; null for none. */
export const companyNameOf = async (log: EventLog, companyId: string | null): Promise<string | null> =>
  companyId === null ? null : ((await load(log, company, companyStream(companyId)))?.name ?? null);

/**
 * Whether a person may have a password, and log in with it: with PASSWORD_LOGIN=off only a super_admin who is
 * not bound to an account of the identity provider (logins-16, logins-25).
 */
export const mayUsePassword = (
  passwordLogIn: boolean,
  { role, subjectId }: Readonly<{ role: Role | null; subjectId: string | null }>,
): boolean => passwordLogIn || (role === 'super_admin' && subjectId === null);

/** That a password can't be set by who could not log in with it. */
export const passwordLogInOff = (): DomainError =>
  new DomainError('PasswordLogInOff', 'People log in by the identity provider here.');
