import { hexOf } from '../bytes.ts';
import type { Hash } from '../verify/platform.ts';

// RFC 1321. Browsers have no MD5: packages name it beside the SHA-256, for the marks that object stores give.

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32));
const BLOCK = 64;

/** The MD5 of what was added. */
export const md5 = (): Hash => {
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  const rest = new Uint8Array(BLOCK);
  const view = new DataView(rest.buffer);
  let length = 0;
  const add = (chunk: Uint8Array): void => {
    let at = 0;
    while (at < chunk.length) {
      const begun = length % BLOCK;
      const part = chunk.subarray(at, at + BLOCK - begun);
      rest.set(part, begun);
      at += part.length;
      length += part.length;
      if (length % BLOCK === 0) addBlock(state, view);
    }
  };
  return {
    add,
    end: async () => {
      const size = new DataView(new ArrayBuffer(8));
      size.setBigUint64(0, BigInt(length) * 8n, true);
      const padding = new Uint8Array(1 + ((2 * BLOCK - 9 - (length % BLOCK)) % BLOCK));
      padding[0] = 0x80;
      add(padding);
      add(new Uint8Array(size.buffer));
      return hexOf(new Uint8Array(state.buffer));
    },
  };
};

const addBlock = (state: Int32Array, view: DataView): void => {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (let step = 0; step < BLOCK; step += 1) {
    const round = step >> 4;
    const [mixed, word] = mix(round, step, b, c, d);
    const sum = (a + mixed + (SINES[step] ?? 0) + view.getInt32(4 * word, true)) | 0;
    const by = SHIFTS[4 * round + (step & 3)] ?? 0;
    [a, d, c, b] = [d, c, b, (b + ((sum << by) | (sum >>> (32 - by)))) | 0];
  }
  for (const [index, value] of [a, b, c, d].entries()) state[index] = (state[index] ?? 0) + value;
};

/** What a step mixes of the state, and the word of the block that it adds. */
const mix = (round: number, step: number, b: number, c: number, d: number): readonly [number, number] => {
  if (round === 0) return [(b & c) | (~b & d), step];
  if (round === 1) return [(d & b) | (~d & c), (5 * step + 1) & 15];
  if (round === 2) return [b ^ c ^ d, (3 * step + 5) & 15];
  return [c ^ (b | ~d), (7 * step) & 15];
};
