import { setTimeout as sleep } from 'node:timers/promises';
import { burst, RECEIVERS } from './deliveries/burst.ts';
import { openStage } from './deliveries/stage.ts';
import { judge, type Row } from './measure.ts';
import { optionsOf } from './options.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'deliveries a second to live receivers as more receivers are dead';

/** After that time the first attempts have ended at the dead ones. */
const ATTEMPT_MS = 11_000;

/** Measures bursts, `--deliveries N` (default 1,000) to live receivers each, by a service for each of
 * `--shares` (0,10,20,30,40, in percent of all). */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const given = optionsOf(options, { deliveries: 1_000, shares: '0,10,20,30,40' });
  const live = given.deliveries;
  const shares = given.shares.split(',').map(Number);
  const line: [number, number][] = [];
  for (const share of shares)
    line.push([share, await besideDead(live, Math.round((live * share) / (100 - share)))]);
  const goal = { figure: '-', what: `deliveries to live receivers, ${shares.at(-1)} % of all to dead ones` };
  const plot = {
    ...{ title: 'Deliveries beside dead receivers', x: '% of webhooks to dead receivers' },
    ...{ y: 'deliveries a second', lines: { 'to live ones': line } },
  };
  const [alone = Number.NaN, most = Number.NaN] = [line[0]?.[1], line.at(-1)?.[1]];
  const detail = `${Math.round(alone)}/s without dead ones`;
  return [{ ...judge({ ...goal, yardstick: '-', goal: null, unit: '/s' }, most, detail), plot }];
};

/** A first burst warms up, and shows the service which receivers are dead. */
const besideDead = async (live: number, dead: number): Promise<number> => {
  const stage = await openStage((live + dead) * 2, RECEIVERS * 2);
  try {
    await burst(stage, live, dead);
    if (dead > 0) await sleep(ATTEMPT_MS);
    return (await burst(stage, live, dead)).perSecond;
  } finally {
    await stage.end();
  }
};
