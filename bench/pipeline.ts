import { print } from '../scripts/named.ts';
import { judge, median, type Row, skipped } from './measure.ts';
import { optionsOf } from './options.ts';
import { type Bare, bareLoops } from './pipeline/bare.ts';
import { openStage, type Stage } from './pipeline/stage.ts';

/** What `npm run bench -- --help` says of this. */
export const summary =
  'text submissions from the first request to the webhook, and the event loop under them';

const AT_ONCE = 8;
const BARE = 'its appends, its file and its webhook in bare loops';
const P16 = { figure: 'P16', yardstick: BARE } as const;
const P18 = { figure: 'P18', yardstick: '-', isAtMost: true } as const;
const P17 = { figure: 'P17', yardstick: '-', unit: 'ms', isAtMost: true } as const;

type Round = Readonly<{
  perSecond: number;
  /** Processor time of the service itself, and of the processes that it has started, for each submission. */
  cpuMs: number;
  childrenMs: number;
  bytes: number;
  writes: number;
  p50Ms: number;
  delayP99Ms: number;
  delayMaxMs: number;
}>;

/**
 * Measures submissions of one page of text, 8 at once, each from POST session over PUT and submit to its
 * webhook: `--count N` a round (400), `--rounds N` (10), each beside what its appends, its file and its
 * webhook cost bare loops. Needs Linux. True when all goals are reached.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { count, rounds, warm } = optionsOf(options, { count: 400, rounds: 10, warm: 400 });
  const stage = await openStage();
  try {
    await submissions(stage, warm);
    const measured: Round[] = [];
    const bare: Bare[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      bare.push(await bareLoops(stage, count));
      measured.push(await submissions(stage, count));
      print(`round ${round}: ${show(measured.at(-1) as Round)}; bare loops ${showBare(bare.at(-1) as Bare)}`);
    }
    return judged(measured, bare);
  } finally {
    await stage.end();
  }
};

const submissions = async (stage: Stage, count: number): Promise<Round> => {
  await stage.delay();
  const [before, start] = [stage.usage(), performance.now()];
  const took: number[] = [];
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const since = performance.now();
      await stage.submit();
      took.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const elapsed = performance.now() - start;
  const after = stage.usage();
  const delay = await stage.delay();
  const each = (pick: (usage: typeof after) => number): number => (pick(after) - pick(before)) / count;
  return {
    perSecond: (count * 1_000) / elapsed,
    cpuMs: each(({ own }) => own.cpuMs),
    childrenMs: each(({ childrenMs }) => childrenMs),
    bytes: each(({ own }) => own.bytes),
    writes: each(({ own }) => own.writes),
    p50Ms: median(took),
    delayP99Ms: delay.p99Ms,
    delayMaxMs: delay.maxMs,
  };
};

const show = (round: Round): string =>
  `${round.perSecond.toFixed(0)}/s, p50 ${round.p50Ms.toFixed(0)} ms, ${round.cpuMs.toFixed(2)} ms of the service, ` +
  `${round.childrenMs.toFixed(2)} ms of its children, ${(round.bytes / 1_000).toFixed(0)} kB in ${round.writes.toFixed(0)} writes, ` +
  `delay p99 ${round.delayP99Ms.toFixed(1)}, at most ${round.delayMaxMs.toFixed(1)} ms`;

const showBare = ({ appendsMs, fileMs, webhookMs }: Bare): string =>
  `${sumOf({ appendsMs, fileMs, webhookMs }).toFixed(2)} ms (appends ${appendsMs.toFixed(2)}, file ${fileMs.toFixed(2)}, webhook ${webhookMs.toFixed(2)})`;

const judged = (rounds: readonly Round[], bare: readonly Bare[]): readonly Row[] => {
  const middle = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const ratios = rounds.map(({ cpuMs }, n) => (bare[n] ? sumOf(bare[n]) / cpuMs : Number.NaN));
  const what = 'a text submission, 8 at once, processor time of the service';
  const detail = `${median(ratios).toFixed(2)} of the bare loops`;
  return [
    judge(
      { ...P16, what, goal: 6, unit: 'ms', isAtMost: true },
      middle((round) => round.cpuMs),
      detail,
    ),
    judge(
      { ...P16, what: 'text submissions, 8 at once', goal: 150, unit: '/s' },
      middle((round) => round.perSecond),
    ),
    judge(
      { ...P17, what: 'delay of the loop, p99', goal: 5 },
      middle((round) => round.delayP99Ms),
    ),
    judge(
      { ...P17, what: 'delay of the loop, longest', goal: 50 },
      middle((round) => round.delayMaxMs),
    ),
    judge(
      { ...P18, what: 'bytes written for a text submission, 8 at once', goal: 120, unit: 'kB' },
      middle((round) => round.bytes) / 1_000,
    ),
    judge(
      { ...P18, what: 'writes for a text submission, 8 at once', goal: 60 },
      middle((round) => round.writes),
    ),
    steady(rounds.map(({ perSecond }) => perSecond)),
  ];
};

/** Whether it is as quick after a while as at first. */
const steady = (perSecond: readonly number[]): Row => {
  const goal = {
    figure: 'P16',
    yardstick: 'rounds 1 and 2',
    what: 'text submissions a second, rounds 5 to 10',
    goal: 0.9,
  };
  const later = perSecond.slice(4, 10);
  if (later.length === 0) return skipped(goal, 'there were fewer than five rounds');
  return judge(goal, median(later) / median(perSecond.slice(0, 2)));
};

const sumOf = ({ appendsMs, fileMs, webhookMs }: Bare): number => appendsMs + fileMs + webhookMs;
