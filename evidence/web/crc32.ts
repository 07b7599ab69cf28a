const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The CRC-32 of what was added. */
export const crc32 = () => {
  let sum = 0xffffffff;
  return {
    add: (chunk: Uint8Array): void => {
      for (const byte of chunk) sum = (sum >>> 8) ^ (TABLE[(sum ^ byte) & 0xff] ?? 0);
    },
    end: (): number => (sum ^ 0xffffffff) >>> 0,
  };
};
