import { setTimeout as wait } from 'node:timers/promises';
import { print } from '../../scripts/named.ts';
import { judge, type Row } from '../measure.ts';
import { openStage, type Stage } from '../pipeline/stage.ts';
import { BY_TIME, type CountedEngines, type Counts, countedEngines } from './counted.ts';

const STEPS = ['open', 'put', 'submit', 'read, decide and deliver'] as const;
type Step = (typeof STEPS)[number];

type Options = Readonly<{ count: number; warm: number }>;
type Engines = Readonly<{ MONGODB_URL: string; S3_ENDPOINT: string }>;

/** Nothing is appended or written to read models for so long: what a step set off has come to its end. */
const QUIET_MS = 1_500;
const IDLE_MS = 30_000;

/**
 * Does submissions one after the other on engines, each step by itself until nothing more is written, and
 * prints the round trips of each step by engine and kind. Polls and renewals are left out; of the rest that
 * an idle service asks too its share is subtracted, and what comes to less than one a submission is chance.
 */
export const roundTrips = async ({ count, warm }: Options, env: Engines): Promise<readonly Row[]> => {
  const engines = await countedEngines(env);
  try {
    const stage = await openStage(engines.settings);
    try {
      for (let n = 0; n < warm; n += 1) await stage.submit();
      const books = openBooks(engines);
      await books.settled();
      books.close('idle');
      await wait(IDLE_MS);
      books.close('idle');
      for (let n = 0; n < count; n += 1) await submission(stage, books);
      return books.report(count);
    } finally {
      await stage.end();
    }
  } finally {
    await engines.close();
  }
};

type Books = ReturnType<typeof openBooks>;

const submission = async (stage: Stage, { settled, close }: Books): Promise<void> => {
  const opened = await stage.open();
  await settled();
  close('open');
  await opened.put();
  await settled();
  close('put');
  const webhook = opened.arrived();
  await opened.submit();
  // The file is read at once: what is set off before the answer has arrived here counts for this step.
  close('submit');
  await webhook;
  await settled();
  close('read, decide and deliver');
};

const openBooks = (engines: CountedEngines) => {
  const found = new Map<Step, Map<string, number>>(STEPS.map((step) => [step, new Map()]));
  const elapsed = new Map<Step, number>(STEPS.map((step) => [step, 0]));
  let idle: Counts = new Map();
  let idleMs = 0;
  let [sent, since] = [0, performance.now()];
  return {
    settled: async (): Promise<void> => {
      for (let last = -1, now = engines.writes(); last !== now; [last, now] = [now, engines.writes()])
        await wait(QUIET_MS);
    },
    /** What was counted since the last time is this step's, or that of an idle service. */
    close: (step: Step | 'idle'): void => {
      const [taken, now] = [engines.take(), performance.now()];
      const ms = now - since;
      since = now;
      if (step === 'idle') {
        [idle, idleMs] = [taken.counts, ms];
        return;
      }
      sent += taken.sent;
      elapsed.set(step, (elapsed.get(step) ?? 0) + ms);
      const kinds = found.get(step);
      for (const [kind, number] of taken.counts) kinds?.set(kind, (kinds.get(kind) ?? 0) + number);
    },
    report: (count: number): readonly Row[] => {
      const net = (step: Step, kind: string): number => {
        const byIdle = ((idle.get(kind) ?? 0) * (elapsed.get(step) ?? 0)) / idleMs;
        return ((found.get(step)?.get(kind) ?? 0) - byIdle) / count;
      };
      const isOwn = (kind: string): boolean =>
        kind !== `MongoDB ${BY_TIME}` && (!idle.has(kind) || sum(STEPS.map((step) => net(step, kind))) >= 1);
      const kinds = [...new Set([...found.values()].flatMap((one) => [...one.keys()]))].filter(isOwn).sort();
      const line = (name: string, some: readonly string[]): void => {
        const steps = STEPS.map((step) => sum(some.map((kind) => net(step, kind))));
        const text = [...steps, sum(steps)].map((number) => number.toFixed(1));
        if (text.some((one) => Math.abs(Number(one)) >= 0.1)) print([name, ...text].join(' | '));
      };
      print(['kind', ...STEPS, 'all'].join(' | '));
      for (const kind of kinds) line(kind, [kind]);
      const engineNames = ['log', 'MongoDB', 'S3'];
      const of = (engine: string): readonly string[] => kinds.filter((kind) => kind.startsWith(`${engine} `));
      for (const engine of engineNames) line(`${engine}, all`, of(engine));
      print(`events sent to followers | ${(sent / count).toFixed(1)}`);
      const perSecond = (all: readonly number[]): string => ((sum(all) * 1_000) / idleMs).toFixed(1);
      const byTime = perSecond([idle.get(`MongoDB ${BY_TIME}`) ?? 0]);
      print(
        `an idle service asks ${perSecond([...idle.values()])} times a second, of them ${BY_TIME} ${byTime}`,
      );
      const total = (engine: string): number =>
        sum(STEPS.flatMap((step) => of(engine).map((kind) => net(step, kind))));
      const parts = engineNames.map((engine) => `${total(engine).toFixed(1)} to ${engine}`);
      return [judge(GOAL, sum(engineNames.map(total)), parts.join(', '))];
    },
  };
};

const GOAL = {
  ...{ figure: 'P18', what: 'round trips of a text submission on engines, one after the other' },
  ...{ yardstick: '-', goal: 40, isAtMost: true },
} as const;

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
