import { setTimeout as sleep } from 'node:timers/promises';
import { print } from '../scripts/named.ts';
import { bareLoop } from './deliveries/bare.ts';
import { type Burst, burst, DEAD_RECEIVERS, RECEIVERS } from './deliveries/burst.ts';
import { latencies } from './deliveries/latency.ts';
import { openStage, type Stage } from './deliveries/stage.ts';
import { judge, median, type Row } from './measure.ts';
import { optionsOf } from './options.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'webhooks: deliveries a second, what each costs, and receivers that are dead';

const P8 = {
  figure: 'P8',
  what: 'deliveries, each recorded durably',
  yardstick: 'a bare signed undici loop',
} as const;
const P18 = { figure: 'P18', yardstick: '-', isAtMost: true } as const;
const COST = { figure: 'P8', yardstick: '-', isAtMost: true } as const;
const P9 = {
  figure: 'P9',
  what: 'deliveries to live receivers beside 20 % dead ones',
  yardstick: 'without the dead ones',
} as const;
/** So many webhooks to live receivers for each to a dead one. */
const LIVE_EACH = 4;
/** After that time the first attempts have ended at the dead ones. */
const ATTEMPT_MS = 11_000;

type Options = Readonly<{
  count: number;
  rounds: number;
  rate: number;
  seconds: number;
  warm: number;
  against: string;
  dead: number;
}>;

/**
 * Measures, in turns, the service and a bare loop that signs and sends the same bytes; then the time from the
 * service's own events to arrivals, `--rate` a second (10) for `--seconds N` (30), after `--warm N` (1,000);
 * then bursts with and without dead receivers, by a service each. `--deliveries N` of each burst (default
 * 2,000), `--rounds N` (5), `--parts` one or more of costs, latency and dead. `--dead N` receivers are dead
 * (4, a fifth of all). `--against` names another build's `dist/cli/intake.js`, measured in the same rounds.
 * Needs Linux, which counts what a process writes. Its rows are those of P8, P9 and P18.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const given = optionsOf(options, {
    ...{ deliveries: 2_000, rounds: 5, rate: 10, seconds: 30, warm: 1_000, dead: DEAD_RECEIVERS },
    ...{ parts: 'costs,latency,dead', against: '' },
  });
  const { deliveries, parts, ...terms } = given;
  const rows: Row[] = [];
  for (const part of parts.split(','))
    rows.push(...((await PARTS[part]?.({ count: deliveries, ...terms })) ?? []));
  return rows;
};

type Named = Readonly<{ name: string; stage: Stage }>;

/** Opens stages and ends them; `names` of builds, of which one may be another's. */
const withStages = async <T>(
  builds: readonly Readonly<{ name: string; executable: string }>[],
  submissions: number,
  dead: number,
  measure: (stages: readonly Named[]) => Promise<T>,
): Promise<T> => {
  const stages: Named[] = [];
  try {
    for (const { name, executable } of builds) {
      const stage = await openStage(submissions, RECEIVERS + dead, executable || undefined);
      stages.push({ name, stage });
    }
    return await measure(stages);
  } finally {
    for (const { stage } of stages) await stage.end();
  }
};

const buildsOf = ({ against }: Options) => [
  { name: 'this build', executable: '' },
  ...(against === '' ? [] : [{ name: 'the other build', executable: against }]),
];

const costs = (options: Options): Promise<readonly Row[]> => {
  const { count, rounds } = options;
  return withStages(buildsOf(options), count * (rounds + 1), 0, async (stages) => {
    const measured = stages.map(({ name, stage }) => ({ name, stage, bursts: [] as Compared[] }));
    for (let round = 0; round <= rounds; round += 1) {
      for (const { name, stage, bursts } of measured) {
        const bare = await bareLoop(stage.sink, count);
        const ours = await burst(stage, count);
        // The first one is to warm up.
        if (round > 0) bursts.push({ bare, ours });
        print(`round ${round}, ${name}: ${show(ours)}; bare ${show(bare)}`);
      }
    }
    const [own = [], ...others] = measured.map(({ bursts }) => rowsOf(bursts));
    for (const other of others)
      print(other.map(({ what, value }) => `the other build, ${what}: ${value?.toFixed(2)}`).join('\n'));
    return own;
  });
};

type Compared = Readonly<{ bare: Burst; ours: Burst }>;

const rowsOf = (bursts: readonly Compared[]): readonly Row[] => {
  const middle = (pick: (one: Compared) => number): number => median(bursts.map(pick));
  const cpu = middle(({ ours }) => ours.used.cpuMs);
  const bytes = middle(({ ours }) => ours.used.bytes);
  const ratio = middle(({ bare, ours }) => bare.used.cpuMs / ours.used.cpuMs);
  return [
    judge({ ...P8, goal: 0.35 }, ratio, 'by processor time'),
    judge(
      { ...P8, yardstick: '-', goal: 1_000, unit: '/s' },
      middle(({ ours }) => ours.perSecond),
    ),
    judge({ ...COST, what: 'processor time of a delivery', goal: 1, unit: 'ms' }, cpu),
    judge({ ...P18, what: 'bytes written for a delivery, 32 at once', goal: 6, unit: 'kB' }, bytes / 1_000),
    judge(
      { ...P18, what: 'writes for a delivery, 32 at once', goal: 3 },
      middle(({ ours }) => ours.used.writes),
    ),
  ];
};

const show = ({ perSecond, used: { cpuMs, bytes, writes } }: Burst): string =>
  `${Math.round(perSecond)}/s, ${cpuMs.toFixed(2)} ms, ${(bytes / 1_000).toFixed(1)} kB in ${writes.toFixed(1)} writes`;

const latency = (options: Options): Promise<readonly Row[]> =>
  withStages(buildsOf(options), 0, 0, async (stages) => {
    const rows: Row[] = [];
    for (const { name, stage } of stages) {
      const took = (await latencies(stage, options.rate, options.seconds, options.warm)).toSorted(
        (a, b) => a - b,
      );
      const at = (share: number): number => took[Math.floor(took.length * share)] ?? Number.NaN;
      const what = `p99 from event to arrival at ${options.rate}/s`;
      const detail = `p50 ${at(0.5).toFixed(1)} ms, p90 ${at(0.9).toFixed(1)} ms`;
      print(`${name}, ${what}: ${at(0.99).toFixed(1)} ms, ${detail}`);
      rows.push(judge({ ...COST, what, goal: 10, unit: 'ms' }, at(0.99), detail));
    }
    return rows.slice(0, 1);
  });

/**
 * A fifth of all go to dead receivers, which may not slow the live ones. In the first round the service does
 * not know them yet.
 */
const besideDead = ({ count, rounds, against, dead }: Options): Promise<readonly Row[]> => {
  const builds = ['alone', 'beside'].map((name) => ({ name, executable: against }));
  return withStages(builds, count * (rounds + 1) * 1.25, dead, async ([alone, beside]) => {
    if (!alone || !beside) return [];
    const ratios: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const without = await burst(alone.stage, count);
      const among = await burst(beside.stage, count, count / LIVE_EACH, dead);
      const ratio = among.perSecond / without.perSecond;
      if (round > 0) ratios.push(ratio);
      else await sleep(ATTEMPT_MS);
      print(
        `${round === 0 ? 'cold' : `round ${round}`}: beside dead ones ${show(among)}; alone ${show(without)}; ${ratio.toFixed(2)}`,
      );
    }
    return [judge({ ...P9, goal: 0.95 }, median(ratios))];
  });
};

const PARTS: Readonly<Record<string, (options: Options) => Promise<readonly Row[]>>> = {
  costs,
  latency,
  dead: besideDead,
};
