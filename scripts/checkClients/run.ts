import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** How much of a program's output a fault tells. */
const TOLD = 4_000;

export type RunOptions = Readonly<{
  folder?: string;
  env?: Readonly<Record<string, string>>;
  input?: string;
}>;

/**
 * Runs a program to its end and gives what it wrote. Throws with the end of that where it failed or is not
 * there.
 */
export const run = async (
  command: string,
  args: readonly string[],
  { folder, env = {}, input = '' }: RunOptions = {},
): Promise<string> => {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  child.stdin.on('error', () => undefined).end(input);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return output;
  throw new Error(`${command} ${args[0] ?? ''} ended with ${code ?? signal}:\n${output.slice(-TOLD)}`);
};

/** Whether a program is there. */
export const isThere = (command: string, ...args: readonly string[]): Promise<boolean> =>
  run(command, args.length > 0 ? args : ['--version']).then(
    () => true,
    () => false,
  );
