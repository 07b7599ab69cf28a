import { exampleOf } from '../../schemas/examples.ts';
import { BlockingMatch, Problem as ProblemSchema } from '../../schemas/problems.ts';
import { Claim } from '../../schemas/reviewQueue.ts';
import { refusesDecision } from '../engine/problems/endpointProblems.ts';
import { Problem, problemBody } from '../engine/problems/problem.ts';
import { type ProblemCode, problemTypes } from '../engine/problems/problemTypes.ts';
import { isStored } from '../engine/request/idempotency.ts';
import { type HeaderKey, headersOf, rateHeaders } from './headers.ts';
import type { Json, Refer, Reference, ResponseObject } from './types.ts';

/** The responses of problems, which operations share: each set of codes is one component. */
export const createProblemAnswers = (refer: Refer) => {
  const used = new Map<string, ResponseObject>();
  return {
    /**
     * The answer of one status with these codes, by reference; `more`: headers of answers that are stored.
     */
    answer: (status: number, codes: readonly ProblemCode[], more: readonly HeaderKey[]): Reference => {
      const added = isStored(status) ? more : [];
      const name = [codes.join('.'), ...added].join('_');
      if (!used.has(name)) used.set(name, answerOf(codes, [...headersAt(status, codes), ...added], refer));
      return { $ref: `#/components/responses/${name}` };
    },
    answers: (): Readonly<Record<string, ResponseObject>> =>
      Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

const answerOf = (
  codes: readonly ProblemCode[],
  headers: readonly HeaderKey[],
  refer: Refer,
): ResponseObject => ({
  description: codes.map((code) => `\`${code}\`: ${problemTypes[code].detail}`).join(' '),
  headers: headersOf(headers),
  content: {
    'application/problem+json': {
      schema: refer(ProblemSchema),
      examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }])),
    },
  },
});

const headersAt = (status: number, codes: readonly ProblemCode[]): readonly HeaderKey[] => {
  if (status === 401) return ['X-Request-Id', 'WWW-Authenticate'];
  const retry: readonly HeaderKey[] = status === 429 || status === 503 ? ['Retry-After-Refused'] : [];
  const inUse: readonly HeaderKey[] = codes.includes('idempotency-key-in-use') ? ['Retry-After'] : [];
  return ['X-Request-Id', ...retry, ...inUse, ...rateHeaders];
};

const problemExample = (code: ProblemCode): unknown => {
  const problem = new Problem(code, undefined, { members: membersOf(code) });
  return JSON.parse(problemBody(problem, 'order-4711-1', '/api/v1/workflows/receipt/sessions'));
};

const BLOCKED = {
  currentStatus: 'review',
  fraudMatches: [exampleOf(BlockingMatch)],
};

const members: Readonly<Partial<Record<ProblemCode, Json>>> = {
  'fraud-unresolved': BLOCKED,
  'fraud-confirmed': BLOCKED,
  claimed: { claim: exampleOf(Claim) },
  'not-ready': {
    checks: [{ name: 'projections', ok: false, detail: 'the read models are behind the log' }],
  },
  'malformed-request': {
    errors: [{ pointer: '/query/limit', detail: 'limit is not valid: the maximum number of items' }],
  },
  'validation-failed': { errors: [{ pointer: '/files/0/mimeType', detail: 'is required' }] },
};

const membersOf = (code: ProblemCode): Json =>
  members[code] ?? (refusesDecision(code) ? { currentStatus: 'approved', allowedFrom: ['review'] } : {});
