import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Submission } from '../domain/submission/state.ts';
import { linkTo } from '../kernel/signals.ts';
import { evidenceKey } from '../stores/objects/keys.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import { TransientFailure } from './errors.ts';
import type { InputFile } from './types.ts';

export type FetchPorts = Readonly<{
  objects: ObjectStore;
  /** The parent of the folders of attempts. */
  workFolder: string;
  /** Called with the duration of each fetch, in ms. */
  onFetched(durationMs: number): void;
}>;

type Submitted = Submission['files'][number];

/** A submitted file, and the SHA-256 (hex) of its bytes. */
export type Fetched = Readonly<{ submitted: Submitted; file: InputFile; sha256: string }>;

/** Larger files go through the disk, which costs small ones more than all else. In bytes. */
const MAX_IN_MEMORY = 65_536;

/** Fetches files, and removes their copies after `work`. Throws TransientFailure and StoreUnavailable. */
export const withFiles = async <T>(
  { objects, workFolder, onFetched }: FetchPorts,
  submission: Submission,
  signal: AbortSignal,
  work: (files: readonly InputFile[]) => Promise<T>,
): Promise<Readonly<{ fetched: readonly Fetched[]; result: T }>> => {
  const { files } = submission;
  const isSmall = files.every(({ fileSize }) => fileSize <= MAX_IN_MEMORY);
  const folder = isSmall ? null : await mkdtemp(join(workFolder, 'attempt-'));
  const linked = linkTo(signal);
  setMaxListeners(0, linked.signal); // each file listens
  const started = performance.now();
  const fetches = files.map((file) => fetchFile(objects, submission, file, folder, linked.signal));
  try {
    const fetched = await Promise.all(fetches);
    onFetched(performance.now() - started);
    return { fetched, result: await work(fetched.map(({ file }) => file)) };
  } finally {
    linked.abort(new Error('the attempt has ended'));
    linked.unlink();
    // One that goes on after the failure of another would leave its file behind.
    await Promise.allSettled(fetches);
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
};

const fetchFile = async (
  objects: ObjectStore,
  { routing }: Submission,
  submitted: Submitted,
  folder: string | null,
  signal: AbortSignal,
): Promise<Fetched> => {
  const { fileId, label, mimeType } = submitted;
  const stream = await objects.read(evidenceKey(routing.submissionId, submitted));
  if (!stream) throw new TransientFailure(`the evidence of ${label} is not in the object store`);
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  let content: InputFile['content'];
  if (folder === null) content = await buffer(hashed(addAbortSignal(signal, stream)));
  else {
    content = join(folder, fileId);
    await pipeline(stream, hashed, createWriteStream(content, { flags: 'wx', mode: 0o600 }), { signal });
  }
  return { submitted, file: { fileId, label, mimeType, content }, sha256: hash.digest('hex') };
};
