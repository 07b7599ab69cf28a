import * as assert from 'uvu/assert';
import { suite } from '../../harness.ts';
import { startFixture } from './fixture.ts';

const test = suite('answers');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture();
});
test.after(() => fixture.close());

test('an endpoint of another media type sends its text as it is', async () => {
  const answer = await fixture.call('/text');
  assert.equal(
    [answer.status, answer.headers['content-type'], answer.text],
    [200, 'text/plain; charset=utf-8', 'a "text"\n'],
  );
});

test('HEAD answers as GET does, without the body', async () => {
  const answer = await fixture.call('/text', { method: 'HEAD' });
  assert.equal([answer.status, answer.headers['content-length'], answer.text], [200, '9', '']);
});
