import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Part } from './parts.ts';

/** How a part has ended; `skipped` are the reasons, each once. */
export type PartResult = Readonly<{
  part: string;
  passed: number;
  failed: number;
  skipped: readonly string[];
  minutes: number;
}>;

const COUNTS = /^(\d+) passed, (\d+) failed/;
const SKIPPED = /^(?:engines: )?skipped: (.+)/;

/**
 * Runs a part, hands on what it prints, and gives how it ended by its line `N passed, N failed`. A part
 * without such a line is one test, which its exit code decides; a part that ends with another code than 0 has
 * failed in any case.
 */
export const runPart = async (
  name: string,
  [program, ...args]: Part,
  print: (line: string) => void,
): Promise<PartResult> => {
  const started = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const skipped = new Set<string>();
  let counts: Readonly<{ passed: number; failed: number }> | undefined;
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      print(line);
      const reason = SKIPPED.exec(line)?.[1];
      if (reason) skipped.add(reason);
      const found = COUNTS.exec(line);
      if (found) counts = { passed: Number(found[1]), failed: Number(found[2]) };
    });
  const isGood = await new Promise<boolean>((resolve) => {
    child.on('error', ({ message }) => {
      print(`${name} can't be started: ${message}`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
  const { passed, failed } = counts ?? { passed: isGood && skipped.size === 0 ? 1 : 0, failed: 0 };
  return {
    part: name,
    passed,
    failed: isGood ? failed : Math.max(failed, 1),
    skipped: [...skipped],
    minutes: Math.round((performance.now() - started) / 6_000) / 10,
  };
};
