import * as assert from 'uvu/assert';
import { suite } from '../../harness.ts';
import { json, startFixture } from './fixture.ts';

const test = suite('If-Match');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture();
});
test.after(() => fixture.close());

/** A request on something whose revision is 7. */
const change = (ifMatch: string) =>
  fixture.call(
    '/api/v1/things/thing-1/versions/1',
    json('{"name":"x"}', { headers: { 'if-match': ifMatch } }),
  );

const cases: readonly (readonly [header: string, status: number, why: string])[] = [
  ['"7"', 200, 'the revision itself'],
  ['*', 200, 'whatever is there'],
  ['"6", "7"', 200, 'one of a list'],
  ['"6" ,,"7",', 200, 'a list with empty members'],
  ['"a,b", "7"', 200, 'a tag with a comma in it'],
  ['"6"', 412, 'another revision'],
  ['W/"7"', 412, 'a weak tag, which never matches'],
  ['W/"7", "8"', 412, 'none of a list'],
  ['"07"', 412, 'a tag that only looks like it'],
  ['""', 412, 'an empty tag'],
  ['7', 400, 'a tag without quotes'],
  ['"7', 400, 'a tag that does not end'],
  ['"7" "8"', 400, 'no comma between tags'],
  ['*, "7"', 400, 'a star in a list'],
  ['w/"7"', 400, 'a small w'],
  ['W/7', 400, 'a weak tag without quotes'],
  ['"7", x', 400, 'a list with something else in it'],
  [',', 400, 'a list of nothing'],
  ['', 400, 'nothing'],
];
for (const [header, status, why] of cases) {
  test(`${header} is ${why}: ${status}`, async () => {
    const answer = await change(header);
    assert.is(answer.status, status, answer.text);
    if (status === 412)
      assert.equal([answer.body.code, answer.body.retryable], ['precondition-failed', false]);
    if (status === 400) assert.is(answer.body.errors[0].pointer, '/headers/if-match');
  });
}

test.long('a long malformed list is refused in no time', async () => {
  const started = performance.now();
  assert.is((await change(`"7",${' ,'.repeat(3_000)}${' '.repeat(6_000)}x`)).status, 400);
  assert.ok(performance.now() - started < 1_000);
});

test('endpoints that are not conditional ignore it', async () => {
  const { status } = await fixture.call('/api/v1/open', { headers: { 'if-match': 'nonsense' } });
  assert.is(status, 200);
});
