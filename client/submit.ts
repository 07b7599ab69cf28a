import type { FreshUploads, SessionCreated, SessionRequest } from './api.ts';
import { IntakeError } from './error.ts';
import { type FileToSend, type Source, sourceOf } from './files.ts';
import type { JobOf } from './jobOf.ts';
import type { Platform } from './platform.ts';
import type { Send } from './request.ts';
import type { Limits } from './retry.ts';
import type { CommonOptions } from './types.ts';
import { upload } from './upload.ts';

/**
 * How far the files of a submission are: `file` is the position of the one that is being sent, from 0; sizes
 * in bytes.
 */
export type Progress = Readonly<{
  file: number;
  sent: number;
  size: number;
  totalSent: number;
  totalSize: number;
}>;

export type SubmitOptions = CommonOptions &
  Omit<SessionRequest, 'files'> &
  Readonly<{
    onProgress?: (progress: Progress) => void;
    /** Names the whole submission: called again with it, also by another process, it is done once. */
    idempotencyKey?: string;
  }>;

const SESSIONS = '/api/v1/workflows/{slug}/sessions';
const SESSION = `${SESSIONS}/{sessionId}`;

/**
 * Opens a session that declares the files, sends each file to its address, and submits. Gives the job, which
 * is queued then.
 */
export const createSubmit =
  (send: Send, platform: Platform, limits: Limits) =>
  async <Data extends object>(
    slug: string,
    files: readonly FileToSend[],
    options: SubmitOptions = {},
  ): Promise<JobOf<Data>> => {
    const { signal, headers, timeoutMs, maxRetries, maxPauseMs, ...rest } = options;
    const { onProgress, idempotencyKey, ...session } = rest;
    const common = given({ signal, headers, timeoutMs, maxRetries, maxPauseMs });
    const key = idempotencyKey ?? crypto.randomUUID();
    const sources = await Promise.all(files.map(sourceOf));
    const opened = await send<SessionCreated>('post', SESSIONS, {
      ...common,
      path: { slug },
      idempotencyKey: key,
      body: { ...session, ...(sources.length > 0 && { files: sources.map(declared) }) },
    });
    const { sessionId, uploads } = opened.body;
    const path = { slug, sessionId };
    const renew = () => send<FreshUploads>('post', `${SESSION}/uploads`, { ...common, path });
    const toSent = progressOf(sources, onProgress);
    let slots = uploads;
    for (const [index, source] of sources.entries()) {
      const put = () =>
        upload(platform, slotAt(slots, index), source, {
          ...limits,
          ...common,
          signal,
          onSent: (sent) => toSent(index, sent),
        });
      try {
        await put();
      } catch (error) {
        // Its address may have expired; or this is a repetition, and the session has been submitted. A store
        // that knows no sessions answers 404 to the parts of a file that it has joined.
        if (!(error instanceof IntakeError) || ![403, 404].includes(error.status ?? 0)) throw error;
        const renewed = await renew().catch(ended);
        if (!renewed) break;
        slots = renewed.body.uploads;
        await put();
      }
    }
    const submitted = await send<JobOf<Data>>('post', `${SESSION}/submit`, {
      ...common,
      path,
      idempotencyKey: key,
    });
    return submitted.body;
  };

const ended = (error: unknown): null => {
  if (error instanceof IntakeError && error.status === 409) return null;
  throw error;
};

const slotAt = (slots: SessionCreated['uploads'], index: number) => {
  const slot = slots.find(({ fileIndex }) => fileIndex === index);
  if (!slot) throw new TypeError(`the session has no address for file ${index}`);
  return slot;
};

const declared = ({ name, type, size, label, sha256 }: Source) =>
  given({ fileName: name ?? undefined, mimeType: type, fileSize: size, label, sha256 });

const progressOf = (sources: readonly Source[], onProgress: SubmitOptions['onProgress']) => {
  const sentOf = sources.map(() => 0);
  const totalSize = sources.reduce((sum, { size }) => sum + size, 0);
  return (file: number, sent: number): void => {
    sentOf[file] = sent;
    const totalSent = sentOf.reduce((sum, bytes) => sum + bytes, 0);
    onProgress?.({ file, sent, size: sources[file]?.size ?? 0, totalSent, totalSize });
  };
};

/** Without the members that are undefined. */
const given = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
