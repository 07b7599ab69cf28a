import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plot } from '../http/engine/plot.ts';
import { type Settings, startServer } from '../scripts/demo/intake.ts';
import { PAGES, type Served, serve, untilReady } from './growth/served.ts';
import { judge, median, type Row } from './measure.ts';
import { optionsOf } from './options.ts';
import { serviceSettings } from './service.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'the start up to the first 200, and the cost of a page, as the log grows';

const P13 = { figure: 'P13', yardstick: 'node -e 0', isAtMost: true, unit: 'ms' } as const;
const P14 = {
  figure: 'P14',
  yardstick: 'the same at 1,000',
  isAtMost: true,
  unit: 'times',
  goal: 2,
} as const;
/** Of a submission without a webhook. */
const EVENTS_EACH = 7;
const FEW = 1_000;

/**
 * Measures starts of the service with an empty folder and with a log of `--events N` (default 1,000,000; 0:
 * without), and pages of its submissions beside those of smaller logs, by the servers' processor time;
 * `--requests N` of each page (1,000), `--rounds N` (5). Needs Linux.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { events, requests, rounds } = optionsOf(options, { events: 1_000_000, requests: 1_000, rounds: 5 });
  const folder = mkdtempSync(join(tmpdir(), 'intake-growth-'));
  try {
    const empty = await starts(rounds, () => serviceSettings(mkdtempSync(join(folder, 'empty-'))));
    const starting = judge({ ...P13, what: 'start to the first 200, empty log', goal: 1_000 }, ...empty);
    if (events === 0) return [starting];
    const folders = ['few', 'more', 'most'].map((name) => serviceSettings(join(folder, name)));
    const grown = await growing(folders, Math.round(events / EVENTS_EACH), requests, rounds);
    const filled = await starts(rounds, () => folders.at(-1) ?? {});
    return [
      starting,
      judge({ ...P13, what: `the same, ${events.toLocaleString('en')} events`, goal: 2_000 }, ...filled),
      ...grown,
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The median of so many starts, each beside one of Node alone. */
const starts = async (rounds: number, settings: () => Settings): Promise<[number, string]> => {
  const pairs: Readonly<{ ours: number; bare: number }>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const begun = performance.now();
    await once(spawn(process.execPath, ['-e', '0']), 'exit');
    const pair = { bare: performance.now() - begun, ours: await startOf(settings()) };
    if (round > 0) pairs.push(pair);
  }
  const bare = median(pairs.map((pair) => pair.bare));
  const ratio = median(pairs.map((pair) => pair.ours / pair.bare));
  return [
    median(pairs.map(({ ours }) => ours)),
    `${ratio.toFixed(1)} times the ${bare.toFixed(0)} ms of Node alone`,
  ];
};

const startOf = async (settings: Settings): Promise<number> => {
  const begun = performance.now();
  const server = await startServer(settings);
  await untilReady(server.url);
  const took = performance.now() - begun;
  await server.stop();
  return took;
};

/** The costs of pages with few, more and most submissions, in turns. */
const growing = async (
  folders: readonly Settings[],
  most: number,
  requests: number,
  rounds: number,
): Promise<readonly Row[]> => {
  const sizes = [FEW, Math.round(Math.sqrt(FEW * most)), most];
  const served: Served[] = [];
  const stops: (() => Promise<unknown>)[] = [];
  try {
    for (const [n, settings] of folders.entries())
      served.push(await serve(settings, sizes[n] ?? most, (stop) => stops.push(stop)));
    return rowsOf(sizes, await costsOf(served, requests, rounds));
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
};

const rowsOf = (
  sizes: readonly number[],
  costs: readonly Readonly<Record<string, number>>[],
): readonly Row[] => {
  const lines = Object.fromEntries(
    Object.keys(PAGES).map((name) => [
      name,
      sizes.map((size, n) => [size, costs[n]?.[name] ?? Number.NaN] as const),
    ]),
  );
  const plot: Plot = {
    ...{ title: 'Cost of a page of 20 submissions', isLogarithmic: true, lines },
    ...{ x: 'submissions', y: 'µs of processor time' },
  };
  return Object.entries(lines).map(([name, line], n) => {
    const what = `GET /submissions, ${name}, at ${sizes.at(-1)?.toLocaleString('en')} submissions`;
    const [few = Number.NaN, many = Number.NaN] = [line[0]?.[1], line.at(-1)?.[1]];
    const row = judge({ ...P14, what }, many / few, `${many.toFixed(0)} µs against ${few.toFixed(0)}`);
    return n === 0 ? { ...row, plot } : row;
  });
};

/** The medians of the rounds, after one to warm up: for each server the cost of each kind of page. */
const costsOf = async (served: readonly Served[], requests: number, rounds: number) => {
  const found = served.map(() =>
    Object.fromEntries(Object.keys(PAGES).map((page) => [page, [] as number[]])),
  );
  for (let round = 0; round <= rounds; round += 1)
    for (const page of Object.keys(PAGES))
      for (const [n, { costOf }] of served.entries()) {
        const cost = await costOf(page, requests);
        if (round > 0) found[n]?.[page]?.push(cost);
      }
  return found.map((pages) =>
    Object.fromEntries(Object.entries(pages).map(([page, all]) => [page, median(all)])),
  );
};
