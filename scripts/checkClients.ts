import { type CheckName, checkNames, checks } from './checkClients/checks.ts';
import { runCheck } from './checkClients/row.ts';
import { heading, lineOf } from './checkClients/table.ts';
import { startWorld } from './checkClients/world.ts';
import { print } from './named.ts';

// `scripts/check-clients [check…]`: exits with 1 where a client was not generated, did not compile or did not
// do its job.
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(checkNames as readonly string[]).includes(name));
if (unknown.length > 0) {
  process.stderr.write(`there is no check ${unknown.join(', ')}; there are: ${checkNames.join(', ')}\n`);
  process.exit(2);
}

const chosen = wanted.length > 0 ? (wanted as CheckName[]) : checkNames;
const world = await startWorld();
try {
  print(heading);
  for (const name of chosen) {
    const row = await runCheck(name, checks[name], world);
    print(lineOf(row));
    if (row.fault !== null) process.exitCode = 1;
  }
} finally {
  await world.close();
}
