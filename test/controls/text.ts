import * as fc from 'fast-check';

const isHalf = (point: number): boolean => point >= 0xd800 && point <= 0xdfff;

/**
 * Any character, for texts of random ones: what fast-check means by the unit `binary`, which takes each
 * process more than a second, since it lists all 1.1 million of them.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ffff })
  .filter((point) => !isHalf(point))
  .map(
    (point) => String.fromCodePoint(point),
    (text) => {
      const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
      if (point === undefined || text !== String.fromCodePoint(point)) throw new Error('no single character');
      return point;
    },
  );
