import * as assert from 'uvu/assert';
import { settleCredentials } from '../../reactors/settleCredentials.ts';
import { examples, logged } from '../controls/events.ts';
import { suite } from '../harness.ts';

const test = suite('rows of keys and users follow what was decided');

test('of a rotated key and of a changed role, and of nothing else', async () => {
  const settled: string[] = [];
  const settle = async (id: string): Promise<void> => void settled.push(id);
  const reactor = settleCredentials({ settleKey: settle, settleUser: settle });
  const handled = logged([examples.ApiKeyRotated, examples.UserRoleChanged]);
  assert.equal(
    [...reactor.handles],
    handled.map(({ type }) => type),
  );
  for (const event of handled)
    await reactor.react(event as Parameters<typeof reactor.react>[0], new AbortController().signal);
  assert.equal(settled, [examples.ApiKeyRotated.data.keyId, examples.UserRoleChanged.data.userId]);
});
