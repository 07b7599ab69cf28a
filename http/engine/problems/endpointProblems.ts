import { isSharedWithPages } from '../access/cors.ts';
import { isIdempotent } from '../request/idempotency.ts';
import type { Endpoint } from '../route.ts';
import { domainProblems, type ProblemCode, problemTypes } from './problemTypes.ts';

type Rule = readonly [applies: (endpoint: Endpoint) => boolean, codes: readonly ProblemCode[]];

const underApi = ({ path }: Endpoint): boolean => path.startsWith('/api/');

/** Whether an API key is required. */
export const needsKey = ({ access }: Endpoint): boolean => access === 'anyKey' || access === 'company';

const needsSession = ({ access }: Endpoint): boolean => access === 'session' || access === 'superAdmin';

/** What follows from an endpoint's other members, in the order of refusal (problems-2). */
const rules: readonly Rule[] = [
  [() => true, ['malformed-request', 'request-timeout', 'expectation-failed', 'headers-too-large']],
  [needsKey, ['unauthorized', 'key-revoked', 'rate-limited']],
  [({ access }) => access === 'company', ['company-required']],
  [({ access }) => access === 'operator', ['unauthorized', 'local-only', 'rate-limited']],
  [needsSession, ['unauthorized', 'rate-limited']],
  [({ path }) => isSharedWithPages(path), ['origin-not-allowed']],
  [({ access }) => access === 'superAdmin', ['super-admin-required']],
  [({ body }) => body !== undefined, ['content-too-large', 'unsupported-media-type']],
  [isIdempotent, ['idempotency-key-in-use', 'idempotency-key-reused']],
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

/** Whether a problem refuses a decision on a submission, and so has `currentStatus`. */
export const refusesDecision = (code: ProblemCode): boolean =>
  problemTypes[code].status === 409 &&
  code !== 'invitation-consumed' &&
  [...domainProblems.values()].includes(code);
