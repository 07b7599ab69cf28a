import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('standIn.process.js', import.meta.url));

/** A stand-in that runs as a process of its own; `close` ends it. */
export type StandInProcess = Readonly<{ connectionString: string; close(): Promise<void> }>;

/**
 * Starts a stand-in of EventStoreDB as a process of its own, on a free port unless told: it outlives those
 * who use it, and what it takes is not theirs.
 */
export const startStandInProcess = async (port = 0): Promise<StandInProcess> => {
  const child = spawn(process.execPath, [program, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [connectionString] = (await once(createInterface(child.stdout), 'line')) as [string];
  const close = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { connectionString, close };
};
