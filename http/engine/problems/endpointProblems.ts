import { sharedWithPages } from '../access/cors.ts';
import { isIdempotent } from '../request/idempotency.ts';
import type { Endpoint } from '../route.ts';
import { domainProblems } from './domainProblems.ts';
import { type Code, problems } from './problemTypes.ts';

type Rule = readonly [applies: (endpoint: Endpoint) => boolean, codes: readonly Code[]];

const underApi = ({ path }: Endpoint): boolean => path.startsWith('/api/');

/** Whether an API key is needed. */
export const keyed = ({ access }: Endpoint): boolean => access === 'anyKey' || access === 'company';

const administered = ({ access }: Endpoint): boolean => access === 'session' || access === 'superAdmin';

/** What follows from an endpoint's other members, in the order of refusal (problems-2). */
const rules: readonly Rule[] = [
  [() => true, ['malformed-request', 'request-timeout', 'expectation-failed', 'headers-too-large']],
  [keyed, ['unauthorized', 'key-revoked', 'rate-limited']],
  [({ access }) => access === 'company', ['company-required']],
  [({ access }) => access === 'operator', ['unauthorized', 'local-only', 'rate-limited']],
  [administered, ['unauthorized', 'rate-limited']],
  [({ path }) => sharedWithPages(path), ['origin-not-allowed']],
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
 * Every problem that an endpoint may answer: those that follow from its other members, and its `refusals`. The OpenAPI
 * document names them; tests hold every answer to them.
 */
export const problemsOf = (endpoint: Endpoint): readonly Code[] => {
  const derived = rules.flatMap(([applies, codes]) => (applies(endpoint) ? codes : []));
  return [...new Set([...derived, ...(endpoint.refusals ?? [])])];
};

/** The same by status, ascending. */
export const problemsByStatus = (endpoint: Endpoint): ReadonlyMap<number, readonly Code[]> => {
  const codes = problemsOf(endpoint);
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort((a, b) => a - b);
  return new Map(
    statuses.map((status) => [status, codes.filter((code) => problems[code].status === status)]),
  );
};

/** The problems that a broken rule of the domain becomes: those of a submission, of status 409, tell `currentStatus`, and `allowedFrom` where
 * another status would have allowed it. */
export const isOfDecision = (code: Code): boolean =>
  problems[code].status === 409 &&
  code !== 'invitation-consumed' &&
  [...domainProblems.values()].includes(code);
