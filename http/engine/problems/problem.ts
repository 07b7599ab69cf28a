import { DomainError } from '../../../kernel/decider.ts';
import { StoreUnavailable, WrongExpectedRevision } from '../../../kernel/errors.ts';
import type { Fault } from '../../../kernel/fault.ts';
import { domainProblems } from './domainProblems.ts';
import { type Code, problems } from './problemTypes.ts';

type Extra = Readonly<{
  headers?: Readonly<Record<string, string>>;
  /** Members beside the standard ones: `errors`, `currentStatus`, `allowedFrom`, `fraudMatches`, `checks`. */
  members?: Readonly<Record<string, unknown>>;
}>;

/** A refusal, to be thrown: it becomes the answer. `detail` is for the caller's eyes. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: Code;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: Code, detail: string = problems[code].detail, extra: Extra = {}) {
    super(detail);
    this.code = code;
    this.status = problems[code].status;
    this.headers = extra.headers ?? {};
    this.members = extra.members ?? {};
  }
}

const FAULTS_TOLD = 50;

/** A 400 that names what is malformed. Pointers outside the body begin with `/query`, `/path` or `/headers`. */
export const malformed = (errors: readonly Fault[]): Problem =>
  new Problem('malformed-request', errors[0]?.detail, { members: { errors: errors.slice(0, FAULTS_TOLD) } });

/**
 * A 422 that names up to fifty faults of a body, the first one in `detail` too: some clients log only that.
 */
export const invalid = (errors: readonly Fault[], detail = summaryOf(errors)): Problem =>
  new Problem('validation-failed', detail, { members: { errors: errors.slice(0, FAULTS_TOLD) } });

const LONGEST_POINTER = 200;

const summaryOf = ([first, ...others]: readonly Fault[]): string | undefined => {
  if (first === undefined || first.pointer.length > LONGEST_POINTER) return undefined;
  const more = others.length === 0 ? '' : ` And ${others.length} more: see \`errors\`.`;
  return `${first.pointer || 'The body'} ${first.detail}.${more}`;
};

/**
 * The answer that an error stands for: a broken rule its own, a store that is away 503, all else a 500 that tells nothing. `away` names the
 * parts of the service that are away.
 */
export const problemOf = (error: unknown, away: readonly string[] = []): Problem => {
  if (error instanceof Problem) return error;
  if (error instanceof DomainError) return ofRule(error);
  if (error instanceof StoreUnavailable) return unavailable(away);
  if (error instanceof WrongExpectedRevision) return new Problem('concurrent-change');
  return new Problem('internal-error');
};

/** A 503 that names the parts of the service that are away, as GET /health/ready does. */
export const unavailable = (parts: readonly string[]): Problem => {
  const { detail } = problems.unavailable;
  const named = parts.length === 0 ? detail : `${detail.slice(0, -1)}: it waits for ${parts.join(', ')}.`;
  return new Problem('unavailable', named, { headers: { 'Retry-After': '1' } });
};

const ofRule = ({ name, message, facts }: DomainError): Problem => {
  const code = domainProblems.get(name) ?? 'internal-error';
  const { status } = problems[code];
  if (status === 409) return new Problem(code, message, { members: facts });
  if (status === 422) return invalid(Array.isArray(facts.errors) ? facts.errors : [], message);
  if (status === 429) return new Problem(code, message, { headers: { 'Retry-After': '1' } });
  return new Problem(code);
};

/** The body of a problem answer (problems-8). `instance` is the path, null where it could not be read. */
export const problemBody = (problem: Problem, requestId: string, instance: string | null): string => {
  const { code, message: detail, status } = problem;
  const { title, retryable } = problems[code];
  const { members } = problem;
  return JSON.stringify({
    type: `/problems/${code}`,
    title,
    status,
    detail,
    instance,
    code,
    requestId,
    retryable,
    ...members,
  });
};
