import { ObjectDamaged } from '../../kernel/errors.ts';
import type { Recorded } from '../../kernel/event.ts';
import { evidenceKey } from '../../stores/objects/keys.ts';
import type { ObjectReader } from '../../stores/objects/port.ts';
import { type Copy, copyPath } from '../derive/files.ts';
import { submissionEvents, submissionOf } from '../derive/supported.ts';
import type { PackageWriter } from '../package/writer.ts';

/** A submitted file, its key in the store and its path in the package. */
type Submitted = Readonly<{ fileId: string; key: string; path: string }>;

/** The submitted files, in order. */
export const submittedFiles = (submissionId: string, events: readonly Recorded[]): readonly Submitted[] => {
  const state = submissionOf(submissionEvents(events));
  return (state?.files ?? []).map((file) => ({
    fileId: file.fileId,
    key: evidenceKey(submissionId, file),
    path: copyPath(file),
  }));
};

/**
 * Writes the submitted files as the store has them, one after the other. Gives the copies by file id;
 * `damaged` are the ids of files that the store can't read any more.
 */
export const writeFiles = async (
  store: ObjectReader,
  writer: PackageWriter,
  submissionId: string,
  events: readonly Recorded[],
): Promise<Readonly<{ copies: ReadonlyMap<string, Copy>; damaged: ReadonlySet<string> }>> => {
  const copies = new Map<string, Copy>();
  const damaged = new Set<string>();
  for (const file of submittedFiles(submissionId, events)) {
    const found = await openFile(store, file.key);
    if (found === 'damaged') damaged.add(file.fileId);
    else if (found) {
      const { path, size, sha256, md5 } = await writer.stream(file.path, found.bytes, false);
      copies.set(file.fileId, { path, size, sha256, md5, etag: found.etag });
    }
  }
  return { copies, damaged };
};

const openFile = async (store: ObjectReader, key: string) => {
  try {
    const head = await store.head(key);
    const bytes = head && (await store.read(key));
    return head && bytes ? { etag: head.etag, bytes } : null;
  } catch (error) {
    if (error instanceof ObjectDamaged) return 'damaged';
    throw error;
  }
};
