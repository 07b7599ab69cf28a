import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** What was added to a write-ahead log: the number of each page written, and the transactions. */
export type Written = Readonly<{ pages: readonly number[]; commits: number }>;

const HEADER_BYTES = 32;
const FRAME_BYTES = 24;
const PAGE_BYTES = 4_096;
export const BYTES_OF_PAGE = FRAME_BYTES + PAGE_BYTES;

/**
 * Follows a database's write-ahead log by its file format (https://www.sqlite.org/walformat.html): each call
 * gives what was written since the one before; null when the log has started anew meanwhile, so that it
 * can't be known.
 */
export const followLog = (path: string): (() => Written | null) => {
  let [generation, next] = ['', 0];
  return () => {
    const found = framesFrom(path, generation, next);
    const isSame = found.generation === generation;
    [generation, next] = [found.generation, found.next];
    return isSame ? found : null;
  };
};

const framesFrom = (path: string, generation: string, from: number) => {
  const none = { generation: '', next: 0, pages: [], commits: 0 };
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < HEADER_BYTES) return none;
  const file = openSync(path, 'r');
  try {
    const read = (bytes: number, at: number): Buffer | null => {
      const buffer = Buffer.alloc(bytes);
      return readSync(file, buffer, 0, bytes, at) === bytes ? buffer : null;
    };
    // Two random numbers: those of frames that an older generation left behind are others.
    const current = read(HEADER_BYTES, 0)?.toString('hex', 16, 24) ?? '';
    const pages: number[] = [];
    let commits = 0;
    let next = current === generation ? from : 0;
    for (; ; next += 1) {
      const frame = read(FRAME_BYTES, HEADER_BYTES + next * BYTES_OF_PAGE);
      if (frame?.toString('hex', 8, 16) !== current) break;
      pages.push(frame.readUInt32BE(0));
      if (frame.readUInt32BE(4) > 0) commits += 1;
    }
    return { generation: current, next, pages, commits };
  } finally {
    closeSync(file);
  }
};
