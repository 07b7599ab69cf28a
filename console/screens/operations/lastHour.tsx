import type { Figures } from '../../../schemas/serviceStatus.ts';
import { usePolled } from '../../app/polled.ts';
import { Plot, type Series } from '../../parts/plot.tsx';
import { duration, number } from '../../parts/quantity.ts';
import { say, texts } from '../../texts.ts';
import { PATH, SELDOM_MS } from './read.ts';
import { Section } from './section.tsx';

const own = texts.operations.figures;

type Minute = Figures['minutes'][number];
type Figure = Exclude<keyof Minute, 'at' | 'queues'>;

const COUNTS = [
  [own.requests, ['requests', 'problems']],
  [own.submissions, ['submissions', 'processed', 'decided']],
  [own.webhooks, ['deliveries', 'failedDeliveries']],
] as const;
const TIMES = [
  [own.times, ['p50Seconds', 'p99Seconds'], 0.01],
  [own.lag, ['lagSeconds'], 1],
] as const;
/** A plot of a few looks as few as they are. */
const FEW = 10;

/** What the metrics of all processes say of the last hour. */
export const LastHour = () => {
  const figures = usePolled(`${PATH}/figures`, SELDOM_MS, {});
  return (
    <Section title={own.title} resource={figures}>
      {({ minutes, nodes }) => (
        <>
          <Plots minutes={minutes} />
          <p>
            <small>{say(own.about, { count: nodes })}</small>
          </p>
        </>
      )}
    </Section>
  );
};

const Plots = ({ minutes }: Readonly<{ minutes: readonly Minute[] }>) => {
  const shared = { step: 'minute', times: minutes.map(({ at }) => at) } as const;
  const seriesOf = (names: readonly Figure[]): readonly Series[] =>
    names.map((name) => ({ name: own.names[name], values: minutes.map((minute) => minute[name]) }));
  return (
    <div class="plots">
      {COUNTS.map(([title, names]) => (
        <Plot key={title} {...{ ...shared, title, atLeast: FEW, format: number, series: seriesOf(names) }} />
      ))}
      {TIMES.map(([title, names, atLeast]) => (
        <Plot key={title} {...{ ...shared, title, atLeast, format: duration, series: seriesOf(names) }} />
      ))}
      <Plot {...{ ...shared, title: own.queues, atLeast: FEW, format: number, series: queuesOf(minutes) }} />
    </div>
  );
};

const queuesOf = (minutes: readonly Minute[]): readonly Series[] => {
  const names = Object.keys(minutes.findLast(({ queues }) => queues !== null)?.queues ?? {});
  const words: Readonly<Record<string, string>> = texts.operations.queues.names;
  return names.map((name) => ({
    name: words[name] ?? name,
    values: minutes.map(({ queues }) => queues?.[name] ?? null),
  }));
};
