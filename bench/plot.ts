import type { Plot } from './measure.ts';

const WIDTH = 720;
const HEIGHT = 360;
const EDGE = { left: 70, right: 150, top: 44, bottom: 52 };
const TICKS = 5;
/** Of the lines in turn: distinct in light and dark, and by people who see few colours. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #222 } .title { font-weight: 600 }
  .ground { fill: #fff } .grid { stroke: #ddd } .line { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) { text { fill: #ddd } .ground { fill: #161b22 } .grid { stroke: #3a414a } }
`;

/** The plot as an SVG file, which follows the reader's light or dark theme; its text says what is drawn. */
export const svgOf = (plot: Plot): string => {
  const { title, x, y, isLogarithmic = false, lines } = plot;
  const points = Object.values(lines).flat();
  const toX = scale(
    points.map(([one]) => (isLogarithmic ? Math.log10(one) : one)),
    [EDGE.left, WIDTH - EDGE.right],
    isLogarithmic,
  );
  const toY = scale([0, ...points.map(([, one]) => one)], [HEIGHT - EDGE.bottom, EDGE.top], false);
  const xOf = (one: number): number => toX.at(isLogarithmic ? Math.log10(one) : one);
  const bottom = HEIGHT - EDGE.bottom;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escaped(title)}</title><desc id="desc">${escaped(inWords(plot))}</desc>`,
    `<style>${STYLE}</style><rect class="ground" width="${WIDTH}" height="${HEIGHT}"/>`,
    text(EDGE.left, 24, title, 'class="title"'),
    ...toY.ticks.flatMap((tick) => [
      `<line class="grid" x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${toY.at(tick)}" y2="${toY.at(tick)}"/>`,
      text(EDGE.left - 8, toY.at(tick) + 4, label(tick), 'text-anchor="end"'),
    ]),
    ...toX.ticks.map((tick) =>
      text(toX.at(tick), bottom + 20, label(isLogarithmic ? 10 ** tick : tick), 'text-anchor="middle"'),
    ),
    text((EDGE.left + WIDTH - EDGE.right) / 2, HEIGHT - 10, x, 'text-anchor="middle"'),
    text(
      18,
      (EDGE.top + bottom) / 2,
      y,
      `text-anchor="middle" transform="rotate(-90 18 ${(EDGE.top + bottom) / 2})"`,
    ),
    ...Object.entries(lines).flatMap(([name, line], n) => {
      const colour = COLOURS[n % COLOURS.length];
      const drawn = line.map(([one, value]) => `${round(xOf(one))},${round(toY.at(value))}`);
      const last = toY.at(line.at(-1)?.[1] ?? 0);
      return [
        `<polyline class="line" stroke="${colour}" points="${drawn.join(' ')}"/>`,
        ...drawn.map(
          (at) => `<circle fill="${colour}" r="3.5" cx="${at.split(',')[0]}" cy="${at.split(',')[1]}"/>`,
        ),
        text(WIDTH - EDGE.right + 10, round(last) + 4, name, `style="fill: ${colour}"`),
      ];
    }),
    '</svg>\n',
  ].join('\n');
};

/** What a plot shows, for who can't see it. */
export const inWords = ({ x, y, lines }: Plot): string =>
  Object.entries(lines)
    .map(
      ([name, line]) =>
        `${name}, ${y} by ${x}: ${line.map(([at, value]) => `${label(at)}: ${label(value)}`).join('; ')}`,
    )
    .join('. ');

const scale = (values: readonly number[], [from, to]: readonly [number, number], isWhole: boolean) => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = isWhole ? 1 : niceStep((most - least) / TICKS || 1);
  const first = isWhole ? least : Math.floor(least / step) * step;
  const last = isWhole ? most : Math.ceil(most / step) * step;
  const ticks: number[] = [];
  for (let tick = Math.ceil(first / step) * step; tick <= last + step / 1_000; tick += step) ticks.push(tick);
  const at = (value: number): number => round(from + ((value - first) / (last - first || 1)) * (to - from));
  return { at, ticks };
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
