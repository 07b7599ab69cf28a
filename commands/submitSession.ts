import type { Fault } from '../domain/fault.ts';
import { DomainError } from '../domain/kernel.ts';
import { maxBytes } from '../domain/slots.ts';
import type { Slot, SubmissionEvent, SubmittedFile } from '../domain/submission/events.ts';
import { readByOf } from '../domain/submission/readBy.ts';
import type { Submission } from '../domain/submission/state.ts';
import { submission, submissionStream } from '../domain/submission.ts';
import type { Upload, WorkflowVersion } from '../domain/workflow.ts';
import type { Clock } from '../runtime/clock.ts';
import { evidenceKey, uploadKey } from '../stores/objects/keys.ts';
import type { ObjectHead, ObjectStore } from '../stores/objects/port.ts';
import type { Context, Handle, Handled } from './handle.ts';

export type SubmitSessionPorts = Readonly<{
  handle: Handle;
  objects: ObjectStore;
  clock: Clock;
  /** The media type that an object's bytes show, null when they show none; for uploads without a type. */
  sniff(key: string): Promise<string | null>;
}>;

/**
 * Queues a session: checks each upload in the store, copies it to its evidence key, appends. Repeating it changes nothing. One whose
 * time is over expires here, should nobody have ended it yet.
 * Throws `SessionEnded` before it looks at the store, `UploadsRefused` with every fault in `facts.errors`.
 */
export const submitSession =
  (ports: SubmitSessionPorts) =>
  async (
    submissionId: string,
    version: Pick<WorkflowVersion, 'upload' | 'processing'>,
    context: Context,
  ): Promise<Handled<Submission | null, SubmissionEvent>> => {
    const state = await expireInTime(ports, submissionId, context);
    const files = state?.state === 'pending' ? await collect(ports, state, version.upload) : [];
    const command = { type: 'SubmitSession', files, ...readByOf(version) } as const;
    return ports.handle(submission, submissionStream(submissionId), command, context);
  };

/** A session as it is now: one whose time is over expires by this, should nobody have ended it yet. */
export const expireInTime = async (
  { handle, clock }: Pick<SubmitSessionPorts, 'handle' | 'clock'>,
  submissionId: string,
  context: Context,
): Promise<Submission | null> => {
  const command = { type: 'ExpireSession', at: clock.now().toISOString() } as const;
  const expiry = { ...context, actor: { kind: 'system', id: 'expiry' } } as const;
  const { state } = await handle(submission, submissionStream(submissionId), command, expiry);
  return state;
};

type Verdict = Readonly<{ checked?: SubmittedFile; fault?: Fault }>;

const collect = async (
  ports: SubmitSessionPorts,
  { routing, slots }: Submission,
  upload: Upload,
): Promise<readonly SubmittedFile[]> => {
  const { submissionId } = routing;
  const verdicts = await Promise.all(slots.map((slot) => check(ports, submissionId, slot, upload)));
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

const check = async (
  { objects, sniff }: SubmitSessionPorts,
  submissionId: string,
  slot: Slot,
  upload: Upload,
): Promise<Verdict> => {
  const key = uploadKey(submissionId, slot.fileId);
  const head = await objects.head(key);
  if (head === null) return {};
  const mimeType = head.mimeType === null ? await sniff(key) : bareType(head.mimeType);
  const detail = faultOf(head, mimeType, slot, upload);
  if (detail !== null)
    return { fault: { pointer: `/files/${slot.fileIndex}`, detail: `${slot.label}: ${detail}` } };
  const { fileId, fileIndex, label } = slot;
  return {
    checked: { fileId, fileIndex, label, mimeType: mimeType ?? '', fileSize: head.size, etag: head.etag },
  };
};

const faultOf = (head: ObjectHead, mimeType: string | null, slot: Slot, upload: Upload): string | null => {
  const accepted = upload.acceptedFormats.join(', ');
  if (head.size === 0) return 'the uploaded file is empty';
  if (head.size > maxBytes(upload)) {
    return `the uploaded file has ${head.size} bytes, at most ${maxBytes(upload)} are allowed`;
  }
  if (slot.fileSize !== null && slot.fileSize !== head.size) {
    return `the uploaded file has ${head.size} bytes, ${slot.fileSize} were declared`;
  }
  if (mimeType === null) return `the uploaded file has no media type and its bytes show none of ${accepted}`;
  if (!upload.acceptedFormats.includes(mimeType))
    return `the uploaded file is ${mimeType}, not one of ${accepted}`;
  if (slot.mimeType !== null && slot.mimeType !== mimeType) {
    return `the uploaded file is ${mimeType}, ${slot.mimeType} was declared`;
  }
  return null;
};

const copy = async (
  objects: ObjectStore,
  submissionId: string,
  file: SubmittedFile,
): Promise<Fault | null> => {
  const { fileId, fileIndex, label, mimeType, etag } = file;
  const source = uploadKey(submissionId, fileId);
  if (await objects.copy(source, etag, evidenceKey(submissionId, file), mimeType)) return null;
  const detail = `${label}: the uploaded file changed while it was being submitted; submit again`;
  return { pointer: `/files/${fileIndex}`, detail };
};

const refuse = (errors: readonly Fault[]): void => {
  if (errors.length === 0) return;
  throw new DomainError('UploadsRefused', 'The uploads break the bounds of the workflow version.', {
    errors,
  });
};

const bareType = (mimeType: string): string => (mimeType.split(';')[0] ?? '').trim().toLowerCase();
