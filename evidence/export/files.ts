import type { Recorded } from '../../domain/kernel.ts';
import type { SubmittedFile } from '../../domain/submission/events.ts';
import { evolve, type Submission } from '../../domain/submission/state.ts';
import { evidenceKey } from '../../stores/objects/keys.ts';
import type { ObjectReader } from '../../stores/objects/port.ts';
import { type Copy, copyPath } from '../derive/files.ts';
import { submissionEvents } from '../derive/known.ts';
import type { PackageWriter } from '../package/writer.ts';

/** Writes the submitted files as the store has them, one after the other; gives those that were there, by file id. */
export const writeFiles = async (
  store: ObjectReader,
  writer: PackageWriter,
  submissionId: string,
  events: readonly Recorded[],
): Promise<ReadonlyMap<string, Copy>> => {
  const state = submissionEvents(events).reduce<Submission | null>(evolve, null);
  const copies = new Map<string, Copy>();
  for (const file of state?.files ?? []) {
    const copy = await writeFile(store, writer, submissionId, file);
    if (copy) copies.set(file.fileId, copy);
  }
  return copies;
};

const writeFile = async (
  store: ObjectReader,
  writer: PackageWriter,
  submissionId: string,
  file: SubmittedFile,
): Promise<Copy | null> => {
  const key = evidenceKey(submissionId, file);
  const head = await store.head(key);
  const bytes = head && (await store.read(key));
  if (!head || !bytes) return null;
  const { path, size, sha256, md5 } = await writer.stream(copyPath(file), bytes, false);
  return { path, size, sha256, md5, etag: head.etag };
};
