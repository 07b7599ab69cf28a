import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../client/index.ts';
import { executable, type Settings } from '../demo/intake.ts';
import { print } from '../named.ts';
import { inReview, reviewed } from './inReview.ts';
import { admitted, folderOf, whileServed } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'a page of a file overwritten, file by file: how the process ends, and whether the file is named';

const SLUG = 'damage-trial';
const SUBMISSIONS = 40;
const FILES = ['log.db', 'tables.db', 'keys.db', 'models.db'];
const PLACES = [0.2, 0.35, 0.5, 0.7];
const DAMAGED_BYTES = 5_000;
const PATIENCE_MS = 15_000;

/**
 * Fills a folder, and starts a service on copies of it in which 5,000 bytes were overwritten: it approves
 * what waits for a person, until something happens. True when no process ends by a signal, and each either
 * works as on the whole file or names it, refuses its start or is not ready.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const folder = folderOf(options);
  try {
    const filled = join(folder.path, 'filled');
    const settings = { ...folder.settings, DATA_DIR: filled };
    const { key } = await admitted(settings, folder.path, reviewed(SLUG));
    const ids = await whileServed(settings, ({ url }) => {
      const intake = createClient({ url, key });
      return Promise.all(Array.from({ length: SUBMISSIONS }, () => inReview(intake, SLUG)));
    });
    let isReached = true;
    for (const name of FILES)
      for (const share of PLACES) {
        const copy = join(folder.path, 'copy');
        cpSync(filled, copy, { recursive: true });
        overwrite(join(copy, name), share);
        const outcome = await outcomeOn(
          { ...settings, DATA_DIR: copy, LOG_LEVEL: 'info' },
          join(copy, name),
          key,
          ids,
        );
        rmSync(copy, { recursive: true });
        print(`${`${name} at ${share * 100} %`.padEnd(20)}${outcome.summary}`);
        isReached &&= outcome.isGood;
      }
    print(`no abort, and every damaged file named: ${isReached ? 'reached' : 'MISSED'}`);
    return isReached;
  } finally {
    folder.remove();
  }
};

/** Overwrites 5,000 bytes of a file, from this share of its size on. */
export const overwrite = (path: string, share: number): void => {
  const file = openSync(path, 'r+');
  // Bytes that no text has.
  writeSync(
    file,
    Buffer.alloc(DAMAGED_BYTES, 0xa5),
    0,
    DAMAGED_BYTES,
    Math.floor(statSync(path).size * share),
  );
  closeSync(file);
};

type Outcome = Readonly<{ summary: string; isGood: boolean }>;

const outcomeOn = async (
  settings: Settings,
  path: string,
  key: string,
  ids: readonly string[],
): Promise<Outcome> => {
  const child = spawn(process.execPath, [executable(), 'serve', '--json'], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (text) => {
    output += text;
  });
  const exited = once(child, 'exit').then(([code, signal]) => String(signal ?? `exit ${code}`));
  const first = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const served = first.done ? null : await use(JSON.parse(first.value).url, key, ids);
  if (served) child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const end = await exited;
  clearTimeout(killing);
  const isNamed = output.includes(`${path} is damaged`);
  const isAborted = /^SIG(?!TERM)/.test(end);
  const works = served?.ready === 200 && served.approved === ids.length;
  const summary = [
    served
      ? `served: ${served.approved} of ${ids.length} approved, ready ${served.ready ?? 'gave no answer'}`
      : 'refused to start',
    `${end}, the file ${isNamed ? 'is named' : 'is NOT named'}`,
  ].join('; ');
  return { summary, isGood: !isAborted && (works || (isNamed && served?.ready !== 200)) };
};

/** Approves one after the other; gives how many were approved, and what /health/ready answers then. */
const use = async (
  url: string,
  key: string,
  ids: readonly string[],
): Promise<Readonly<{ approved: number; ready: number | null }>> => {
  let approved = 0;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const status = (path: string, terms: RequestInit = {}): Promise<number | null> =>
    fetch(`${url}${path}`, { ...terms, signal: AbortSignal.timeout(PATIENCE_MS) }).then(
      (response) => response.status,
      () => null, // the process has ended
    );
  for (const id of ids) {
    const answer = await status(`/api/v1/submissions/${id}/approve`, { method: 'POST', headers, body: '{}' });
    if (answer === 200) approved += 1;
    if (answer === null) break;
  }
  await sleep(1_500);
  return { approved, ready: await status('/health/ready') };
};
