import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Why no process can be kept from writing files here, null where one can. */
export const noRoomReason = (): string | null => {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'prlimit (util-linux) is not there, which takes a process the right to write files and gives it back';
  }
};

/**
 * Lets a running process write no file any more, as on a full disk; or lets it again. It needs no rights but
 * those of its own user.
 */
export const setNoRoom = async (pid: number, isFull: boolean): Promise<void> => {
  await run('prlimit', ['--pid', String(pid), `--fsize=${isFull ? 0 : 'unlimited'}:`]);
};
