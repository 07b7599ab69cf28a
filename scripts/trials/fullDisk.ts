import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { table } from '../../cli/table.ts';
import { createClient } from '../../client/index.ts';
import { createTenant, type Server } from '../demo/intake.ts';
import { print } from '../named.ts';
import { settingsOf, whileServed } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'reads, and healing, of a service whose disk is full (a file system of its own in memory, which takes root)';

const RECEIPT = fileURLToPath(new URL('../../../scripts/samples/receipt.workflow.json', import.meta.url));
const SIZE_MIB = 64;
const FULL_MS = 10_000;
const HEALED_MS = 5_000;

/**
 * True when each read was answered while the disk was full, nothing else was answered than by 503, and all
 * went on within 5 s.
 */
export const run = async (): Promise<boolean> => {
  const disk = mkdtempSync(join(tmpdir(), 'intake-trial-disk-'));
  const reason = mounted(disk);
  if (reason !== null) {
    rmSync(disk, { recursive: true });
    process.stdout.write(`skipped: no file system can be mounted here: ${reason}\n`);
    return true;
  }
  try {
    return await whileServed(settingsOf(disk), (server) => measure(server, disk));
  } finally {
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  }
};

/** Mounts an empty file system in memory; gives the reason why that can't be done, else null. */
const mounted = (folder: string): string | null => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'tmpfs', folder], { stdio: 'pipe' });
    return null;
  } catch (error) {
    return (error as Error).message.trim();
  }
};

type Counts = Map<string, number>;
type Line = Readonly<{ disk: string; gets: Counts; posts: Counts }>;

const measure = async (server: Server, disk: string): Promise<boolean> => {
  const { key } = await createTenant(settingsOf(disk), 'Full disk', RECEIPT);
  const intake = createClient({ url: server.url, key });
  const { sessionId, submissionId } = await intake.post('/api/v1/workflows/{slug}/sessions', {
    path: { slug: 'receipt' },
  });
  const reads = [
    '/workflows',
    '/submissions',
    `/submissions/${submissionId}`,
    `/jobs/${sessionId}`,
    '/events',
  ];
  const status = async (method: 'GET' | 'POST', path: string): Promise<number> =>
    (await fetch(`${server.url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${key}` } }))
      .status;
  const open = () => status('POST', '/workflows/receipt/sessions');
  const counted = async (forMs: number, post = open): Promise<Readonly<{ gets: Counts; posts: Counts }>> => {
    const [gets, posts] = [new Map<string, number>(), new Map<string, number>()];
    for (const end = performance.now() + forMs; performance.now() < end; ) {
      count(posts, await post());
      for (const path of reads) count(gets, await status('GET', path));
    }
    return { gets, posts };
  };
  const before = await counted(1_000);
  const filler = join(disk, 'filler');
  fill(filler);
  // The files have some free space of their own, which must be used up first.
  for (let tries = 0; tries < 5_000 && (await open()) !== 503; tries += 1);
  const full = await counted(FULL_MS);
  const ready = await fetch(`${server.url}/health/ready`);
  const { checks = [] } = (await ready.json()) as { checks?: readonly Check[] };
  const freed = performance.now();
  rmSync(filler);
  while ((await open()) !== 201 && performance.now() - freed < 60_000) await sleep(20);
  const healed = performance.now() - freed;
  const after = await counted(1_000);
  const columns = {
    disk: ({ disk: state }: Line) => state,
    'GETs by status': ({ gets }: Line) => text(gets),
    'POSTs by status': ({ posts }: Line) => text(posts),
  };
  const lines = [
    { disk: 'before', ...before },
    { disk: 'full', ...full },
    { disk: 'after', ...after },
  ];
  print(table(lines, columns));
  const faults = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
  print(`/health/ready while it was full: ${ready.status} ${faults.join('; ')}`);
  const isGood = only(full.gets, '200') && !full.posts.has('500') && healed <= HEALED_MS;
  print(
    `healed in ${Math.round(healed)} ms; goal: every GET 200, no POST 500, ${HEALED_MS} ms: ${isGood ? 'reached' : 'MISSED'}`,
  );
  return isGood;
};

type Check = Readonly<{ name: string; ok: boolean; detail: string | null }>;

/** Writes a file until the disk is full. */
const fill = (path: string): void => {
  const file = openSync(path, 'w');
  try {
    for (let size = 1_048_576; size >= 1; ) {
      try {
        writeSync(file, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(file);
  }
};

const count = (counts: Counts, status: number): void =>
  void counts.set(`${status}`, (counts.get(`${status}`) ?? 0) + 1);
const only = (counts: Counts, status: string): boolean => counts.size === 1 && counts.has(status);
const text = (counts: Counts): string =>
  [...counts].map(([status, times]) => `${times} × ${status}`).join(', ');
