import * as assert from 'uvu/assert';
import { coresOf } from '../../../runtime/settings/cores.ts';
import { suite } from '../../harness.ts';

const test = suite('cores');

test('a container’s quota counts, a part of a core as one; without one those of the machine', () => {
  const of = (quota: string | null) => coresOf(8, quota);
  assert.equal([of('200000 100000\n'), of('50000 100000'), of('250000 100000')], [2, 1, 3]);
  assert.equal([of('max 100000'), of(null), of(''), of('1600000 100000')], [8, 8, 8, 8]);
});
