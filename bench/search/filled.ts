import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../kernel/event.ts';
import { collectionOf } from '../../projections/engine/readModels.ts';
import { prepareProjections } from '../../projections/engine/runner.ts';
import { type SubmissionDocument, submissions } from '../../projections/submissions.ts';
import type { DocumentStore, Fence, Write } from '../../stores/documents/port.ts';
import { createProgress } from '../extraction/progress.ts';

const AT_ONCE = 5_000;
const SMALL_EVERY = 10;

/** The size of all files of a folder. */
export const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

/** Fills the read model of submissions with so many, and gives the lease that it was done under. */
export const fillSubmissions = async ({ models, leases }: DocumentStore, count: number): Promise<Fence> => {
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
  return fence;
};

/** The write of the n-th submission; `at`: its place in the log, if it is another. */
export const writeOf = (n: number, at = n): Write => {
  const document = madeUp(n);
  return {
    collection: collectionOf(submissions as never),
    id: document.id,
    position: String(at + 1).padStart(20, '0') as Position,
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
