import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { candidatesFor, MAX_CANDIDATES, MAX_COMPARED } from '../processing/fraud/findSimilar.ts';
import { fraudQueries } from '../projections/fraudIndex.ts';
import { print } from '../scripts/named.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import { sqliteDocumentStore } from '../stores/documents/sqlite.ts';
import { fillIndex, hide, placeOf } from './fraud/filled.ts';
import { copyOf, type Made, madeUp, pageOf } from './fraud/made.ts';
import { judge, type Row } from './measure.ts';
import { optionsOf } from './options.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'the look-ups of fraud checks among 1,000 and 1,000,000 submissions';

const near = 'near_duplicate_image';
const FEW = 1_000;
/** How many documents of each kind are checked. */
const CHECKED = 60;
/** Reading a page takes some hundred times as long. */
const MAX_MS = 50;
const MIN_FOUND = 0.95;

/**
 * Measures how the cost of a check grows with the number of submissions; `--submissions N` (default
 * 1,000,000). Its rows say whether it stays within its limits, and
 * whether copies are found.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { submissions } = optionsOf(options, { submissions: 1_000_000 });
  const few = await measured(FEW);
  const many = await measured(submissions);
  for (const [n, { what, ms }] of many.entries())
    print(`${what}: ${(ms / (few[n]?.ms ?? Number.NaN)).toFixed(1)} times as long among many as among few`);
  print(
    'Among few, look-ups find few entries. The cost grows until look-ups reach their limit, and no further.',
  );
  const all = [...few, ...many];
  const limit = { figure: 'fraud', yardstick: '-', isAtMost: true } as const;
  const most = Math.max(...all.map(({ candidates }) => candidates));
  return [
    judge(
      { ...limit, what: 'look-ups of a check', goal: MAX_MS, unit: 'ms' },
      Math.max(...all.map(({ ms }) => ms)),
    ),
    judge({ ...limit, what: 'candidates of a check', goal: MAX_CANDIDATES }, most),
    judge(
      { ...limit, what: 'share of copies found', goal: MIN_FOUND, isAtMost: false },
      Math.min(...all.map(({ found }) => found ?? 1)),
    ),
  ];
};

type Figures = Readonly<{ what: string; ms: number; candidates: number; found: number | null }>;

const measured = async (submissions: number): Promise<readonly Figures[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  const store = sqliteDocumentStore({ folder, clock: { now: () => new Date() } });
  try {
    const started = performance.now();
    const entries = await fillIndex(store, submissions);
    const seconds = Math.round((performance.now() - started) / 1_000);
    const bytes = bytesOf(folder) / submissions;
    print(
      `${submissions.toLocaleString('en')} submissions, ${(entries / submissions).toFixed(1)} entries and ${Math.round(bytes)} bytes each, filled in ${seconds} s`,
    );
    // What is new comes after all; what is copied lies all over.
    const newOnes = (template: boolean): readonly Made[] =>
      range(CHECKED, (n) => madeUp(3 * (submissions + n) + (template ? 0 : 1)));
    const copies = (template: boolean): readonly Made[] =>
      range(CHECKED, (n) =>
        copyOf(3 * Math.floor(((n + 0.5) * submissions) / CHECKED / 3) + (template ? 0 : 1)),
      );
    await check(store.models, 'to warm up', newOnes(true), submissions);
    const kinds = [
      ['new of the template', newOnes(true), false],
      ['new of another layout', newOnes(false), false],
      ['copy of one of the template', copies(true), true],
      ['copy of another layout', copies(false), true],
    ] as const;
    const figures: Figures[] = [];
    for (const [what, documents, copied] of kinds) {
      const { found, ...cost } = await check(store.models, what, documents, submissions);
      figures.push({ ...cost, found: copied ? found : null });
      print(
        `  ${what.padEnd(28)} ${cost.ms.toFixed(1)} ms, ${cost.lookups} look-ups, at most ${cost.candidates} candidates${copied ? `, ${Math.round(found * 100)} % found` : ''}`,
      );
    }
    return figures;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
};

const range = <T>(count: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, n) => make(n));

const bytesOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

/**
 * All three checks' look-ups for each document: the median of the milliseconds, the most look-ups and
 * candidates, the share whose original would be compared.
 */
const check = async (models: ReadModels, what: string, documents: readonly Made[], submissions: number) => {
  const counts = { lookups: 0, candidates: 0 };
  const watched: ReadModels = {
    ...models,
    page: async (name, query) => {
      const page = await models.page(name, query);
      counts.lookups += 1;
      counts.candidates += page.items.length;
      return page as never;
    },
  };
  const index = fraudQueries(watched);
  const position = placeOf(4 * submissions);
  const times: number[] = [];
  let [lookups, candidates, found] = [0, 0, 0];
  for (const document of documents) {
    const { submissionId, sha256, businessKey } = document;
    const page = pageOf(document);
    Object.assign(counts, { lookups: 0, candidates: 0 });
    const started = performance.now();
    await index.before(hide('duplicate_file', sha256), position);
    await index.before(hide('duplicate_data', businessKey), position);
    const all = await candidatesFor({ index }, (text) => hide(near, text), [page], position);
    times.push(performance.now() - started);
    lookups = Math.max(lookups, counts.lookups);
    candidates = Math.max(candidates, counts.candidates);
    if (all.slice(0, MAX_COMPARED).some((one) => one.submissionId === submissionId)) found += 1;
  }
  const ms = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
  return { what, ms, lookups, candidates, found: found / documents.length };
};
