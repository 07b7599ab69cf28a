import { type OpenSessionInput, openSession } from '../../commands/openSession.ts';
import { type SubmitSessionPorts, submitSession } from '../../commands/submitSession.ts';
import type { SubmissionCommand } from '../../domain/submission/submission.ts';
import { submission, submissionStream } from '../../domain/submission/submission.ts';
import { uploadKey } from '../../stores/objects/keys.ts';
import { memoryObjects } from './objects.ts';
import { context, type Stores } from './stores.ts';
import { extracted, routing } from './submission.ts';
import { version } from './workflow.ts';

/** The request for a session where its members do not matter. */
export const sessionInput = {
  companyId: routing.companyId,
  mode: routing.mode,
  keyId: routing.keyId,
  version,
  webhookUrl: 'https://example.com/hook',
  clientSubmissionId: 'order-1',
  metadata: { colour: 'blue' },
} as const;

/** Members of the request; null leaves one out. */
type Overrides = { readonly [Name in keyof OpenSessionInput]?: OpenSessionInput[Name] | null };

const DAY_MS = 86_400_000;

/** Sessions on the stores, with their files in memory. */
export const sessionsOn = ({ handle, clock, ids }: Stores) => {
  const memory = memoryObjects();
  const { objects } = memory;
  const batchIdOf = (companyId: string, mode: string, batchRef: string): string =>
    `batch of ${companyId} ${mode} ${batchRef}`;
  const open = openSession({ handle, objects, clock, ids, batchIdOf, sessionTtlMs: DAY_MS });
  const notRemoved: unknown[] = [];
  const ports: SubmitSessionPorts = {
    handle,
    objects,
    clock,
    sniff: async () => null,
    onRemovalFailure: (error) => void notRemoved.push(error),
  };
  const run = (submissionId: string, command: SubmissionCommand) =>
    handle(submission, submissionStream(submissionId), command, context);
  const opened = (over: Overrides = {}) => {
    const members = { ...sessionInput, submissionId: `sub_${ids.ulid()}`, ...over };
    const given = Object.entries(members).filter(([, value]) => value !== null);
    return open(Object.fromEntries(given) as OpenSessionInput, context);
  };
  const withFile = async (over: Overrides = {}) => {
    const session = await opened(over);
    const fileId = session.uploads[0]?.fileId ?? '';
    memory.put(uploadKey(session.submissionId, fileId), Buffer.from('a picture'), 'image/png');
    return { ...session, fileId };
  };
  const submit = (submissionId: string, sniff = ports.sniff) =>
    submitSession({ ...ports, sniff })(submissionId, version, context);
  /** A submission that a person is to review. */
  const inReview = async (over: Overrides = {}): Promise<string> => {
    const { submissionId } = await withFile(over);
    await submit(submissionId);
    await run(submissionId, { type: 'StartProcessing', maxAttempts: 6, at: clock.now().toISOString() });
    const result = { ...extracted, reviewReasons: [{ code: 'always_review', field: null } as const] };
    await run(submissionId, { type: 'RecordResult', round: 1, attempt: 1, result });
    return submissionId;
  };
  return { ...memory, ports, notRemoved, opened, withFile, submit, run, inReview };
};
export type Sessions = ReturnType<typeof sessionsOn>;
