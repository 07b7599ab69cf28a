import type { Grey } from '../../picture/grey.ts';

/** A window of a picture: its middle and its size in the picture's pixels, and by how many degrees it is turned (clockwise). */
export type Window = Readonly<{ x: number; y: number; width: number; height: number; degrees: number }>;

/** The whole of a picture, and a little of what lies outside. */
export const wholeOf = ({ width, height }: Grey): Window => ({
  x: width / 2,
  y: height / 2,
  width: width * 1.06,
  height: height * 1.06,
  degrees: 0,
});

/**
 * A window of a picture, `width` pixels wide; each is the mean of what it covers. Outside of the picture is black, as are
 * often the corners of a turned one: a large dark surface has no strokes.
 */
export const resample = (grey: Grey, window: Window, width: number): Grey => {
  const scale = window.width / width;
  const height = Math.max(1, Math.round(window.height / scale));
  const samples = Math.max(1, Math.ceil(scale));
  const step = scale / samples;
  const cos = Math.cos((window.degrees * Math.PI) / 180) * step;
  const sin = Math.sin((window.degrees * Math.PI) / 180) * step;
  const [middleX, middleY] = [(width * samples) / 2 - 0.5, (height * samples) / 2 - 0.5];
  const data = new Uint8Array(width * height);
  const sums = new Uint32Array(width);
  for (let row = 0; row < height; row += 1) {
    sums.fill(0);
    for (let line = row * samples; line < (row + 1) * samples; line += 1)
      for (let place = 0; place < width * samples; place += 1) {
        const x = Math.floor(window.x + (place - middleX) * cos - (line - middleY) * sin);
        const y = Math.floor(window.y + (place - middleX) * sin + (line - middleY) * cos);
        const inside = x >= 0 && y >= 0 && x < grey.width && y < grey.height;
        const column = (place / samples) | 0;
        sums[column] = (sums[column] ?? 0) + (inside ? (grey.data[y * grey.width + x] ?? 0) : 0);
      }
    for (let column = 0; column < width; column += 1)
      data[row * width + column] = (sums[column] ?? 0) / (samples * samples);
  }
  return { data, width, height };
};
