import type { Person } from '../../../commands/authenticate.ts';
import type { permissions } from '../../../domain/permissions.ts';
import type { Actor } from '../../../kernel/event.ts';
import type { Mode } from '../../../kernel/scope.ts';
import type { KeyRow } from '../../../stores/credentials.ts';

/** A request's API key. */
export type KeyCaller = Readonly<{ kind: 'key' }> & Pick<KeyRow, 'keyId' | 'companyId' | 'mode'>;

/**
 * A request's person. `companyId` is the company that the request is about, which a super_admin names;
 * `csrfToken` is null unless the session is in a cookie.
 */
export type PersonCaller = Readonly<{ kind: 'person'; mode: Mode; csrfToken: string | null }> & Person;

export type Caller = KeyCaller | PersonCaller;
export type CompanyCaller = Caller & Readonly<{ companyId: string }>;

type Permissions = typeof permissions;

/** Who may call with a permission: keys, people, of a company or of none, as its row says. */
export type CallerWith<Name extends keyof Permissions> = (
  | (Permissions[Name]['keys'] extends true ? KeyCaller : never)
  | (Permissions[Name]['roles'] extends readonly [] ? never : PersonCaller)
) &
  (Permissions[Name]['scope'] extends 'company' ? Readonly<{ companyId: string }> : unknown);

/**
 * Within what an Idempotency-Key is unique beside its path: the key, or what the person acts for
 * (idempotency-6).
 */
export const callerIdOf = (caller: Caller): string =>
  caller.kind === 'key' ? caller.keyId : [caller.userId, caller.companyId, caller.mode].join(' ');

/** The caller as events and records name it. */
export const actorOf = (caller: Caller): Actor =>
  caller.kind === 'key' ? { kind: 'key', id: caller.keyId } : { kind: 'user', id: caller.userId };
