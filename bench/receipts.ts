import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../cli/table.ts';
import { createTenant, startServer } from '../scripts/demo/intake.ts';
import { type Integration, integration, type Job, textOf } from '../scripts/demo/integration.ts';
import { RECEIPT_WORKFLOW, type Scan, scansIn } from './scans.ts';

/** What `npm run bench -- --help` says of this. */
export const summary =
  'sends a folder of scans through the HTTP API and prints what was found beside what is true';

type Row = Readonly<{
  file: string;
  status: string;
  seconds: number;
  found: Readonly<Record<string, unknown>>;
  truth: Readonly<Record<string, string>>;
}>;

/** A scan must reach its final status within this time of its submit. */
const LIMIT_SECONDS = 20;

/** Sends every scan of a folder, one after the other. True when each reached a final status in time. */
export const run = async ([folder]: readonly string[]): Promise<boolean> => {
  const scans = await scansIn(folder);
  const dataDir = mkdtempSync(join(tmpdir(), 'intake-receipts-'));
  const settings = { PORT: '0', STORAGE_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const server = await startServer(settings);
  try {
    const { key } = await createTenant(settings, 'Bench', RECEIPT_WORKFLOW);
    const api = integration(server.url, key);
    const rows: Row[] = [];
    for (const scan of scans) {
      const row = await measure(api, scan);
      rows.push(row);
      process.stderr.write(`${rows.length} of ${scans.length}: ${row.file} ${row.status}\n`);
    }
    return report(rows);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const measure = async (api: Integration, { name, path, truth }: Scan): Promise<Row> => {
  const { sessionId, submissionId } = await api.send(path, 'image/jpeg', null, name);
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  for (;;) {
    const { state, submissionStatus } = await api.get<Job>(`/jobs/${sessionId}`);
    if (['completed', 'failed'].includes(state) || seconds() > LIMIT_SECONDS * 2) {
      const { extractedData } = await api.get<{ extractedData: Row['found'] | null }>(
        `/submissions/${submissionId}`,
      );
      return { file: name, status: submissionStatus, seconds: seconds(), found: extractedData ?? {}, truth };
    }
    await sleep(50);
  }
};

const report = (rows: readonly Row[]): boolean => {
  const columns = {
    FILE: ({ file }: Row) => file,
    STATUS: ({ status }: Row) => status,
    SECONDS: ({ seconds }: Row) => seconds.toFixed(1),
    'TOTAL FOUND': ({ found }: Row) => textOf(found.total),
    'TRUE TOTAL': ({ truth }: Row) => textOf(truth.total),
    'DATE FOUND': ({ found }: Row) => textOf(found.date),
    'TRUE DATE': ({ truth }: Row) => textOf(truth.date),
  };
  const right = rows.filter(({ found, truth }) => amountOf(found.total) === amountOf(truth.total)).length;
  const slowest = Math.max(...rows.map(({ seconds }) => seconds));
  const ended = rows.filter(({ status }) =>
    ['approved', 'review', 'failed', 'capture_quality_blocked'].includes(status),
  );
  process.stdout.write(`${table(rows, columns)}\n`);
  process.stdout.write(
    `${ended.length} of ${rows.length} at a final status, the slowest in ${slowest.toFixed(1)} s\n`,
  );
  process.stdout.write(`${right} of ${rows.length} totals are right\n`);
  return ended.length === rows.length && slowest <= LIMIT_SECONDS;
};

const amountOf = (value: unknown): number => Number(String(value ?? '').replace(/[^0-9.]/g, ''));
