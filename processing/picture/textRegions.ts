import type { Size } from './pixels.ts';
import { grown, type Point, type Rectangle, smallestRectangle } from './rectangle.ts';

/** How likely each pixel of a picture belongs to text (0..1), row by row from the top left corner. */
export type Likelihoods = Readonly<{ data: Float32Array }> & Size;

/** What is likelier belongs to text; the core of a text that is less likely in the mean is none. */
const TEXT = 0.3;
const MIN_MEAN = 0.6;
/** The shorter side of the core of a text, in pixels. */
const MIN_SIDE = 3;
/** How far text reaches beyond its core: this times the core's area by its circumference. */
const REACH = 1.6;
const MAX_REGIONS = 1_000;

/** The rectangles around the texts of a picture: each most of a line, or a part of it between wide gaps. */
export const textRegions = (map: Likelihoods): readonly Rectangle[] => {
  const regions: Rectangle[] = [];
  for (const core of coresOf(map)) {
    const rectangle = grown(smallestRectangle(core.outline), 0.5);
    const { width, height } = rectangle;
    if (Math.min(width, height) < MIN_SIDE || core.sum < MIN_MEAN * core.count) continue;
    regions.push(grown(rectangle, (width * height * REACH) / (2 * (width + height))));
    if (regions.length === MAX_REGIONS) break;
  }
  return regions;
};

/** Pixels that touch: the first and the last of each row, how many there are, and the sum of likelihoods. */
type Core = { outline: Point[]; count: number; sum: number };

const coresOf = function* ({ data, width, height }: Likelihoods): Generator<Core> {
  const seen = new Uint8Array(data.length);
  const isText = (at: number): boolean => seen[at] === 0 && (data[at] ?? 0) > TEXT;
  for (let start = 0; start < data.length; start += 1) {
    if (!isText(start)) continue;
    const core: Core = { outline: [], count: 0, sum: 0 };
    const waiting = [start];
    seen[start] = 1;
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      core.count += 1;
      core.sum += data[at] ?? 0;
      let neighbours = 0;
      for (let down = Math.max(0, y - 1); down <= Math.min(height - 1, y + 1); down += 1)
        for (let across = Math.max(0, x - 1); across <= Math.min(width - 1, x + 1); across += 1) {
          const next = down * width + across;
          if ((data[next] ?? 0) <= TEXT) continue;
          neighbours += 1;
          if (seen[next] === 1) continue;
          seen[next] = 1;
          waiting.push(next);
        }
      if (neighbours < INNER) core.outline.push({ x: x + 0.5, y: y + 0.5 });
    }
    yield core;
  }
};

/** A pixel with all eight neighbours, and itself, is within. */
const INNER = 9;
