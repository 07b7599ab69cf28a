import { CommandFailed } from './failure.ts';
import { reportFailure, runCommandLine } from './program.ts';
import type { Runtime } from './runtime.ts';

/**
 * A process that has answered, and does not end by itself within this time, waits for a server that hangs.
 */
const LINGER_MS = 500;

/**
 * Runs the command line of this process: sets its exit code, and ends it when standard output can't be
 * written to, or when it has answered.
 */
export const run = async (runtime: Runtime): Promise<void> => {
  const words = process.argv.slice(2);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe (`… | head`) is no failure.
    if (error.code === 'EPIPE') process.exit(0);
    const hint = 'The command itself may have succeeded.';
    const detail = `The answer can’t be written to standard output: ${error.message}.`;
    process.exit(reportFailure(new CommandFailed('answer-not-written', detail, hint), words));
  });
  process.exitCode = await runCommandLine(runtime, words);
  process.stdout.write('', () => {
    process.stderr.write('', () => void setTimeout(() => process.exit(), LINGER_MS).unref());
  });
};
