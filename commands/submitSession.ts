import { readByOf } from '../domain/submission/processing.ts';
import type { SubmittedFile } from '../domain/submission/session.ts';
import type { Submission, SubmissionEvent } from '../domain/submission/state.ts';
import { submission, submissionStream } from '../domain/submission/submission.ts';
import type { Upload, WorkflowVersion } from '../domain/workflow.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Fault } from '../kernel/fault.ts';
import { sharedBy } from '../kernel/once.ts';
import type { LoadedStream } from '../stores/events/log.ts';
import { evidenceKey, evidenceOf, uploadKey } from '../stores/objects/keys.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import { checkUpload, type Sniff } from './checkUpload.ts';
import { type ExpiryPorts, expireIfDue } from './expireSession.ts';
import type { Context, Handled } from './handle.ts';

export type SubmitSessionPorts = ExpiryPorts &
  Readonly<{
    objects: ObjectStore;
    sniff: Sniff;
    /** Reports a copied upload that could not be removed: the sweep will remove it. */
    onRemovalFailure(error: unknown): void;
  }>;

/**
 * Queues a session: checks each upload in the store, copies it to its evidence key, appends, removes the
 * upload. Repeating it has no effect. A due session expires first. `loaded`: its stream, if just loaded.
 * Throws `SessionEnded` before it reads the object store, `UploadsRefused` with every fault in
 * `facts.errors`.
 */
export const submitSession = (ports: SubmitSessionPorts) => {
  // To join, read and copy large files may take longer than a client waits: what it sends again takes part in
  // it.
  const collectOnce: Collect = sharedBy(
    ({ routing }) => routing.submissionId,
    (session) => collect(ports, session),
  );
  return async (
    submissionId: string,
    version: Pick<WorkflowVersion, 'upload' | 'processing'>,
    context: Context,
    loaded?: LoadedStream,
  ): Promise<Handled<Submission | null, SubmissionEvent>> => {
    const collected = await filesOf({ ...ports, collectOnce }, submissionId, version.upload, context, loaded);
    const files = collected ?? [];
    const command = { type: 'SubmitSession', files, ...readByOf(version) } as const;
    const stream = submissionStream(submissionId);
    const options = collected ? { loaded } : {};
    const handled = await ports.handle(submission, stream, command, context, options).catch(async (error) => {
      if (collected) await dropCopies(ports, await expireIfDue(ports, submissionId, context));
      throw error;
    });
    if (handled.events.length > 0) await removeUploads(ports, submissionId, files);
    return handled;
  };
};

/** A pending session, and the bounds of its files. */
type Collecting = Pick<Submission, 'routing' | 'slots'> & Readonly<{ upload: Upload }>;

/** Checks and copies the files of a session. */
type Collect = (session: Collecting) => Promise<readonly SubmittedFile[]>;

/** Removes the copies of a session that ended while they were made: nothing else would. */
const dropCopies = async ({ objects }: SubmitSessionPorts, session: Submission | null): Promise<void> => {
  if (session?.status === 'cancelled' && session.files.length === 0)
    await objects.removeAll(evidenceOf(session.routing.submissionId));
};

/** The uploads of a session, copied; null when it is not, or no longer, pending. */
const filesOf = async (
  ports: SubmitSessionPorts & Readonly<{ collectOnce: Collect }>,
  submissionId: string,
  upload: Upload,
  context: Context,
  loaded: LoadedStream | undefined,
): Promise<readonly SubmittedFile[] | null> => {
  const session = await expireIfDue(ports, submissionId, context, loaded);
  if (session?.state !== 'pending') return null;
  try {
    return await ports.collectOnce({ ...session, upload });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const present = await expireIfDue(ports, submissionId, context);
    if (present?.state === 'pending') throw error;
    // A concurrent submit came first, and has removed the uploads; or the session has ended.
    await dropCopies(ports, present);
    return null;
  }
};

/** Removes the uploads, which have been copied. */
const removeUploads = async (
  { objects, onRemovalFailure }: SubmitSessionPorts,
  submissionId: string,
  files: readonly SubmittedFile[],
): Promise<void> => {
  const removals = files.map(({ fileId }) => objects.remove(uploadKey(submissionId, fileId)));
  for (const end of await Promise.allSettled(removals))
    if (end.status === 'rejected') onRemovalFailure(end.reason);
};

const collect = async (
  ports: SubmitSessionPorts,
  { routing, slots, upload }: Collecting,
): Promise<readonly SubmittedFile[]> => {
  const { submissionId } = routing;
  const verdicts = await Promise.all(slots.map((slot) => checkUpload(ports, submissionId, slot, upload)));
  const checked = verdicts.flatMap((verdict) => verdict.checked ?? []);
  const faults = verdicts.flatMap((verdict) => verdict.fault ?? []);
  const present = checked.length + faults.length;
  if (present < upload.minFiles || present > upload.maxFiles) {
    const detail = `must be ${upload.minFiles} to ${upload.maxFiles} uploaded files, not ${present}`;
    faults.unshift({ pointer: '/files', detail });
  }
  refuse(faults);
  const copied = await Promise.all(checked.map((one) => copy(ports.objects, submissionId, one)));
  refuse(copied.flatMap((fault) => fault ?? []));
  return checked;
};

const copy = async (
  objects: ObjectStore,
  submissionId: string,
  file: SubmittedFile,
): Promise<Fault | null> => {
  const { fileId, fileIndex, label, mimeType, fileSize, etag } = file;
  const source = uploadKey(submissionId, fileId);
  if (await objects.copy(source, etag, evidenceKey(submissionId, file), mimeType, fileSize)) return null;
  const detail = `${label}: the uploaded file changed while it was being submitted; submit again`;
  return { pointer: `/files/${fileIndex}`, detail };
};

const refuse = (errors: readonly Fault[]): void => {
  if (errors.length === 0) return;
  throw new DomainError('UploadsRefused', 'The uploads break the bounds of the workflow version.', {
    errors,
  });
};
