import type { RebuildEvent } from '../projections/engine/rebuild/rebuild.ts';
import { createBar } from './bar.ts';
import { type Output, printable } from './output.ts';

/** Between two lines of progress where there is no terminal. */
const INTERVAL_MS = 2_000;

const FORMAT = '{bar} {percentage} % | {value}/{total} events | {rate}/s | {left}';

type Progress = Extract<RebuildEvent, { event: 'progress' }>;
type Pace = Readonly<{ perSecond: number; secondsLeft: number | null }>;

/** Shows one rebuild: a bar on a terminal, else a line now and then; with --json each event as a line. */
export const createRebuildView = (output: Output) => {
  const started = performance.now();
  const paced = createPace();
  const bar = output.json || !process.stdout.isTTY ? null : createBar(FORMAT, process.stdout);
  const write = (text: string): void => {
    bar?.clear();
    process.stdout.write(`${text}\n`);
  };
  let shownAt = Number.NEGATIVE_INFINITY;
  const isDue = (share: number): boolean => share === 1 || performance.now() - shownAt >= INTERVAL_MS;
  const progress = (event: Progress): void => {
    const pace = paced.at(event);
    if (output.json) write(JSON.stringify({ ...event, ...pace }));
    else if (bar) bar.show(event.total, event.events, figuresOf(pace));
    else if (isDue(event.share)) {
      shownAt = performance.now();
      write(progressText(event, pace));
    }
  };
  const show = (event: RebuildEvent): void => {
    if (event.event === 'begun') paced.from(event.events);
    if (event.event === 'holding') bar?.stop();
    if (event.event === 'progress') progress(event);
    else if (output.json) write(JSON.stringify(event));
    else for (const line of linesOf(event)) write(line);
  };
  const seconds = (): number => Math.round(performance.now() - started) / 1_000;
  return {
    /** A new attempt. */
    start: paced.start,
    show,
    pauseFor: output.notice,
    done: (): void =>
      write(
        output.json
          ? JSON.stringify({ event: 'done', seconds: seconds() })
          : `Done in ${seconds().toFixed(1)} s.`,
      ),
    close: (): void => bar?.stop(),
  };
};

/** The pace since this process started, and how long the rest takes at it; null while that is unknown. */
const createPace = () => {
  const reset = (events: number) => ({ at: performance.now(), events });
  let first = reset(Number.POSITIVE_INFINITY);
  return {
    start: (): void => {
      first = reset(Number.POSITIVE_INFINITY);
    },
    from: (events: number): void => {
      first = reset(Math.min(first.events, events));
    },
    at: ({ events, total }: Progress): Pace => {
      const perSecond = Math.round(((events - first.events) * 1_000) / (performance.now() - first.at));
      return { perSecond, secondsLeft: perSecond === 0 ? null : Math.ceil((total - events) / perSecond) };
    },
  };
};

const figuresOf = (pace: Pace) => ({ rate: pace.perSecond.toLocaleString('en'), left: leftText(pace) });

const progressText = ({ events, total, share }: Progress, pace: Pace): string => {
  const done = `${events.toLocaleString('en')} of ${total.toLocaleString('en')} events (${Math.floor(share * 100)} %)`;
  return [done, `${pace.perSecond.toLocaleString('en')}/s`, leftText(pace)]
    .filter((text) => text !== '')
    .join(', ');
};

const leftText = ({ secondsLeft }: Pace): string => (secondsLeft === null ? '' : `${secondsLeft} s left`);

const MAX_DIFFERENCES = 10;

const linesOf = (event: Exclude<RebuildEvent, Progress>): readonly string[] => {
  switch (event.event) {
    case 'begun':
      return [
        event.events === 0
          ? `${event.projection}: fills ${event.collection}`
          : `${event.projection}: resumes ${event.collection}, behind ${event.events.toLocaleString('en')} events`,
      ];
    case 'waiting':
      return ['Waits for another rebuild; the lease of one that died expires after 15 s.'];
    case 'holding':
      return ['Read models are paused for the swap.'];
    case 'compared': {
      const { before, after } = event.documents;
      const shown = event.differences.slice(0, MAX_DIFFERENCES);
      return [
        `${event.projection}: ${after} documents, ${before === null ? 'none served before' : `${before} before`}; ${event.differences.length} of ${event.sampled} compared differ`,
        ...shown.map(
          ({ id, pointers }) => `    ${printable(id)} differs at ${printable(pointers.join(', ') || 'all')}`,
        ),
      ];
    }
    case 'serves':
      return [`${event.projection}: ${event.collection} serves now`];
    case 'quarantined':
      return [`${event.projection}: ${printable(event.key)} is quarantined: ${printable(event.error)}`];
    case 'dropped':
      return [`${event.projection}: ${event.collection} was dropped`];
  }
};
