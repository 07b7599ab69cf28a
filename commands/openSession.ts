import type { Mode, Position, Recorded } from '../domain/kernel.ts';
import { type DeclaredFile, planSlots } from '../domain/slots.ts';
import type { Slot, SubmissionEvent } from '../domain/submission/events.ts';
import type { Submission } from '../domain/submission/state.ts';
import { sessionIdOf, submission, submissionStream } from '../domain/submission.ts';
import type { WorkflowVersion } from '../domain/workflow.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { EventLog } from '../stores/events/log.ts';
import { uploadKey } from '../stores/objects/keys.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import type { Context, Handle } from './handle.ts';

/** What an integration gives to open a session (decisions, section 3); members left out are null or empty. */
export type OpenSessionInput = Readonly<{
  submissionId: string;
  companyId: string;
  mode: Mode;
  keyId: string;
  version: WorkflowVersion;
  webhookUrl: string | null;
  clientSubmissionId: string | null;
  metadata: Readonly<Record<string, unknown>> | null;
  batchRef: string | null;
  files: readonly (DeclaredFile & Readonly<{ fileName?: string }>)[] | null;
}>;

/** A place to PUT one file: send exactly these headers. */
export type UploadInvitation = Readonly<{
  fileId: string;
  fileIndex: number;
  label: string;
  method: 'PUT';
  url: string;
  headers: Readonly<Record<string, string>>;
  expiresAt: string;
}>;

/** `state` is that of the session when it had just been opened. */
export type OpenedSession = Readonly<{
  state: Submission;
  sessionId: string;
  submissionId: string;
  uploads: readonly UploadInvitation[];
  expiresAt: string;
  createdAt: string;
  position: Position;
}>;

type OpenSessionPorts = Readonly<{
  handle: Handle;
  objects: ObjectStore;
  clock: Clock;
  ids: Ids;
  /** The identifier of a batch within a company and mode. */
  batchIdOf(companyId: string, mode: Mode, batchRef: string): string;
  sessionTtlMs: number;
}>;

/**
 * Opens a session and signs its upload URLs, which live as long as the session. One that this request has opened already is answered as it
 * was opened. Throws `UploadsRefused`.
 */
export const openSession =
  (ports: OpenSessionPorts) =>
  async (input: OpenSessionInput, context: Context): Promise<OpenedSession> => {
    const { handle, clock, ids, sessionTtlMs } = ports;
    const { submissionId, companyId, mode, keyId, version, batchRef } = input;
    const slots = planSlots(version.upload, input.files, () => `fil_${ids.ulid()}`);
    const expiresAt = new Date(clock.now().getTime() + sessionTtlMs).toISOString();
    const { slug, name, workflowId } = version;
    const workflow = { id: workflowId, slug, name, version: version.version };
    const batchId = batchRef === null ? null : ports.batchIdOf(companyId, mode, batchRef);
    const routing = { submissionId, companyId, mode, keyId, workflow, batchId };
    const notifies = input.webhookUrl !== null;
    const part = { ...privateOf(input, slots), batchRef };
    const session = { workflow, expiresAt, slots, notifies, private: part };
    const command = { type: 'OpenSession', routing, session } as const;
    // Signed first: once the session is stored, nothing may fail its answer.
    const uploads = await signUploads(ports, submissionId, slots, expiresAt);
    const handled = await handle(submission, submissionStream(submissionId), command, context);
    // Opened before: its uploads are other ones.
    return opened(ports, handled, handled.repeated ? null : uploads);
  };

/** The session of a submission as it was answered when it was opened, its uploads signed anew; null when there is none. */
export const openedSession =
  (ports: Pick<OpenSessionPorts, 'objects' | 'clock'> & Readonly<{ log: Pick<EventLog, 'load'> }>) =>
  async (submissionId: string): Promise<OpenedSession | null> => {
    const [first] = (await ports.log.load(submissionStream(submissionId)))
      .events as readonly Recorded<SubmissionEvent>[];
    if (!first) return null;
    const state = submission.evolve(submission.initial, first);
    return opened(ports, { state, position: first.position, at: first.metadata.at }, null);
  };

type Opened = Readonly<{ state: Submission | null; position: Position; at: string }>;

const opened = async (
  ports: Pick<OpenSessionPorts, 'objects' | 'clock'>,
  { state, position, at: createdAt }: Opened,
  signed: readonly UploadInvitation[] | null,
): Promise<OpenedSession> => {
  if (!state) throw new Error('a session that was opened has no state');
  const { expiresAt, slots } = state;
  const { submissionId } = state.routing;
  const uploads = signed ?? (await signUploads(ports, submissionId, slots, expiresAt));
  return {
    state,
    sessionId: sessionIdOf(submissionId),
    submissionId,
    uploads,
    expiresAt,
    createdAt,
    position,
  };
};

const privateOf = (input: OpenSessionInput, slots: readonly Slot[]) => ({
  webhookUrl: input.webhookUrl,
  clientSubmissionId: input.clientSubmissionId,
  metadata: input.metadata,
  fileNames: Object.fromEntries(
    slots.flatMap(({ fileId, fileIndex }) => {
      const fileName = input.files?.[fileIndex]?.fileName;
      return fileName === undefined ? [] : [[fileId, fileName]];
    }),
  ),
});

/** What signing upload addresses needs. */
export type SignPorts = Pick<OpenSessionPorts, 'objects' | 'clock'>;

/** Signs a PUT for each slot, valid until `expiresAt`. */
export const signUploads = (
  { objects, clock }: SignPorts,
  submissionId: string,
  slots: readonly Slot[],
  expiresAt: string,
): Promise<readonly UploadInvitation[]> => {
  const left = Math.floor((Date.parse(expiresAt) - clock.now().getTime()) / 1000);
  return Promise.all(
    slots.map(async ({ fileId, fileIndex, label, mimeType, fileSize, sha256 }) => {
      const { url, headers } = await objects.signUpload({
        key: uploadKey(submissionId, fileId),
        expiresInSeconds: Math.max(1, left),
        ...(mimeType === null ? {} : { mimeType }),
        ...(fileSize === null ? {} : { size: fileSize }),
        ...(sha256 === null ? {} : { sha256 }),
      });
      return { fileId, fileIndex, label, method: 'PUT', url, headers, expiresAt };
    }),
  );
};
