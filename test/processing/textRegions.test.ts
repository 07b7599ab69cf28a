import * as assert from 'uvu/assert';
import { levelled } from '../../processing/picture/level.ts';
import {
  boxOf,
  grown,
  type Point,
  pointIn,
  scaled,
  smallestRectangle,
  turnedRound,
} from '../../processing/picture/rectangle.ts';
import { textRegions } from '../../processing/picture/textRegions.ts';
import { suite } from '../harness.ts';

const test = suite('processing/picture: where text is');

/** The corners of a rectangle about a point, turned clockwise. */
const cornersOf = (width: number, height: number, degrees: number): readonly Point[] => {
  const radians = (degrees * Math.PI) / 180;
  const direction = { x: Math.cos(radians), y: Math.sin(radians) };
  const rectangle = { middle: { x: 50, y: 40 }, width, height, direction };
  return [0, width].flatMap((across) => [0, height].map((down) => pointIn(rectangle, across, down)));
};

const isNear = (found: number, real: number, what: string): void =>
  assert.ok(Math.abs(found - real) < 1e-6, `${what}: ${found}, not ${real}`);

for (const degrees of [0, 30, -44, 17])
  test(`the smallest rectangle around points finds sides that lie ${degrees}° askew`, () => {
    const inner = { x: 51, y: 41 };
    const found = smallestRectangle([...cornersOf(40, 10, degrees), inner]);
    isNear(found.width, 40, 'width');
    isNear(found.height, 10, 'height');
    isNear(found.middle.x, 50, 'x');
    isNear(found.middle.y, 40, 'y');
    isNear(Math.atan2(found.direction.y, found.direction.x), (degrees * Math.PI) / 180, 'direction');
  });

test('one point, and points in a row, have a rectangle without an area', () => {
  assert.equal(boxOf(smallestRectangle([{ x: 3, y: 4 }])), { left: 3, top: 4, right: 3, bottom: 4 });
  const row = [1, 2, 3].map((x) => ({ x, y: 7 }));
  assert.equal(boxOf(smallestRectangle(row)), { left: 1, top: 7, right: 3, bottom: 7 });
});

test('a rectangle grows, is scaled, and turns with its picture', () => {
  const rectangle = smallestRectangle(cornersOf(40, 10, 0));
  assert.equal(boxOf(grown(rectangle, 2)), { left: 28, top: 33, right: 72, bottom: 47 });
  assert.equal(boxOf(scaled(rectangle, 2, 3)), { left: 60, top: 105, right: 140, bottom: 135 });
  const turned = turnedRound(rectangle, { width: 100, height: 200 });
  assert.equal(boxOf(turned), { left: 30, top: 155, right: 70, bottom: 165 });
  assert.equal(boxOf(rectangle, 10, 15), { left: 40, top: 35, right: 45, bottom: 45 });
});

/** A map of 60 by 30 pixels with likelihoods in boxes. */
const mapWith = (
  boxes: readonly Readonly<{ at: readonly [number, number, number, number]; value: number }>[],
) => {
  const [width, height] = [60, 30];
  const data = new Float32Array(width * height);
  for (const { at, value } of boxes)
    for (let y = at[1]; y < at[3]; y += 1) for (let x = at[0]; x < at[2]; x += 1) data[y * width + x] = value;
  return { data, width, height };
};

test('pixels that touch, also at corners, are one text, which reaches beyond them', () => {
  const found = textRegions(
    mapWith([
      { at: [10, 5, 20, 9], value: 0.9 },
      { at: [20, 9, 30, 13], value: 0.9 },
      { at: [40, 20, 50, 24], value: 0.8 },
    ]),
  );
  assert.is(found.length, 2);
  const [, second] = found;
  const reach = (10 * 4 * 1.6) / (2 * (10 + 4));
  assert.ok(second);
  isNear(second.width, 10 + 2 * reach, 'width');
  isNear(second.height, 4 + 2 * reach, 'height');
  isNear(second.middle.x, 45, 'x');
  isNear(second.middle.y, 22, 'y');
});

test('what is too thin, or too doubtful in the mean, is no text', () => {
  const thin = { at: [10, 5, 40, 7], value: 0.9 } as const;
  const doubtful = { at: [10, 15, 40, 20], value: 0.5 } as const;
  assert.equal(textRegions(mapWith([thin, doubtful])), []);
  assert.is(textRegions(mapWith([{ ...doubtful, value: 0.61 }])).length, 1);
});

test('a part of a picture is levelled and scaled', () => {
  const [width, height] = [40, 40];
  const data = Uint8Array.from({ length: width * height }, (_, at) => (at % width) * 6);
  const picture = { data, width, height };
  const rectangle = { middle: { x: 20, y: 20 }, width: 20, height: 10, direction: { x: 1, y: 0 } };
  const same = levelled(picture, rectangle, { width: 20, height: 10 });
  assert.equal([...same.data.subarray(0, 3)], [60, 66, 72]);
  const half = levelled(picture, rectangle, { width: 10, height: 5 });
  assert.equal([...half.data.subarray(0, 3)], [63, 75, 87]);
  const upright = { ...rectangle, direction: { x: 0, y: 1 } };
  const turned = levelled(picture, upright, { width: 20, height: 10 });
  assert.equal([...turned.data.subarray(0, 3)], [144, 144, 144]);
  const beyond = levelled(picture, { ...rectangle, middle: { x: 0, y: 0 } }, { width: 20, height: 10 });
  assert.equal([beyond.data[0], beyond.data[19]], [0, 54]);
});
