import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Position } from '../kernel/event.ts';
import { searchedTerms } from '../kernel/searchRanges.ts';
import { collectionOf } from '../projections/engine/readModels.ts';
import { prepareProjections } from '../projections/engine/runner.ts';
import { type SubmissionDocument, submissionQueries, submissions } from '../projections/submissions.ts';
import type { DocumentStore, Write } from '../stores/documents/port.ts';
import { sqliteDocumentStore } from '../stores/documents/sqlite.ts';
import { createProgress } from './extraction/progress.ts';
import { judge, median, type Row } from './measure.ts';
import { optionsOf } from './options.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'searches for words of a submission among 1,000,000';

const AT_ONCE = 5_000;
const SMALL_EVERY = 10;
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
    await fill(store, count);
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    process.stderr.write(`${Math.round(bytes / count)} bytes each\n`);
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

const fill = async ({ models, leases }: DocumentStore, count: number): Promise<void> => {
  const fence = await leases.acquire('bench', 'bench', 3_600_000);
  if (!fence) throw new Error('another bench runs');
  await prepareProjections([submissions], models);
  const progress = createProgress(`${count.toLocaleString('en')} submissions`, Math.ceil(count / AT_ONCE));
  for (let first = 0; first < count; first += AT_ONCE) {
    const writes = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, n) => writeOf(first + n));
    await models.commit(writes, {}, fence);
    progress.step();
  }
  progress.stop();
};

const writeOf = (n: number): Write => {
  const document = madeUp(n);
  return {
    collection: collectionOf(submissions as never),
    id: document.id,
    position: String(n + 1).padStart(20, '0') as Position,
    document,
    answers: { row: () => JSON.stringify({ id: document.id, createdAt: document.createdAt }) },
    ...(submissions.words && { words: submissions.words }),
  };
};

const NAMES = [
  'Müller',
  'Meier',
  'Schmidt',
  'Kowalski',
  'García',
  'Øster',
  'Nagy',
  'Rossi',
  'Lefèvre',
  'Brown',
];

/** What the lists and the words of a submission are made of. */
const madeUp = (n: number): SubmissionDocument => {
  const id = `sub_${String(n).padStart(26, '0')}`;
  const date = new Date(1.7e12 + n * 60_000).toISOString();
  const company = `${NAMES[n % 10]} ${(n % 5_000).toString(36)} GmbH`;
  const submission = {
    routing: {
      ...{ companyId: n % SMALL_EVERY === 0 ? 'small' : 'big', mode: 'live', keyId: 'key', batchId: null },
      workflow: { slug: `w${n % 5}`, version: 1 },
    },
    ...{ status: 'review', state: 'completed', fraudStatus: 'clean', clientSubmissionId: `order-${n}` },
    batchRef: `batch-${Math.floor(n / 100)}`,
    files: [{ label: 'Eingangsrechnung' }],
    fileNames: { file: `Rechnung_${n}_${date.slice(0, 10)}.pdf` },
    extractedData: {
      ...{
        company,
        date: `2026-${digits((n % 12) + 1)}-${digits((n % 28) + 1)}`,
        total: (n % 500_000) / 100 + 0.5,
      },
      ...{ number: `RE-2026-${n}`, iban: `DE${n * 7919}`, city: `${NAMES[(n * 7) % 10]}stadt`, paid: true },
    },
  };
  return { id, createdAt: date, submission, history: [], notes: [] } as unknown as SubmissionDocument;
};

const digits = (n: number): string => String(n).padStart(2, '0');
