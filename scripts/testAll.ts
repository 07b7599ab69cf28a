import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { checkedOut } from '../test/runner/summary.ts';
import { print } from './named.ts';
import { type Part, parts } from './testAll/parts.ts';
import { keptResults, partsToRun, type Results } from './testAll/results.ts';
import { runPart } from './testAll/runPart.ts';

// `npm run test:all [-- [--failed] [part …]]`: what `npm test` leaves out, part after part, also after one
// that failed. The results are in dist/test-all.json after each part, with those of this commit that it had;
// `--failed` runs those again that failed or have not run.
const FILE = 'dist/test-all.json';
const { values, positionals } = parseArgs({
  options: { failed: { type: 'boolean' } },
  allowPositionals: true,
});
const names = Object.keys(parts);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}. There are: ${names.join(', ')}.\n`);
  process.exit(2);
}

const on = checkedOut();
const found = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Results) : null;
const done = new Map(keptResults(found, on));
const options = { named: positionals, onlyFailed: values.failed ?? false };
for (const name of partsToRun(names, done, options)) {
  const part: Part = parts[name as keyof typeof parts];
  print(`\n── ${name}: ${part.join(' ')}`);
  done.set(name, await runPart(name, part, print));
  writeFileSync(FILE, `${JSON.stringify({ ...on, parts: [...done.values()] }, null, 2)}\n`);
}

/** One reason in full, more by their number: all are in the file. */
const reasonsOf = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first.slice(0, 90) : `${others.length + 1}: ${first.slice(0, 60)} …`;

const table = new Table({ head: ['part', 'passed', 'failed', 'skipped', 'minutes'], style: { head: [] } });
const results = names.flatMap((name) => done.get(name) ?? []);
for (const { part, passed, failed, skipped, minutes } of results)
  table.push([part, passed, failed, reasonsOf(skipped), minutes.toFixed(1)]);
print(`\n${table}`);
process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;
