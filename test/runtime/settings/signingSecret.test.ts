import * as assert from 'uvu/assert';
import { signingSecret } from '../../../runtime/settings/config.ts';
import { suite } from '../../harness.ts';

const test = suite('secrets that workflows name');

test('a text is taken as it is, a whsec_ key only where it is one; what is not set is none', () => {
  const key = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const secrets = { TEXT: 'a secret', KEY: key, EMPTY: '', NO_KEY: 'whsec_!!!', SHORT: 'whsec_AAAA' };
  assert.equal(
    Object.keys(secrets).map((name) => signingSecret(secrets, name)),
    ['a secret', key, null, null, null],
  );
  assert.equal([signingSecret(secrets, 'OTHER'), signingSecret(secrets, 'toString')], [null, null]);
});
