import { mutantsOf } from './mutant.ts';

/** Breakages of what is said of people: invitations, log-ins, passwords, sessions and names. */
export const peopleBroken = [
  mutantsOf('commands/keepAdministrator.ts', [['people-16', 'row.disabledAt === null &&', '']]),
  mutantsOf('commands/users.ts', [
    ['people-16', "!state.disabled && actor.kind !== 'operator'", 'false'],
    ['people-17', "actor.kind === 'user' && actor.id === userId", 'false'],
  ]),
  mutantsOf('http/routes/authSessions.ts', [
    ['logins-5', 'counted(failures.logIn', 'counted(failures.credential'],
    ['logins-20', ' ?? address;', ' === null ? address : address;'],
    ['logins-21', 'await rateLimits.logInBegun(client.address);', ''],
  ]),
  mutantsOf('outbound/openIdEmail.ts', [
    ['logins-22', "differs('email') || ", ''],
    ['logins-22', ' && token.email_verified !== undefined', ''],
  ]),
  mutantsOf('http/routes/people.ts', [['limits-6', 'await ports.limit(companyId);', '']]),
  mutantsOf('http/routes/people.ts', [
    ['people-18', "one.role === 'super_admin' || ", ''],
    ['people-18', 'disabledAt === null', 'true'],
  ]),
  mutantsOf('domain/activity.ts', [
    ['activity-2', 'event.data.companies ?? []', '[]'],
    ['activity-2', "UserLogInFailed: ['user.log_in_failed', person],", ''],
    ['activity-5', "'mode' in data ? [data.mode] : modes", 'modes'],
  ]),
  mutantsOf('domain/user.ts', [
    ['activity-2', "pick(state, 'userId', 'companyId')", "pick(state, 'userId')"],
  ]),
  mutantsOf('projections/activity.ts', [
    ['activity-4', "actor: 'actor.id'", "actor: 'actor.kind'"],
    ['activity-4', "subject: 'subject.id'", "subject: 'subject.kind'"],
  ]),
  mutantsOf('http/routes/activity.ts', [
    ['activity-1', '{ ...givenFilters(filters), ...own }', '{ ...givenFilters(filters), mode: own.mode }'],
    ['activity-3', "'type', 'actor', 'subject'", "'type', 'actor', 'subject', 'companyId'"],
    ['activity-4', '...givenFilters(filters), ', ''],
  ]),
  mutantsOf('projections/users.ts', [['people-14', 'lastLogInAt: metadata.at', 'lastLogInAt: null']]),
  mutantsOf('http/engine/access/people.ts', [
    ['people-1', 'roles.includes(role)', 'true'],
    ['people-2', 'cookie !== null && headers.authorization !== undefined', 'false'],
    ['people-3', "!isRead && !isSame(String(req.headers['x-csrf-token']), csrfToken)", 'false'],
    ['people-4', "role !== 'super_admin' && named !== companyId", 'false'],
    ['people-5', "header === undefined ? 'live'", "true ? 'live'"],
  ]),
  mutantsOf('schemas/identity.ts', [['invitations-7', 'minLength: 8', 'minLength: 7']]),
  mutantsOf('commands/acceptByEmail.ts', [
    ['logins-11', ').size > 1', ').size > 9'],
    ['logins-11', '=== accepts) ?? null', '=== accepts) ?? usable[0] ?? null'],
  ]),
  mutantsOf('commands/provenUser.ts', [
    ['logins-11', '!(await isOf(accepts, row))', 'false'],
    ['people-21', 'withoutNameMarks(name)', 'name'],
    ['logins-12', 'state?.subjectId !== subjectId', 'false'],
    ['logins-12', 'state?.subjectId === subjectId', 'state !== null'],
  ]),
  mutantsOf('commands/goodPassword.ts', [
    ['invitations-13', 'isCommonPassword(folded(password))', 'isCommonPassword(password)'],
    ['invitations-13', "email.split('@')[0]", "email.split('@')[1]"],
    ['invitations-13', "[companyName ?? '']", "['']"],
    ['invitations-13', 'MIN_NAME = 4', 'MIN_NAME = 3'],
    ['logins-25', ' && subjectId === null', ''],
    ['people-20', ' && subjectId === null', ''],
  ]),
  mutantsOf('stores/commonPasswords.ts', [['invitations-13', '10_000', '100_000']]),
  mutantsOf('commands/completeInvitation.ts', [
    ['invitations-14', '!mayUsePassword(passwordLogIn, { role, subjectId: null })', 'false'],
  ]),
  mutantsOf('commands/changePassword.ts', [
    ['people-19', 'row.passwordHash === passwordHash', 'true'],
    ['people-19', 'row.epoch + 1', 'row.epoch'],
    ['people-20', 'passwordHash === null', 'false'],
  ]),
  mutantsOf('stores/identity.ts', [['people-19', 'goesOn?.epoch === epoch &&', '']]),
  mutantsOf('kernel/nameMarks.ts', [
    ['people-21', 'u200f', 'u200e'],
    ['people-21', 'u202e', 'u202d'],
  ]),
  mutantsOf('projections/users.ts', [['person-redaction-1', ', name: REDACTED', '']]),
  mutantsOf('domain/user.ts', [
    ['person-redaction-2', 'if (!disabled)', 'if (false)'],
    ['person-redaction-2', 'if (found.redacted)', 'if (false)'],
  ]),
  mutantsOf('http/routes/redactPeople.ts', [['person-redaction-3', 'isWithin(caller, found)', 'true']]),
  mutantsOf('commands/redactPeople.ts', [
    ['activity-1', 'invited?.companyId === state.companyId', 'true'],
    ['person-redaction-4', 'await identity.removeSessions(userId);', ''],
    ['person-redaction-4', 'await identity.releaseEmail(emailId, userId);', ''],
    ['person-redaction-6', '(await whyUnusable(ports, found)) === null', 'false'],
    ['person-redaction-7', 'await destroyKey(invitationId, redacted.id);', ''],
    ['person-redaction-7', 'await claimed(state)', 'null'],
    ['person-redaction-7', 'await ports.disableAgain(userId, context)', 'return "held"'],
  ]),
  mutantsOf('projections/invitations.ts', [
    ['person-redaction-5', 'normalEmail: normalEmail(email),', 'normalEmail: email,'],
  ]),
  mutantsOf('commands/forgetAgain.ts', [['person-redaction-7', "subject.startsWith('usr_')", 'false']]),
  mutantsOf('commands/users.ts', [['logins-12', 'await release(await load(', 'void (await load(']]),
  mutantsOf('commands/authenticate.ts', [
    ['logins-1', '12 * 3_600_000', '24 * 3_600_000'],
    ['logins-6', 'addSession(hashToken(token)', 'addSession(token'],
    ['people-6', 'IDLE_MS = 2', 'IDLE_MS = 3'],
  ]),
].flat();
