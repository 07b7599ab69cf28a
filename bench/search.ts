import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchedTerms } from '../kernel/searchRanges.ts';
import { submissionQueries } from '../projections/submissions.ts';
import type { DocumentStore } from '../stores/documents/port.ts';
import { sqliteDocumentStore } from '../stores/documents/sqlite.ts';
import { judge, median, type Row } from './measure.ts';
import { optionsOf } from './options.ts';
import { bytesIn, fillSubmissions } from './search/filled.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'searches for words of a submission among 1,000,000';

const GOAL = { figure: 'search', yardstick: '-', isAtMost: true, unit: 'ms', goal: 50 } as const;

/** What is searched for; each company but the last has nine of ten submissions. */
const SEARCHES: readonly (readonly [what: string, text: string, company: string])[] = [
  ['a letter', 'm', 'big'],
  ['a word that all have', 'rechnung', 'big'],
  ['a longer word that all have', 'eingangsrechnung', 'big'],
  ['an identifier', 'order-17123', 'big'],
  ['a day', '14.05.2026', 'big'],
  ['a month', '03.2026', 'big'],
  ['an amount', '1.234,50', 'big'],
  ['two words of which none has both', 'meier 03.2026', 'big'],
  ['two words that only others have together', 'muller 03.2026', 'big'],
  ['three words that many have', 'rechnung 2026 m', 'big'],
  ['a word that all have, in a small company', 'rechnung', 'small'],
  ['a word that nobody has', 'zzzzzz', 'big'],
];

/**
 * Fills the read model with `--submissions N` (default 1,000,000; 2.4 GB of temporary files),
 * and measures the first page of searches, 50 times each.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { submissions: count } = optionsOf(options, { submissions: 1_000_000 });
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  const store = sqliteDocumentStore({ folder, clock: { now: () => new Date() } });
  try {
    await fillSubmissions(store, count);
    process.stderr.write(`${Math.round(bytesIn(folder) / count)} bytes each\n`);
    const rows: Row[] = [];
    for (const [what, text, company] of SEARCHES) {
      const { ms, cpu, found } = await measured(store, text, company);
      const detail = `${found} found, ${cpu.toFixed(1)} ms of processor time`;
      rows.push(judge({ ...GOAL, what: `${what}, of ${count.toLocaleString('en')}` }, ms, detail));
    }
    return rows;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const measured = async ({ models }: DocumentStore, text: string, company: string) => {
  const { rows } = submissionQueries(models);
  const times: number[] = [];
  const cpu: number[] = [];
  let found = 0;
  for (let round = 0; round < 50; round += 1) {
    const begun = performance.now();
    const used = process.cpuUsage();
    const page = await rows({ companyId: company, mode: 'live' }, 25, null, searchedTerms(text).terms);
    times.push(performance.now() - begun);
    const { user, system } = process.cpuUsage(used);
    cpu.push((user + system) / 1_000);
    found = page.items.length;
  }
  return { ms: median(times), cpu: median(cpu), found };
};
