const SHORT = 6;
const LONGEST = 40;
/** How much more the gaps must speak for lines that run down than for such that run across. */
const CLEARLY = 1.3;

/**
 * Whether lines of text run down a small picture rather than across, by the gaps between pixels of ink: letters stand
 * closer to their neighbours in the line than to the line below, so that along a line gaps are more, and shorter.
 */
export const isSideways = (ink: Uint8Array, width: number, height: number): boolean => {
  const across = gapsAlong(height, width, (line, at) => ink[line * width + at] === 1);
  const down = gapsAlong(width, height, (line, at) => ink[at * width + line] === 1);
  if (across.short === 0 || down.short === 0) return down.short > across.short;
  return (down.short / across.short) * (across.mean / down.mean) > CLEARLY;
};

/** How many gaps are short (at most 6 pixels), and how long those up to 40 pixels are in the mean. */
const gapsAlong = (lines: number, length: number, isInk: (line: number, at: number) => boolean) => {
  let [short, count, sum] = [0, 0, 0];
  for (let line = 0; line < lines; line += 1) {
    let last = -1;
    for (let at = 0; at < length; at += 1) {
      if (!isInk(line, at)) continue;
      const gap = at - last - 1;
      if (last >= 0 && gap > 0 && gap <= LONGEST) {
        count += 1;
        sum += gap;
        if (gap <= SHORT) short += 1;
      }
      last = at;
    }
  }
  return { short, mean: sum / Math.max(1, count) };
};
