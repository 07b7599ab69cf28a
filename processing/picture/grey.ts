/** A grey picture as raw pixels: row by row from the top left corner, a byte each, 0 is black. */
export type Grey = Readonly<{ data: Uint8Array; width: number; height: number }>;

/** The value below which a share (0..1) of the pixels lie. */
export const quantile = (pixels: Uint8Array, share: number): number => {
  const counts = new Uint32Array(256);
  for (const value of pixels) counts[value] = (counts[value] ?? 0) + 1;
  let below = 0;
  for (let value = 0; value < 256; value += 1) {
    below += counts[value] ?? 0;
    if (below > share * pixels.length) return value;
  }
  return 255;
};
