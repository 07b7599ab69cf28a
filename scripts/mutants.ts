import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isLongOnly } from '../test/runner/jobs.ts';
import { edgesBroken } from './mutants/edges.ts';
import { integrationBroken } from './mutants/integrators.ts';
import { compiled, type Mutant, whyNot } from './mutants/mutant.ts';
import { peopleBroken } from './mutants/people.ts';
import { createPlace, type Place } from './mutants/place.ts';
import { rulesBroken } from './mutants/rules.ts';
import { testsByRule } from './mutants/testsOf.ts';

// `node dist/scripts/mutants.js [rule or part of a file …]`: breaks the rules of docs/contract.md, one line
// at a time, in a copy of what is compiled, and runs only the tests that name the broken rule. Exits with 1
// when these pass (survived), fail without the breakage too (unsound), or the text to break is missing
// (stale). Of a rule that is `caught, long only` `npm test` would not notice the breakage.

const STATES = ['caught', 'caught, long only', 'survived', 'unsound', 'stale'] as const;
type Verdict = Readonly<{ state: (typeof STATES)[number]; detail: string }>;
type Run = Verdict & Readonly<{ mutant: Mutant; seconds: number }>;

const { positionals } = parseArgs({ options: {}, allowPositionals: true });
const all = [...rulesBroken, ...edgesBroken, ...peopleBroken, ...integrationBroken];
const chosen = all.filter(
  ({ rule, file }) =>
    positionals.length === 0 || positionals.some((part) => rule === part || file.includes(part)),
);
const testsOf = testsByRule();
/** Whether the tests of a file that prove a rule pass while nothing is broken. */
const sound = new Map<string, Promise<boolean>>();

const breakIt = async (mutant: Mutant, place: Place): Promise<Verdict> => {
  const { rule, file, find, put } = mutant;
  const stale = whyNot(mutant);
  if (stale !== null) return { state: 'stale', detail: stale };
  const tests = testsOf(rule);
  if (tests.length === 0) return { state: 'survived', detail: 'no test file names the rule' };
  const text = readFileSync(compiled(file), 'utf8').replace(find, () => put);
  const kinds: string[] = [];
  for (const test of tests) {
    const { kind } = await place.changed(compiled(file), text, () => place.run(compiled(test), rule));
    kinds.push(`${test}: ${kind}`);
    if (kind !== 'failed') continue;
    const key = `${rule} ${test}`;
    const passes = sound.get(key) ?? place.run(compiled(test), rule).then((ended) => ended.kind === 'passed');
    sound.set(key, passes);
    const caught = isLongOnly(test) ? 'caught, long only' : 'caught';
    return { state: (await passes) ? caught : 'unsound', detail: test };
  }
  return { state: 'survived', detail: kinds.join(', ') };
};

const queue = [...chosen];
const runs: Run[] = [];
const work = async (): Promise<void> => {
  const place = createPlace();
  try {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const started = performance.now();
      const verdict = await breakIt(mutant, place);
      runs.push({ mutant, ...verdict, seconds: (performance.now() - started) / 1000 });
    }
  } finally {
    place.remove();
  }
};
const started = performance.now();
await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));

runs.sort((one, other) => chosen.indexOf(one.mutant) - chosen.indexOf(other.mutant));
for (const { mutant, state, detail, seconds } of runs) {
  const words = [
    state.padEnd(17),
    mutant.rule.padEnd(16),
    mutant.file.padEnd(42),
    `${seconds.toFixed(1)} s`.padStart(7),
  ];
  process.stdout.write(`${words.join('  ')}  ${detail}\n`);
}
const count = (state: Verdict['state']): number => runs.filter((run) => run.state === state).length;
const counts = STATES.map((state) => `${count(state)} ${state}`);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
process.stdout.write(`${runs.length} mutants: ${counts.join(', ')}; ${seconds} s\n`);
const caught = count('caught') + count('caught, long only');
process.stdout.write(`${caught} passed, ${chosen.length - caught} failed\n`);
process.exitCode = caught === chosen.length && chosen.length > 0 ? 0 : 1;
