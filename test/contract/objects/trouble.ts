import * as assert from 'uvu/assert';
import { isPassing, StoreMisconfigured, StoreUnavailable } from '../../../kernel/errors.ts';
import { uploadsOf } from '../../../stores/objects/keys.ts';
import type { ObjectStore } from '../../../stores/objects/port.ts';
import type { Declare, ObjectsUnderTest } from './stage.ts';

/** What a store in trouble says, and to whom. */
export const troubleTests: Declare = (test, { opened, store }) => {
  test('check holds for a bucket that can be used', () => store().check());

  test('check names a store that can not be reached, and no secret', () =>
    checkFails(opened(), opened().unavailable, opened().named, true));

  test('what can not be reached is StoreUnavailable', async () => {
    const calls: ((unavailable: ObjectStore) => Promise<unknown>)[] = [
      (unavailable) => unavailable.head('k'),
      (unavailable) => unavailable.read('k'),
      (unavailable) => unavailable.put('k', Buffer.from('x'), 'text/plain'),
      (unavailable) => unavailable.copy('k', '"e"', 't', 'text/plain'),
      (unavailable) => unavailable.remove('k'),
      (unavailable) => unavailable.removeAll(uploadsOf(`sub_${'0'.repeat(26)}`)),
      (unavailable) => unavailable.check(),
    ];
    for (const call of calls)
      assert.instance(await thrownBy(() => call(opened().unavailable)), StoreUnavailable, String(call));
  });
};

/** What a store behind an address says of a bucket that is not there, or that refuses it. */
export const remoteTests: Declare = (test, { opened }) => {
  const remote = () => {
    const { remote } = opened();
    if (!remote) throw new Error('the store is not remote');
    return remote;
  };

  test('check names bucket and endpoint of a bucket that can not be used, and no secret', async () => {
    await checkFails(opened(), remote().missing, 'missing-bucket', false);
    await checkFails(opened(), remote().missing, remote().endpoint, false);
    await checkFails(opened(), remote().stranger, opened().named, false);
  });

  test('a refusal is neither absence nor unavailability', async () => {
    for (const call of [() => remote().stranger.head('k'), () => remote().stranger.read('k')]) {
      const error = await thrownBy(call);
      assert.instance(error, StoreMisconfigured);
      for (const secret of opened().secrets) assert.not.ok(told(error).includes(secret), told(error));
    }
  });
};

const checkFails = async (
  { secrets }: ObjectsUnderTest,
  store: ObjectStore,
  named: string,
  passes: boolean,
): Promise<void> => {
  const error = await thrownBy(() => store.check());
  assert.ok(error.message.includes(named), error.message);
  assert.is(isPassing(error), passes, error.message);
  for (const secret of secrets) assert.not.ok(told(error).includes(secret), told(error));
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
