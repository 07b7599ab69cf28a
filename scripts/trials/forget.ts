import { parseArgs } from 'node:util';
import { table } from '../../cli/table.ts';
import { print } from '../named.ts';
import { forget } from './forget/forget.ts';
import type { Finds } from './forget/look.ts';
import { folderOf } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'what a person planted is looked for everywhere before and after its redaction (--kills 30; --brief: without a picture, with a sample of commands): then nowhere';

const KILLS = '30';

/**
 * True when nothing is found after the redaction, also after kills in it, a rebuild, a restart and a restore.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const known = {
    kills: { type: 'string', default: KILLS },
    data: { type: 'string' },
    brief: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArgs({ args: [...options], options: known });
  const folder = folderOf(values.data ? ['--data', values.data] : []);
  try {
    const { before, left, faults } = await forget(
      folder.path,
      { kills: Number(values.kills), whole: !values.brief },
      print,
    );
    show('before the redaction', before);
    for (const [when, finds] of left) show(when, finds);
    for (const fault of faults) print(fault);
    const isReached = faults.length === 0 && left.every(([, finds]) => finds.size === 0);
    print(`goal: found nowhere, and nothing else harmed: ${isReached ? 'reached' : 'MISSED'}`);
    return isReached;
  } finally {
    folder.remove();
  }
};

const show = (when: string, finds: Finds): void => {
  print(`\n${when}: found in ${finds.size} places`);
  const rows = [...finds].sort(([a], [b]) => a.localeCompare(b));
  if (rows.length > 0)
    print(table(rows, { place: ([place]) => place, what: ([, names]) => [...names].sort().join('; ') }));
};
