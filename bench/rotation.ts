import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createClient, type IntakeClient } from '../client/index.ts';
import { executable, type Settings } from '../scripts/demo/intake.ts';
import { subjectKeys } from '../stores/events/subjectKeys.ts';
import { generationOf } from '../stores/keyring/keyring.ts';
import { openCoreOf } from '../test/support/core.ts';
import { usageOf } from './deliveries/usage.ts';
import { withoutEngines } from './engineSettings.ts';
import { judge, type Row } from './measure.ts';
import { optionsOf } from './options.ts';
import { ownSettings, withService } from './service.ts';

/** What `npm run bench -- --help` says of this. */
export const summary =
  'rows a second of `intake keys rotate` beside a service that is used, with a kill in the middle';

const GOAL = { figure: 'rotation', goal: null, yardstick: '-' } as const;
const AT_ONCE = 1_000;

/**
 * Seals `--rows N` (default 100,000) sealing keys under a new wrapping key while sessions are opened. The
 * rotation is killed once half of them are, and done again. Throws unless every key opens as before, and
 * every session. Needs Linux.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { rows } = optionsOf(options, { rows: 100_000 });
  return withService(async ({ server, key }) => {
    const settings = ownSettings(server.data);
    const subjects = Array.from({ length: rows }, (_, n) => `sub_${String(n).padStart(26, '0')}`);
    const planted = await withKeys(settings, async ({ keys }) => {
      for (let from = 0; from < rows; from += AT_ONCE)
        await Promise.all(subjects.slice(from, from + AT_ONCE).map((subject) => keys.obtain(subject, true)));
      return keys.find(subjects);
    });
    const load = opening(createClient({ url: server.url, key }));
    const half = await killedHalfway(settings, subjects);
    const begun = performance.now();
    const [code] = await once(rotate(settings), 'exit');
    if (code !== 0) throw new Error(`the rotation ended with ${code}`);
    const rest = (performance.now() - begun) / 1_000;
    const sessions = await load.end();
    // In a process that has no key in its memory.
    const found = await withKeys(settings, ({ keys }) => keys.find(subjects));
    if (!isDeepStrictEqual(found, planted)) throw new Error('not every key opens as before');
    const detail = `${sessions} sessions opened beside it, and read; the rest after a kill took ${rest.toFixed(1)} s`;
    return [
      judge({ ...GOAL, what: 'rows sealed anew a second' }, half.rate, detail),
      judge({ ...GOAL, what: 'processor time of a row', unit: 'µs' }, half.cpu),
    ];
  }, withoutEngines);
};

type Opened = Readonly<{
  keys: ReturnType<typeof subjectKeys>;
  /** Whether a subject's key is under another generation than the first. */
  isAnew(subject: string): Promise<boolean>;
}>;

const withKeys = async <T>(settings: Settings, body: (opened: Opened) => Promise<T>): Promise<T> => {
  const core = await openCoreOf(settings);
  const { tables } = core.documents;
  const isAnew = async (subject: string): Promise<boolean> =>
    generationOf((await tables.read<{ wrapped: string }>('subjectKeys', subject))?.row.wrapped ?? '') > 1;
  return body({ keys: subjectKeys({ tables, keyring: core.keyring }), isAnew }).finally(core.close);
};

const rotate = (settings: Settings) =>
  spawn(process.execPath, [executable(settings), 'keys', 'rotate', '--json'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** Rows a second, and their processor time in µs, of a rotation that is killed once half of them are anew. */
const killedHalfway = (settings: Settings, subjects: readonly string[]) =>
  withKeys(settings, async ({ isAnew }) => {
    const child = rotate(settings);
    const pid = child.pid ?? 0;
    const [first = '', middle = ''] = [subjects[0], subjects[Math.floor(subjects.length / 2)]];
    const reached = async (subject: string) => {
      while (!(await isAnew(subject))) {
        if (child.exitCode !== null) throw new Error('the rotation ended before it could be killed');
        await sleep(10);
      }
      return { at: performance.now(), cpuMs: usageOf(pid).cpuMs };
    };
    const [from, to] = [await reached(first), await reached(middle)];
    child.kill('SIGKILL');
    await once(child, 'exit');
    const rows = subjects.length / 2;
    return { rate: (rows * 1_000) / (to.at - from.at), cpu: ((to.cpuMs - from.cpuMs) * 1_000) / rows };
  });

/** Opens sessions one after the other; `end` reads them all, and gives how many there are. */
const opening = (api: IntakeClient) => {
  const opened = new Map<string, string>();
  let isOver = false;
  const work = async (): Promise<void> => {
    while (!isOver) {
      const clientSubmissionId = `order-${opened.size}`;
      const path = { slug: 'receipt' };
      const { sessionId } = await api.post('/api/v1/workflows/{slug}/sessions', {
        path,
        body: { clientSubmissionId },
      });
      opened.set(sessionId, clientSubmissionId);
    }
  };
  const working = work();
  return {
    end: async (): Promise<number> => {
      isOver = true;
      await working;
      for (const [sessionId, named] of opened) {
        const { clientSubmissionId } = await api.get('/api/v1/jobs/{sessionId}', { path: { sessionId } });
        if (clientSubmissionId !== named) throw new Error(`${sessionId} does not show its name`);
      }
      return opened.size;
    },
  };
};
