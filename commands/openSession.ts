import { maxBytes, planSlots } from '../domain/slots.ts';
import { storedEcho } from '../domain/submission/echoed.ts';
import type { Slot } from '../domain/submission/session.ts';
import type { Submission, SubmissionEvent } from '../domain/submission/state.ts';
import { sessionIdOf, submission, submissionStream } from '../domain/submission/submission.ts';
import { labelFields, type WorkflowVersion } from '../domain/workflow.ts';
import type { Position, Recorded } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';
import type { SessionRequest } from '../schemas/sessions.ts';
import type { EventLog } from '../stores/events/log.ts';
import { uploadKey } from '../stores/objects/keys.ts';
import type { ObjectStore, SignedUpload } from '../stores/objects/port.ts';
import type { CommandPorts, Context } from './handle.ts';
import { NEW_STREAM } from './load.ts';
import { beginParts, type PartInvitation, type Resume, resumeParts, signParts } from './uploadParts.ts';

/** A client's request for a session (sessions-1), its key, and the workflow version. */
export type OpenSessionInput = Omit<SessionRequest, 'version'> &
  Readonly<{ submissionId: string; companyId: string; mode: Mode; keyId: string; version: WorkflowVersion }>;

/** How to upload one file. */
type UploadInvitation = Omit<SignedUpload, 'url'> &
  Readonly<{ fileId: string; fileIndex: number; label: string; expiresAt: string }> &
  Readonly<{ url: string | null; parts: readonly PartInvitation[] | null }>;

/** `state` is that right after the session was opened. */
export type OpenedSession = Readonly<ReturnType<typeof opened>>;

type OpenSessionPorts = CommandPorts &
  Readonly<{
    objects: ObjectStore;
    /** The identifier of a batch within a company and mode. */
    batchIdOf(companyId: string, mode: Mode, batchRef: string): string;
    sessionTtlMs: number;
  }>;

/**
 * Opens a session and signs its upload URLs, which expire with the session. A repeated request gets the
 * session that it opened before. Throws `UploadsRefused`.
 */
export const openSession =
  (ports: OpenSessionPorts) =>
  async (input: OpenSessionInput, context: Context): Promise<OpenedSession> => {
    const { handle, clock, ids, sessionTtlMs } = ports;
    const { submissionId, companyId, mode, keyId, version, files = null, batchRef = null } = input;
    const asked = { files, method: input.uploadMethod ?? null };
    const slots = planSlots(version.upload, asked, () => `fil_${ids.ulid()}`);
    const expiresAt = new Date(clock.now().getTime() + sessionTtlMs).toISOString();
    const { slug, name, workflowId } = version;
    const workflow = { id: workflowId, slug, name, version: version.version, list: labelFields(version) };
    const batchId = batchRef === null ? null : ports.batchIdOf(companyId, mode, batchRef);
    const routing = { submissionId, companyId, mode, keyId, workflow, batchId };
    const notifies = input.webhookUrl !== undefined;
    const part = { ...privateOf(input, slots), batchRef };
    const session = { workflow, expiresAt, slots, notifies, private: part };
    const command = { type: 'OpenSession', routing, session } as const;
    const sign = (session: Session, resume?: Resume) => signUploads(ports, session, version.upload, resume);
    // Signed first: once the session is stored, nothing may fail its answer.
    const uploads = await sign({ routing, slots, expiresAt }, beginParts);
    const handled = await handle(submission, submissionStream(submissionId), command, context, {
      loaded: NEW_STREAM,
    });
    const state = stored(handled.state);
    // A session that was opened before has other uploads.
    return opened({ ...handled, state }, handled.repeated ? await sign(state) : uploads);
  };

/**
 * The session of a submission as it was when it was opened, its uploads signed again; null when there is
 * none.
 */
export const openedSession =
  (ports: SignAgainPorts & Readonly<{ log: Pick<EventLog, 'load'> }>) =>
  async (submissionId: string): Promise<OpenedSession | null> => {
    const [first] = (await ports.log.load(submissionStream(submissionId)))
      .events as readonly Recorded<SubmissionEvent>[];
    if (!first) return null;
    const state = stored(submission.evolve(submission.initial, first));
    const { upload } = await ports.version(state.routing.workflow);
    const uploads = await signUploads(ports, state, upload);
    return opened({ state, position: first.position, at: first.metadata.at }, uploads);
  };

const stored = (state: Submission | null): Submission => {
  if (!state) throw new Error('a session that was opened has no state');
  return state;
};

const opened = (
  { state, position, at: createdAt }: Readonly<{ state: Submission; position: Position; at: string }>,
  uploads: readonly UploadInvitation[],
) => {
  const { submissionId } = state.routing;
  const { expiresAt } = state;
  const sessionId = sessionIdOf(submissionId);
  return { state, sessionId, submissionId, uploads, expiresAt, createdAt, position };
};

const privateOf = (input: OpenSessionInput, slots: readonly Slot[]) => ({
  webhookUrl: input.webhookUrl ?? null,
  ...storedEcho(input),
  fileNames: Object.fromEntries(
    slots.flatMap(({ fileId, fileIndex }) => {
      const fileName = input.files?.[fileIndex]?.fileName;
      return fileName === undefined ? [] : [[fileId, fileName]];
    }),
  ),
});

type SignPorts = Pick<OpenSessionPorts, 'objects' | 'clock'>;

/** What signing the uploads of a stored session needs. */
export type SignAgainPorts = SignPorts &
  Readonly<{
    /** The version of a session's workflow. */
    version(workflow: Submission['routing']['workflow']): Promise<Pick<WorkflowVersion, 'upload'>>;
  }>;

type Session = Pick<Submission, 'routing' | 'slots' | 'expiresAt'>;

/**
 * Signs an upload for each slot of a session, valid until it expires, of the declared size or else the
 * version's maximum. `resume` finds uploads in parts that were begun before.
 */
export const signUploads = (
  { objects, clock }: SignPorts,
  { routing: { submissionId }, slots, expiresAt }: Session,
  upload: WorkflowVersion['upload'],
  resume: Resume = resumeParts,
): Promise<readonly UploadInvitation[]> => {
  const remaining = Math.floor((Date.parse(expiresAt) - clock.now().getTime()) / 1000);
  const expiresInSeconds = Math.max(1, remaining);
  return Promise.all(
    slots.map(async (slot) => {
      const { fileId, fileIndex, label } = slot;
      const key = uploadKey(submissionId, fileId);
      if (slot.parts) {
        const parts = await signParts(objects, { key, expiresInSeconds }, slot, resume);
        return { fileId, fileIndex, label, ...IN_PARTS, parts, expiresAt };
      }
      const terms = { key, expiresInSeconds, ...boundsOf(slot, upload), ...(slot.form && { isForm: true }) };
      const signed = await objects.signUpload(terms);
      return { fileId, fileIndex, label, ...signed, parts: null, expiresAt };
    }),
  );
};

const IN_PARTS = { method: 'PUT', url: null, headers: {}, fields: null } as const;

/** A file that was declared was so with its type and its size. */
const boundsOf = ({ mimeType, fileSize, sha256 }: Slot, upload: WorkflowVersion['upload']) =>
  mimeType === null || fileSize === null
    ? { maxSize: maxBytes(upload) }
    : { mimeType, size: fileSize, ...(sha256 === null ? {} : { sha256 }) };
