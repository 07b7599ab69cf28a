import type { Context } from '../../commands/handle.ts';
import type { Company } from '../../domain/company.ts';
import type { Submission } from '../../domain/submission/state.ts';
import type { Cause } from '../../kernel/event.ts';
import type { Fault } from '../../kernel/fault.ts';
import type { Traced } from '../../kernel/trace.ts';
import type { SubmissionDocument } from '../../projections/submissions.ts';
import type { LoadedStream } from '../../stores/events/log.ts';
import type { Reserved } from '../../stores/idempotency/port.ts';
import { actorOf, type Caller, type CompanyCaller, type PersonCaller } from '../engine/access/caller.ts';

type CausingRequest = Readonly<{ requestId: string; reserved: Reserved; trace: Traced }>;

/** A request as the cause of events. */
export const causeOf = ({ requestId, reserved: { correlationId }, trace }: CausingRequest): Cause => ({
  requestId,
  correlationId,
  causationId: correlationId,
  ...trace,
});

type CommandRequest = CausingRequest & Readonly<{ caller: Caller }>;

/**
 * The context of a request's commands, whose actor is the caller; what was done already is not done again.
 */
export const commandContext = (request: CommandRequest): Context => ({
  ...causeOf(request),
  actor: actorOf(request.caller),
  once: true,
});

/** Faults of a person's body that says who acts: that is the person, by the session. */
export const actorFaults = (
  { kind }: Caller,
  body: Readonly<{ actor?: unknown; resolvedBy?: unknown }>,
): readonly Fault[] =>
  (['actor', 'resolvedBy'] as const)
    .filter((name) => kind === 'person' && body[name] !== undefined && body[name] !== null)
    .map((name) => ({ pointer: `/${name}`, detail: 'must be absent: it is the person of the session' }));

/** What lists of things that belong to one key show: the key's own, to people those of the company. */
export const ownOf = (caller: CompanyCaller) =>
  caller.kind === 'key' ? { keyId: caller.keyId } : { companyId: caller.companyId, mode: caller.mode };

/** The same of one key, where it is named; null to another key, which sees nothing of it. */
export const ownOfKey = (caller: CompanyCaller, keyId: string | null | undefined) => {
  if (!keyId) return ownOf(caller);
  return caller.kind === 'key' && caller.keyId !== keyId ? null : { ...ownOf(caller), keyId };
};

/**
 * Whether what belongs to a company (null: to the platform) is a person's to administer: a company's person,
 * and a super_admin who names one, manage that one; other super_admins all (people-13).
 */
export const isWithin = (
  caller: Pick<PersonCaller, 'companyId'>,
  { companyId }: Readonly<{ companyId: string | null }>,
): boolean => caller.companyId === null || caller.companyId === companyId;

/** The company as the log has it, and its stream; null for none. */
export type CurrentCompany = (
  companyId: string,
) => Promise<Readonly<{ state: Company | null; stream: LoadedStream }>>;

type CompanyRequest = Readonly<{ caller: PersonCaller; parameters: Readonly<{ companyId: string }> }>;

/** Finds a company with its revision. Another one is as unknown as one that is not there. */
export const visibleCompany =
  (current: CurrentCompany) =>
  async ({ caller, parameters }: CompanyRequest) => {
    if (!isWithin(caller, parameters)) return null;
    const { state, stream } = await current(parameters.companyId);
    return state && { ...state, revision: stream.events.at(-1)?.revision ?? -1 };
  };

/** A request whose path names a submission. */
export type SubmissionRequest = Readonly<{
  caller: CompanyCaller;
  parameters: Readonly<{ submissionId: string }>;
}>;

/** A submission is visible to every key of its company and mode (visibility-3). */
const visible =
  <T>(find: (submissionId: string) => Promise<T | null>, submissionOf: (found: T) => Submission) =>
  async ({ caller, parameters }: SubmissionRequest): Promise<T | null> => {
    const found = await find(parameters.submissionId);
    if (found === null) return null;
    const { companyId, mode } = submissionOf(found).routing;
    return companyId === caller.companyId && mode === caller.mode ? found : null;
  };

/** Finds the submission as the log has it, if it is visible to the caller. */
export const visibleSubmission = (current: (submissionId: string) => Promise<Submission | null>) =>
  visible(current, (submission) => submission);

/** Finds the submission as the read models have it, if it is visible to the caller. */
export const visibleDocument = (find: (submissionId: string) => Promise<SubmissionDocument | null>) =>
  visible(find, ({ submission }) => submission);
