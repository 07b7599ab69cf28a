import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClient } from '../../client/index.ts';
import { freePorts } from '../../test/support/freePort.ts';
import type { Settings } from '../demo/intake.ts';
import { print } from '../named.ts';
import { reviewed } from './inReview.ts';
import { admitted, folderOf, killableService } from './served.ts';
import { judge, killableListener, killInTurn, load, startLaptop, wholeFeed } from './throughKills.ts';

/** What `npm run trial -- --help` says of this. */
export const summary = 'intake listen, with kills of the service and of itself (--kills N)';

const KILLS = 10;
const CLIENTS = 4;
const SLUG = 'listened';
/** How long the last events may take. */
const LAST_MS = 120_000;

/**
 * True when after all kills every event of the feed has been forwarded, under one id, with the same bytes, in
 * order.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const { values } = parseArgs({
    args: [...options],
    options: { kills: { type: 'string' }, data: { type: 'string' } },
  });
  const folder = folderOf(values.data ? ['--data', values.data] : []);
  try {
    const figures = await listenThroughKills(folder.settings, Number(values.kills ?? KILLS), print);
    for (const [what, figure] of Object.entries(figures)) print(`${what.padEnd(20)}${figure}`);
    const isReached = FAULTS.every((fault) => figures[fault] === 0);
    print(
      `goal: nothing lost, under two ids, with other bytes or out of order: ${isReached ? 'reached' : 'MISSED'}`,
    );
    return isReached;
  } finally {
    folder.remove();
  }
};

/** What must not happen. */
export const FAULTS = [
  'lost',
  'not of the feed',
  'under two ids',
  'with other bytes',
  'out of order',
] as const;

/**
 * Runs a service under load and `intake listen` beside it, and kills each of them so many times. Gives what
 * came of the events.
 */
export const listenThroughKills = async (folder: Settings, kills: number, say: (line: string) => void) => {
  const settings = { ...folder, ...(await freePorts()) };
  const path = folder.DATA_DIR ?? '';
  const url = `http://127.0.0.1:${settings.PORT}`;
  const laptop = await startLaptop();
  const service = killableService(settings);
  await service.start();
  const { key } = await admitted(settings, path, reviewed(SLUG));
  const account = { INTAKE_URL: url, INTAKE_KEY: key, XDG_STATE_HOME: path };
  const listener = killableListener(account, laptop.url);
  let isOver = false;
  try {
    await listener.start();
    while (!existsSync(join(path, 'intake'))) await sleep(20);
    say(`${CLIENTS} clients at work; the service and intake listen are killed ${kills} times each`);
    const clients = Array.from({ length: CLIENTS }, () =>
      load(createClient({ url, key }), SLUG, () => isOver),
    );
    await Promise.race([
      killInTurn([service, listener], kills, () => laptop.came.length),
      Promise.all(clients),
    ]);
    isOver = true;
    await Promise.all(clients);
    const feed = await wholeFeed(createClient({ url, key }));
    const until = performance.now() + LAST_MS;
    while (judge(feed, laptop.came).lost > 0 && performance.now() < until) await sleep(200);
    return { kills: 2 * kills, ...judge(feed, laptop.came) };
  } finally {
    isOver = true;
    await Promise.all([service.kill(), listener.kill()]);
    await laptop.close();
  }
};
