import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from './demo/intake.ts';
import { fuzz, installSchemathesis } from './fuzz/schemathesis.ts';
import { prepareWorld } from './fuzz/world.ts';
import { print } from './named.ts';
import { receiverSettings, startReceiver } from './receiver.ts';

// CPython 3.11 breaks off in threads of schemathesis, so that two processes of it send at once, each with
// seeds of its own.
const LANES = 2;

// `scripts/fuzz-api [requests] [seed]`: schemathesis sends requests made from the served document until there
// have been so many.
const [wanted = 20_000, seed = randomInt(1_000_000)] = process.argv.slice(2).map(Number);
if (![wanted, seed].every((given) => Number.isSafeInteger(given) && given > 0)) {
  process.stderr.write('scripts/fuzz-api [requests] [seed]: two whole numbers\n');
  process.exit(2);
}
/** How many requests of each operation a round tries. */
const EXAMPLES = Math.max(5, Math.min(50, Math.floor(wanted / 100)));
const HOOKS = join(dirname(fileURLToPath(import.meta.url)), '../../scripts/fuzz/hooks.py');

type Counts = Readonly<{ requests: number; statuses: Readonly<Record<string, number>> }>;

const main = async (executable: string): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-fuzz-'));
  const receiver = await startReceiver();
  const settings = {
    PORT: '0',
    STORAGE_PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
    ...receiverSettings(receiver, folder),
  };
  const server = await startServer(settings);
  try {
    const webhookUrl = `${receiver.url}/hook`;
    const world = await prepareWorld(settings, folder, server.url, webhookUrl);
    const round = (number: number): Promise<Readonly<{ clean: boolean; counts: Counts }>> =>
      runRound(executable, folder, server.url, { ...world, webhookUrl }, number);
    return await rounds(round);
  } finally {
    await server.stop();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const rounds = async (
  round: (number: number) => Promise<Readonly<{ clean: boolean; counts: Counts }>>,
): Promise<boolean> => {
  let sent = 0;
  let number = 0;
  let clean = true;
  const statuses: Record<string, number> = {};
  const lane = async (): Promise<void> => {
    while (clean && sent < wanted) {
      const done = await round(number++);
      sent += done.counts.requests;
      clean &&= done.clean && done.counts.requests > 0;
      for (const [status, times] of Object.entries(done.counts.statuses))
        statuses[status] = (statuses[status] ?? 0) + times;
      print(`${sent} of ${wanted} requests sent; seed ${seed}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (const status of Object.keys(statuses).sort()) print(`  ${status}: ${statuses[status]}`);
  return clean;
};

const runRound = async (
  executable: string,
  folder: string,
  url: string,
  world: object,
  number: number,
): Promise<Readonly<{ clean: boolean; counts: Counts }>> => {
  const counts = join(folder, `counts-${number}.json`);
  const file = join(folder, `world-${number}.json`);
  writeFileSync(file, JSON.stringify({ ...world, counts, seed: seed + number }));
  const clean = await fuzz(executable, {
    document: `${url}/openapi.json`,
    hooks: HOOKS,
    world: file,
    seed: seed + number,
    examples: EXAMPLES,
    phases: number === 0 ? 'examples,coverage,fuzzing,stateful' : 'fuzzing,stateful',
  });
  const counted = existsSync(counts) ? readFileSync(counts, 'utf8') : '{"requests":0,"statuses":{}}';
  return { clean, counts: JSON.parse(counted) as Counts };
};

const installed = await installSchemathesis();
if (typeof installed === 'string') print(`skipped: ${installed}`);
else if (!(await main(installed.executable))) process.exitCode = 1;
