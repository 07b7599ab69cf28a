import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from './cache.ts';
import { isThere } from './run.ts';
import type { World } from './world.ts';

/** What a check notes as it goes: a step is done, what the tool warned of. */
export type Notes = { generated: boolean; compiled: boolean; job: boolean; warnings: number };

/**
 * A generator or a linter. `needs` are the commands that must be there; `check` throws at the first fault,
 * and notes each step that was done. Steps that it does not have stay null in the table.
 */
export type Check = Readonly<{
  version: string;
  needs: readonly (readonly string[])[];
  steps: readonly (keyof Notes)[];
  check(world: World, folder: string, notes: Notes): Promise<void>;
}>;

/** A row of the table: `fault` is null where all went well, `skipped` where it ran. */
export type Row = Readonly<{
  name: string;
  version: string;
  steps: Check['steps'];
  notes: Notes;
  seconds: number;
  skipped: string | null;
  fault: string | null;
}>;

/** Runs a check where its commands are there. Warnings are faults. */
export const runCheck = async (name: string, { check, ...facts }: Check, world: World): Promise<Row> => {
  const started = performance.now();
  const notes: Notes = { generated: false, compiled: false, job: false, warnings: 0 };
  const row = (skipped: string | null, fault: string | null): Row => ({
    ...{ name, version: facts.version, steps: facts.steps, notes, skipped, fault },
    seconds: (performance.now() - started) / 1_000,
  });
  for (const [command = '', ...args] of facts.needs)
    if (!(await isThere(command, ...args))) return row(`${command} is not here`, null);
  const folder = join(world.folder, name);
  mkdirSync(folder, { recursive: true });
  try {
    await check(world, folder, notes);
    return row(null, notes.warnings > 0 ? `${notes.warnings} warnings` : null);
  } catch (error) {
    const { message } = error as Error;
    return error instanceof Unavailable ? row(message, null) : row(null, message);
  }
};
