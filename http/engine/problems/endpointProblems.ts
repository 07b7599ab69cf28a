import { type Permission, permissions } from '../../../domain/permissions.ts';
import { roles } from '../../../kernel/scope.ts';
import { isSharedWithPages } from '../access/cors.ts';
import { isIdempotent } from '../request/idempotency.ts';
import type { Endpoint } from '../route.ts';
import { domainProblems, type ProblemCode, problemTypes } from './problemTypes.ts';

type Rule = readonly [applies: (endpoint: Endpoint) => boolean, codes: readonly ProblemCode[]];

const underApi = ({ path }: Endpoint): boolean => path.startsWith('/api/');

/** The permission that an endpoint needs; null where it is open, or the operator's. */
const needed = ({ access }: Endpoint): Permission | null =>
  access === 'none' || access === 'page' || access === 'operator' ? null : permissions[access];

/** Whether API keys may call. */
export const isForKeys = (endpoint: Endpoint): boolean => needed(endpoint)?.keys ?? false;

/** Whether people may call. */
export const isForPeople = (endpoint: Endpoint): boolean => (needed(endpoint)?.roles.length ?? 0) > 0;

const isChangeByPeople = (endpoint: Endpoint): boolean => endpoint.method !== 'GET' && isForPeople(endpoint);

/** Whether a person's role may be another one than those that it needs. */
const isForSomeRoles = (endpoint: Endpoint): boolean =>
  (needed(endpoint)?.roles.length ?? roles.length) < roles.length;

/** Whether a request or its answer names a submission. */
const namesSubmission = ({ parameters = {}, answers }: Endpoint): boolean =>
  [parameters, ...Object.values(answers).map((schema) => Object(schema).properties ?? {})].some(
    (names) => 'submissionId' in names || 'sessionId' in names,
  );

/** What follows from an endpoint's other members, in the order of refusal (problems-2). */
const rules: readonly Rule[] = [
  [() => true, ['malformed-request', 'request-timeout', 'expectation-failed', 'headers-too-large']],
  [isForKeys, ['unauthorized', 'key-revoked', 'key-expired', 'rate-limited']],
  [isForSomeRoles, ['role-required']],
  [(endpoint) => needed(endpoint)?.scope === 'company', ['company-required']],
  [({ access }) => access === 'operator', ['unauthorized', 'local-only', 'rate-limited']],
  [isForPeople, ['unauthorized', 'rate-limited', 'company-required', 'origin-not-allowed']],
  [isChangeByPeople, ['csrf-token-required']],
  [({ path }) => isSharedWithPages(path), ['origin-not-allowed']],
  [({ body }) => body !== undefined, ['content-too-large', 'unsupported-media-type']],
  [isIdempotent, ['idempotency-key-in-use', 'idempotency-key-reused']],
  [(endpoint) => isIdempotent(endpoint) && namesSubmission(endpoint), ['submission-redacted']],
  [({ parameters }) => parameters !== undefined, ['not-found']],
  [({ body }) => body !== undefined, ['validation-failed']],
  [({ conditional }) => conditional === true, ['precondition-failed']],
  [() => true, ['internal-error']],
  [underApi, ['unavailable']],
];

/**
 * Every problem that an endpoint may answer: those that follow from its other members, and its `refusals`.
 * The OpenAPI document names them; tests compare every answer with them.
 */
export const problemsOf = (endpoint: Endpoint): readonly ProblemCode[] => {
  const derived = rules.flatMap(([applies, codes]) => (applies(endpoint) ? codes : []));
  return [...new Set([...derived, ...(endpoint.refusals ?? [])])];
};

/** The same by status, ascending. */
export const problemsByStatus = (endpoint: Endpoint): ReadonlyMap<number, readonly ProblemCode[]> => {
  const codes = problemsOf(endpoint);
  const statuses = [...new Set(codes.map((code) => problemTypes[code].status))].sort((a, b) => a - b);
  return new Map(
    statuses.map((status) => [status, codes.filter((code) => problemTypes[code].status === status)]),
  );
};

/** The 409s of rules that refuse no decision on a submission. */
const OF_NO_DECISION: readonly ProblemCode[] = [
  ...(['no-password', 'redaction-not-done', 'evaluation-ended'] as const),
  ...(['invitation-consumed', 'email-taken', 'user-disabled', 'last-administrator', 'own-role'] as const),
  ...(['person-not-disabled', 'person-redacted', 'invitation-open'] as const),
  ...(['key-not-active', 'secret-shown-once', 'too-many-endpoints', 'version-taken'] as const),
  ...(['publish-gate-closed'] as const),
];

/** Whether a problem refuses a decision on a submission, and so has `currentStatus`. */
export const refusesDecision = (code: ProblemCode): boolean =>
  problemTypes[code].status === 409 &&
  !OF_NO_DECISION.includes(code) &&
  [...domainProblems.values()].includes(code);
