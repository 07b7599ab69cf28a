import { DomainError } from '../../../kernel/decider.ts';
import {
  IdentityProviderUnavailable,
  ReadModelNotBuilt,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../../kernel/errors.ts';
import type { Fault } from '../../../kernel/fault.ts';
import { domainProblems, type ProblemCode, problemTypes } from './problemTypes.ts';

type Extra = Readonly<{
  headers?: Readonly<Record<string, string>>;
  /** Members beside the standard ones: `errors`, `currentStatus`, `allowedFrom`, `fraudMatches`, `checks`. */
  members?: Readonly<Record<string, unknown>>;
}>;

/** A refusal, to be thrown: it becomes the answer. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, detail: string = problemTypes[code].detail, extra: Extra = {}) {
    super(detail);
    this.code = code;
    this.status = problemTypes[code].status;
    this.headers = extra.headers ?? {};
    this.members = extra.members ?? {};
  }
}

const MAX_FAULTS = 50;

/**
 * A 400 that names what is malformed. Pointers outside the body begin with `/query`, `/path` or `/headers`.
 */
export const malformed = (errors: readonly Fault[]): Problem =>
  new Problem('malformed-request', errors[0]?.detail, { members: { errors: errors.slice(0, MAX_FAULTS) } });

/**
 * A 422 that names up to fifty faults of a body, the first one in `detail` too: some clients log only that.
 */
export const invalid = (errors: readonly Fault[], detail = summaryOf(errors)): Problem =>
  new Problem('validation-failed', detail, { members: { errors: errors.slice(0, MAX_FAULTS) } });

const MAX_POINTER = 200;

const summaryOf = ([first, ...others]: readonly Fault[]): string | undefined => {
  if (first === undefined || first.pointer.length > MAX_POINTER) return undefined;
  const more = others.length === 0 ? '' : ` And ${others.length} more: see \`errors\`.`;
  return `${first.pointer || 'The body'} ${first.detail}.${more}`;
};

/**
 * The problem that an error is answered with: that of a DomainError, 503 for an unavailable store or identity
 * provider, otherwise a 500 that reveals nothing. `unavailableParts` are those of the service.
 */
export const problemOf = (error: unknown, unavailableParts: readonly string[] = []): Problem => {
  if (error instanceof Problem) return error;
  if (error instanceof DomainError) return ofDomainError(error);
  if (error instanceof ReadModelNotBuilt)
    return new Problem('unavailable', error.message, { headers: { 'Retry-After': '5' } });
  if (error instanceof StoreUnavailable) return unavailable(unavailableParts);
  if (error instanceof IdentityProviderUnavailable)
    return new Problem('identity-provider-unavailable', undefined, { headers: { 'Retry-After': '5' } });
  if (error instanceof WrongExpectedRevision) return new Problem('concurrent-change');
  return new Problem('internal-error');
};

/** A 503 that names the unavailable parts of the service, as GET /health/ready does. */
export const unavailable = (parts: readonly string[]): Problem => {
  const { detail } = problemTypes.unavailable;
  const named = parts.length === 0 ? detail : `${detail.slice(0, -1)}: it waits for ${parts.join(', ')}.`;
  return new Problem('unavailable', named, { headers: { 'Retry-After': '1' } });
};

const ofDomainError = ({ name, message, facts }: DomainError): Problem => {
  const code = domainProblems.get(name) ?? 'internal-error';
  const { status } = problemTypes[code];
  if (status === 409) return new Problem(code, message, { members: facts });
  if (status === 422) return invalid(Array.isArray(facts.errors) ? facts.errors : [], message);
  if (status === 429) return new Problem(code, message, { headers: { 'Retry-After': '1' } });
  return new Problem(code);
};

/** The body of a problem answer (problems-8). `instance` is the path, null where it could not be read. */
export const problemBody = (problem: Problem, requestId: string, instance: string | null): string => {
  const { code, message: detail, status, members } = problem;
  const { title, retryable } = problemTypes[code];
  const type = `/problems/${code}`;
  return JSON.stringify({ type, title, status, detail, instance, code, requestId, retryable, ...members });
};
