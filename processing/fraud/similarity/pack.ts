import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Strokes } from './strokes.ts';

/** Strokes as text: a bit a pixel, deflated, base64. */
export const packed = ({ data }: Strokes): string => {
  const bits = new Uint8Array(Math.ceil(data.length / 8));
  for (let at = 0; at < data.length; at += 1)
    if (data[at]) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  return deflateRawSync(bits, { level: 9 }).toString('base64');
};

/** The strokes. Throws where the text is not what `packed` made. */
export const unpacked = (text: string, width: number, height: number): Strokes => {
  const maxOutputLength = Math.ceil((width * height) / 8);
  const bits = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength });
  const data = new Uint8Array(width * height);
  for (let at = 0; at < data.length; at += 1) data[at] = ((bits[at >> 3] ?? 0) >> (at & 7)) & 1;
  return { data, width, height };
};
