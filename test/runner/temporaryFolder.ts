import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Free memory that the temporary files of a run may take. */
const MIN_FREE_BYTES = 4 * 1_024 ** 3;

/**
 * Where a run has its temporary files: in memory, where there is room for them, since to synchronise them
 * takes no time there. A long run writes to the disk.
 */
export const temporaryFolder = (isLong: boolean): string => {
  const memory = '/dev/shm';
  if (isLong || process.env.TMPDIR || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= MIN_FREE_BYTES ? memory : tmpdir();
};
