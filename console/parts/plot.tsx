import { useId, useState } from 'preact/hooks';
import { say, texts } from '../texts.ts';
import { ShortTable } from './shortTable.tsx';
import { dayOf, minuteOf } from './when.tsx';

const own = texts.plot;

/** One value for each time of the plot; null where there is none, which leaves a gap. */
export type Series = Readonly<{ name: string; values: readonly (number | null)[] }>;

type PlotProps = Readonly<{
  title: string;
  /** What lies between two values. */
  step: keyof typeof STEPS;
  /** When each value is from (a day, or a time in ISO 8601), oldest first; or of which confidences it is. */
  times: readonly string[];
  series: readonly Series[];
  format(value: number): string;
  /** The scale reaches as far at least: what is below looks small. */
  atLeast: number;
}>;

const STEPS = { minute: minuteOf, day: dayOf, week: dayOf, confidence: (band: string) => band } as const;

const WIDTH = 240;
const HEIGHT = 64;
const DASH = 4;

/** Some values over time as lines, told apart by colour and dashes; its table says the same in numbers. */
export const Plot = ({ title, step, times, series, format, atLeast }: PlotProps) => {
  const id = useId();
  const top = scaleOf(Math.max(atLeast, ...series.flatMap(({ values }) => values.map(Number))));
  return (
    <figure class="plot">
      <figcaption>
        <h3>{title}</h3>
      </figcaption>
      <div class="axes">
        <div class="values" aria-hidden="true">
          <span>{format(top)}</span>
          <span>{format(0)}</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={`${id}t ${id}d`}
        >
          <title id={`${id}t`}>{title}</title>
          <desc id={`${id}d`}>{series.map((one) => summary(one, step, format)).join(' ')}</desc>
          {series.map(({ name, values }, n) => (
            <path key={name} class={`line${n}`} d={pathOf(values, top)} />
          ))}
        </svg>
        <div class="times" aria-hidden="true">
          <span>{atEnd(times[0], step)}</span>
          <span>{atEnd(times.at(-1), step)}</span>
        </div>
      </div>
      <Legend series={series} format={format} />
      <Values {...{ title, step, times, series, format }} />
    </figure>
  );
};

/** The lines by their names, with their last values. */
const Legend = ({ series, format }: Pick<PlotProps, 'series' | 'format'>) => (
  <ul>
    {series.map(({ name, values }, n) => (
      <li key={name}>
        <svg viewBox="0 0 24 8" aria-hidden="true">
          <path class={`line${n}`} d="M1 4h22" />
        </svg>
        {name} <strong>{shown(values.at(-1), format)}</strong>
      </li>
    ))}
  </ul>
);

const shown = (value: number | null | undefined, format: PlotProps['format']): string =>
  value === null || value === undefined ? '–' : format(value);

const atEnd = (at: string | undefined, step: PlotProps['step']): string => (at ? STEPS[step](at) : '');

const summary = ({ name, values }: Series, step: PlotProps['step'], format: PlotProps['format']): string => {
  const known = values.filter((value) => value !== null);
  return known.length === 0
    ? say(own.none, { name })
    : say(own[step].summary, { name, last: shown(values.at(-1), format), most: format(Math.max(...known)) });
};

/** The next of 1, 2, 5, 10, 20 … at or above a value. */
const scaleOf = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value * 0.999) ?? 10);
};

/** A line through the values that are there; one alone is a dash. */
const pathOf = (values: readonly (number | null)[], top: number): string => {
  const isGap = (n: number): boolean => (values[n] ?? null) === null;
  const point = (value: number, n: number): string => {
    const x = ((WIDTH - DASH) * n) / Math.max(1, values.length - 1);
    const y = HEIGHT - 2 - ((HEIGHT - 4) * value) / top;
    return `${isGap(n - 1) ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  return values
    .map((value, n) =>
      value === null ? '' : point(value, n) + (isGap(n - 1) && isGap(n + 1) ? `h${DASH}` : ''),
    )
    .join('');
};

/** The values in numbers, newest first; on the page only while somebody looks at them. */
const Values = ({ title, step, times, series, format }: Omit<PlotProps, 'atLeast'>) => {
  const [isOpen, open] = useState(false);
  const columns = series.map(({ name, values }) => ({
    text: name,
    cell: (n: number) => shown(values[n], format),
  }));
  return (
    <details onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        {own.values} <span class="hidden">{say(own.of, { title })}</span>
      </summary>
      {isOpen && (
        <ShortTable
          label={say(own[step].tableOf, { title })}
          columns={[{ text: own[step].time, cell: (n) => atEnd(times[n], step) }, ...columns]}
          rows={times.map((_, n) => times.length - 1 - n)}
          keyOf={(n) => times[n] ?? ''}
        />
      )}
    </details>
  );
};
