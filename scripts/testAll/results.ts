import type { checkedOut } from '../../test/runner/summary.ts';
import type { PartResult } from './runPart.ts';

type CheckedOut = ReturnType<typeof checkedOut>;

/** What `dist/test-all.json` has. */
export type Results = CheckedOut & Readonly<{ parts: readonly PartResult[] }>;

/** The results that hold for what is checked out now, by their parts; none of another commit's. */
export const keptResults = (found: Results | null, on: CheckedOut): ReadonlyMap<string, PartResult> =>
  new Map(
    found?.commit === on.commit && found.clean && on.clean
      ? found.parts.map((result) => [result.part, result])
      : [],
  );

/** The parts that are to run: the named ones, else all; with `onlyFailed` none that was good. */
export const partsToRun = (
  names: readonly string[],
  kept: ReadonlyMap<string, PartResult>,
  { named, onlyFailed }: Readonly<{ named: readonly string[]; onlyFailed: boolean }>,
): readonly string[] =>
  names
    .filter((name) => named.length === 0 || named.includes(name))
    .filter((name) => !(onlyFailed && kept.get(name)?.failed === 0));
