import type { Basis } from '../domain/redactionBasis.ts';
import {
  MAX_SUBJECT_SUBMISSIONS,
  type Subject,
  subjectRedaction,
  subjectRedactionStream,
} from '../domain/subjectRedaction.ts';
import type { NameOf } from '../kernel/hmac.ts';
import type { Mode } from '../kernel/scope.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Context, Handle } from './handle.ts';
import { type Progress, untilShown } from './untilShown.ts';

type Scope = Readonly<{ companyId: string; mode: Mode }>;

type Ports = Readonly<{
  handle: Handle;
  log: Pick<EventLog, 'head'>;
  progress: Progress;
  nameOf: NameOf;
  /** The submissions of a person, newest first, at most so many. */
  submissionsOf(scope: Scope, subject: Subject, max: number): Promise<readonly string[]>;
}>;

/**
 * Requests that all submissions of a person are redacted, of those that the log has now the newest 10,000;
 * a worker goes on with them (`redactSubjects`). `ulid` names the redaction. Throws `StoreUnavailable`.
 */
export const redactSubject =
  ({ handle, log, progress, nameOf, submissionsOf }: Ports) =>
  async (scope: Scope, subject: Subject, basis: Basis, ulid: string, context: Context) => {
    const { companyId, mode } = scope;
    const waits = 'a redaction waits until the read models show all submissions of a person';
    await untilShown(progress, await log.head(), waits);
    const redactionId = `red_${ulid}`;
    const named = JSON.stringify([subject.clientSubmissionId, subject.metadata]);
    const request = {
      ...{ redactionId, ...scope, ...basis },
      subject: nameOf('subject', companyId, mode, named),
      submissionIds: await submissionsOf(scope, subject, MAX_SUBJECT_SUBMISSIONS),
    };
    const command = { type: 'RequestSubjectRedaction', request } as const;
    const { state, position, at } = await handle(
      subjectRedaction,
      subjectRedactionStream(redactionId),
      command,
      context,
    );
    return { request: state ?? request, position, at };
  };
