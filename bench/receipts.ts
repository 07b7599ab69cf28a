import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { table } from '../cli/table.ts';
import { intake, startServer } from '../scripts/demo/intake.ts';
import { type Integration, integration, type Job } from '../scripts/demo/integration.ts';

export const summary =
  'sends a folder of scans through the HTTP API and prints what was found beside what is true';

type Row = Readonly<{
  file: string;
  status: string;
  seconds: number;
  found: Readonly<Record<string, unknown>>;
  truth: Readonly<Record<string, string>>;
}>;

const definition = fileURLToPath(new URL('../../scripts/samples/receipt.workflow.json', import.meta.url));
/** A scan must reach its final status within this time of its submit. */
const LIMIT_SECONDS = 20;

/** `npm run bench -- receipts PATH`: every `PATH/NAME.jpg` one after the other, its truth in `PATH/NAME.json`. */
export const run = async ([folder]: readonly string[]): Promise<boolean> => {
  if (!folder) throw new Error('which folder? npm run bench -- receipts PATH');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).sort();
  const dataDir = mkdtempSync(join(tmpdir(), 'intake-receipts-'));
  const settings = { PORT: '0', STORAGE_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const server = await startServer(settings);
  try {
    const { id } = JSON.parse(await intake(settings, 'company', 'create', '--name', 'Bench', '--json'));
    await intake(settings, 'workflow', 'publish', definition);
    await intake(settings, 'workflow', 'assign', 'receipt', '--company', id);
    const { key } = JSON.parse(await intake(settings, 'key', 'create', '--company', id, '--json'));
    const api = integration(server.url, key);
    const rows: Row[] = [];
    for (const name of names) {
      rows.push(await measure(api, folder, name));
      process.stderr.write(`${rows.length} of ${names.length}: ${name} ${rows.at(-1)?.status}\n`);
    }
    return report(rows);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const measure = async (api: Integration, folder: string, name: string): Promise<Row> => {
  const truth = JSON.parse(await readFile(join(folder, name.replace('.jpg', '.json')), 'utf8'));
  const { sessionId, submissionId } = await api.send(join(folder, name), 'image/jpeg', null, name);
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

const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);

const amountOf = (value: unknown): number => Number(String(value ?? '').replace(/[^0-9.]/g, ''));
