import * as assert from 'uvu/assert';
import { isPassing, StoreMisconfigured, StoreUnavailable } from '../../../kernel/errors.ts';
import type { ObjectStore } from '../../../stores/objects/port.ts';
import type { Declare } from './stage.ts';

/** What a store in trouble says, and to whom. */
export const troubleTests: Declare = (test, { opened, store }) => {
  test('check holds for a bucket that can be used', () => store().check());

  test('check names bucket and endpoint of one that can not, and no secret', async () => {
    for (const [troubled, bucket] of [
      [opened().missing, 'missing-bucket'],
      [opened().stranger, opened().bucket],
      [opened().away, opened().bucket],
    ] as const) {
      const error = await thrownBy(() => troubled.check());
      assert.ok(error.message.includes(bucket), error.message);
      assert.is(isPassing(error), troubled === opened().away, error.message);
      for (const secret of opened().secrets) assert.not.ok(told(error).includes(secret), told(error));
    }
    assert.ok((await thrownBy(() => opened().missing.check())).message.includes(opened().endpoint));
  });

  test('what can not be reached is StoreUnavailable', async () => {
    const calls: ((away: ObjectStore) => Promise<unknown>)[] = [
      (away) => away.head('k'),
      (away) => away.read('k'),
      (away) => away.copy('k', '"e"', 't', 'text/plain'),
      (away) => away.remove('k'),
      (away) => away.check(),
    ];
    for (const call of calls)
      assert.instance(await thrownBy(() => call(opened().away)), StoreUnavailable, String(call));
  });

  test('a refusal is neither absence nor unavailability', async () => {
    for (const call of [() => opened().stranger.head('k'), () => opened().stranger.read('k')]) {
      const error = await thrownBy(call);
      assert.instance(error, StoreMisconfigured);
      for (const secret of opened().secrets) assert.not.ok(told(error).includes(secret), told(error));
    }
  });
};

const thrownBy = async (call: () => Promise<unknown>): Promise<Error> => {
  try {
    await call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
};

/** All of an error that a log line would show. */
const told = (error: Error): string =>
  `${error.stack} ${JSON.stringify(error)} ${JSON.stringify(Object.getOwnPropertyDescriptors(error))}`;
