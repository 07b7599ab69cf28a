import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { edgesBroken } from './mutants/edges.ts';
import { compiled, type Mutant, whyNot } from './mutants/mutant.ts';
import { createPlace, type Place } from './mutants/place.ts';
import { rulesBroken } from './mutants/rules.ts';
import { testsByRule } from './mutants/testsOf.ts';

// `node dist/scripts/mutants.js [rule or part of a file …]`: breaks the rules of docs/contract.md, one line at a time, in a copy of
// what is compiled, and runs only the tests that name the broken rule. Fails when they pass all the same, when they fail without
// the breakage too, and when the line to break is not there any more.

type Verdict = Readonly<{ mutant: Mutant; caught: boolean; detail: string; seconds: number }>;

const { positionals } = parseArgs({ options: {}, allowPositionals: true });
const all = [...rulesBroken, ...edgesBroken];
const chosen = all.filter(
  ({ rule, file }) =>
    positionals.length === 0 || positionals.some((part) => rule === part || file.includes(part)),
);
const testsOf = testsByRule();
/** Whether the tests of a file that prove a rule pass while nothing is broken. */
const sound = new Map<string, Promise<boolean>>();

const breakIt = async (mutant: Mutant, place: Place): Promise<Omit<Verdict, 'mutant' | 'seconds'>> => {
  const { rule, file, find, put } = mutant;
  const stale = whyNot(mutant);
  if (stale !== null) return { caught: false, detail: stale };
  const tests = testsOf(rule);
  if (tests.length === 0) return { caught: false, detail: 'no test file names the rule' };
  const text = readFileSync(compiled(file), 'utf8').replace(find, () => put);
  const kinds: string[] = [];
  for (const test of tests) {
    const { kind } = await place.changed(compiled(file), text, () => place.run(compiled(test), rule));
    kinds.push(`${test}: ${kind}`);
    if (kind !== 'failed') continue;
    const key = `${rule} ${test}`;
    const passes = sound.get(key) ?? place.run(compiled(test), rule).then((ended) => ended.kind === 'passed');
    sound.set(key, passes);
    return (await passes)
      ? { caught: true, detail: test }
      : { caught: false, detail: `${test} fails without the breakage too` };
  }
  return { caught: false, detail: `survived ${kinds.join(', ')}` };
};

const queue = [...chosen];
const verdicts: Verdict[] = [];
const work = async (): Promise<void> => {
  const place = createPlace();
  try {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const started = performance.now();
      const verdict = await breakIt(mutant, place);
      verdicts.push({ mutant, ...verdict, seconds: (performance.now() - started) / 1000 });
    }
  } finally {
    place.remove();
  }
};
const started = performance.now();
await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));

for (const { rule, file, find } of chosen) {
  const verdict = verdicts.find(
    ({ mutant }) => mutant.rule === rule && mutant.file === file && mutant.find === find,
  );
  if (!verdict) continue;
  const { caught, detail, seconds } = verdict;
  const words = [
    caught ? 'caught' : 'FAILED',
    rule.padEnd(16),
    file.padEnd(40),
    `${seconds.toFixed(1)} s`.padStart(7),
  ];
  process.stdout.write(`${words.join('  ')}  ${detail}\n`);
}
const caught = verdicts.filter((verdict) => verdict.caught).length;
const seconds = ((performance.now() - started) / 1000).toFixed(0);
process.stdout.write(
  `${chosen.length} mutants, ${caught} caught, ${chosen.length - caught} not, in ${seconds} s\n`,
);
process.exitCode = caught === chosen.length && caught > 0 ? 0 : 1;
