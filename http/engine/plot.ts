/**
 * How a figure grows: lines by their names, each of points (x, y), or of positive x where it is by powers of
 * ten.
 */
export type Plot = Readonly<{
  title: string;
  x: string;
  y: string;
  isLogarithmic?: boolean;
  lines: Readonly<Record<string, readonly (readonly [x: number, y: number])[]>>;
  /** How many values a point stands for, by the name of its line: written beside it. */
  counts?: Readonly<Record<string, readonly number[]>>;
}>;

const WIDTH = 720;
const HEIGHT = 360;
const EDGE = { left: 70, right: 150, top: 44, bottom: 52 };
const RIGHT = WIDTH - EDGE.right;
const BOTTOM = HEIGHT - EDGE.bottom;
const TICKS = 5;
/** Of the lines in turn: distinct in light and dark, and by people who see few colours. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b'];
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #222 } .title { font-weight: 600 }
  .ground { fill: #fff } .grid { stroke: #ddd } .line { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) { text { fill: #ddd } .ground { fill: #161b22 } .grid { stroke: #3a414a } }
`;

/** The plot as an SVG file, which follows the reader's light or dark theme; its text says what is drawn. */
export const svgOf = (plot: Plot): string => {
  const { title, isLogarithmic = false, lines, counts = {} } = plot;
  const points = Object.values(lines).flat();
  const along = (x: number): number => (isLogarithmic ? Math.log10(x) : x);
  const across = scale(
    points.map(([x]) => along(x)),
    [EDGE.left, RIGHT],
    isLogarithmic,
  );
  const up = scale([0, ...points.map(([, y]) => y)], [BOTTOM, EDGE.top], false);
  const at = ([x, y]: Point): Point => [across.at(along(x)), up.at(y)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escaped(title)}</title><desc id="desc">${escaped(inWords(plot))}</desc>`,
    `<style>${STYLE}</style><rect class="ground" width="${WIDTH}" height="${HEIGHT}"/>`,
    text(EDGE.left, 24, title, 'class="title"'),
    ...axes(plot, across, up),
    ...Object.entries(lines).flatMap(([name, line], n) => drawn(name, line.map(at), counts[name] ?? [], n)),
    '</svg>\n',
  ].join('\n');
};

const axes = ({ x, y, isLogarithmic }: Plot, across: Scale, up: Scale): readonly string[] => {
  const middle = (EDGE.top + BOTTOM) / 2;
  return [
    ...up.ticks.flatMap((tick) => [
      `<path class="grid" d="M${EDGE.left} ${up.at(tick)}H${RIGHT}"/>`,
      text(EDGE.left - 8, up.at(tick) + 4, label(tick), 'text-anchor="end"'),
    ]),
    ...across.ticks.map((tick) =>
      text(across.at(tick), BOTTOM + 20, label(isLogarithmic ? 10 ** tick : tick), 'text-anchor="middle"'),
    ),
    text((EDGE.left + RIGHT) / 2, HEIGHT - 10, x, 'text-anchor="middle"'),
    text(18, middle, y, `text-anchor="middle" transform="rotate(-90 18 ${middle})"`),
  ];
};

/** A line, its points, and its name beside the plot. */
const drawn = (
  name: string,
  points: readonly Point[],
  counts: readonly number[],
  n: number,
): readonly string[] => {
  const colour = COLOURS[n % COLOURS.length];
  return [
    `<polyline class="line" stroke="${colour}" points="${points.join(' ')}"/>`,
    ...points.map(([x, y]) => `<circle fill="${colour}" r="3.5" cx="${x}" cy="${y}"/>`),
    ...counts.map((count, index) => {
      const [x, y] = points[index] ?? [0, 0];
      return text(x - 8, y + 16, label(count), `style="fill: ${colour}" text-anchor="end"`);
    }),
    text(RIGHT + 14, EDGE.top + 4 + n * 20, name, `style="fill: ${colour}"`),
  ];
};

/** What a plot shows, for who can't see it. */
export const inWords = ({ x, y, lines, counts = {} }: Plot): string =>
  Object.entries(lines)
    .map(
      ([name, line]) =>
        `${name}, ${y} by ${x}: ${line.map(([at, value], index) => `${label(at)}: ${label(value)}${ofCount(counts[name]?.[index])}`).join('; ')}`,
    )
    .join('. ');

const ofCount = (count: number | undefined): string => (count === undefined ? '' : ` of ${label(count)}`);

type Point = readonly [x: number, y: number];
/** Where a value is drawn, and the values that the axis names. */
type Scale = Readonly<{ at(value: number): number; ticks: readonly number[] }>;

/**
 * An axis from the least value to the greatest, which names each value, or between round ones, which names
 * steps.
 */
const scale = (values: readonly number[], [from, to]: Point, isNamedByValues: boolean): Scale => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = isNamedByValues ? most - least || 1 : niceStep((most - least) / TICKS || 1);
  const first = isNamedByValues ? least : Math.floor(least / step) * step;
  const last = isNamedByValues ? most : Math.ceil(most / step) * step;
  const steps = Array.from({ length: Math.round((last - first) / step) + 1 }, (_, n) => first + n * step);
  const at = (value: number): number => round(from + ((value - first) / (last - first || 1)) * (to - from));
  return { at, ticks: isNamedByValues ? [...new Set(values)] : steps };
};

/** The next of 1, 2, 5, 10, 20 … */
const niceStep = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((one) => one * power >= value) ?? 10);
};

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escaped(content)}</text>`;
const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const round = (value: number): number => Math.round(value * 10) / 10;
const label = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
