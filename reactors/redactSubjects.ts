import type { Context, Handle, Handled } from '../commands/handle.ts';
import { fold } from '../commands/load.ts';
import type { RedactSubmission } from '../commands/redactSubmission.ts';
import {
  type SubjectRedaction,
  type SubjectRedactionEvent,
  subjectRedaction,
  subjectRedactionStream,
} from '../domain/subjectRedaction.ts';
import { DomainError } from '../kernel/decider.ts';
import { causedBy, type Position, type Recorded } from '../kernel/event.ts';
import type { Report } from '../kernel/report.ts';
import { settleAll } from '../kernel/settleAll.ts';
import type { SubjectRedactionItem } from '../projections/subjectRedactionQueue.ts';
import type { Claimed } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';

type Ports = Readonly<{
  handle: Handle;
  log: Pick<EventLog, 'load'>;
  redact: RedactSubmission;
  report: Report;
}>;

/** Submissions at once, and for each step that is recorded. */
const AT_ONCE = 32;

/**
 * Requests the redaction of each submission of a redaction of several, as whoever asked for it (subjects-8).
 * A step that was not recorded is repeated: each is requested once whatever ends this in between. Nothing
 * where none is left. Throws `StoreUnavailable`.
 */
export const redactSubjects =
  (ports: Ports) =>
  async ({ id }: Claimed<SubjectRedactionItem>, signal: AbortSignal): Promise<Position | null> => {
    const stream = subjectRedactionStream(id);
    const { events } = await ports.log.load(stream);
    const [request] = events as readonly Recorded<SubjectRedactionEvent>[];
    let state: SubjectRedaction | null = fold(subjectRedaction, events);
    if (!request || !state) return null;
    const context = { actor: request.metadata.actor, ...causedBy(request) };
    let position: Position | null = null;
    while (state !== null && state.left.length > 0 && !signal.aborted) {
      const command = await takeStep(ports, state, context);
      const taken: Handled<SubjectRedaction | null, SubjectRedactionEvent> = await ports.handle(
        subjectRedaction,
        stream,
        command,
        context,
      );
      ({ state, position } = taken);
    }
    return position;
  };

const takeStep = async ({ redact, report }: Ports, state: SubjectRedaction, context: Context) => {
  const { redactionId, reason, legalBasis, requestedBy } = state;
  const ids = state.left.slice(0, AT_ONCE);
  const step = { others: 0, held: [] as string[], failed: [] as string[] };
  const redactOne = async (submissionId: string): Promise<void> => {
    const request = { reason, legalBasis, requestedBy, redactionId };
    const redacted = await redact(submissionId, request, context);
    if (redacted.state?.redactionId !== redactionId) step.others += 1;
  };
  await settleAll(ids, redactOne, (submissionId, err) => {
    if (err instanceof DomainError && err.name === 'LegalHold') return void step.held.push(submissionId);
    step.failed.push(submissionId);
    report.error('a submission of a person could not be redacted', { submissionId, redactionId, err });
  });
  const left = state.left.length;
  return { type: 'AdvanceSubjectRedaction', left, count: ids.length, ...step } as const;
};
