import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type ApiKeyDocument, withUse } from '../../projections/apiKeys.ts';
import { suite } from '../harness.ts';

const test = suite('projection of API keys');

test('the open sessions of all keys of a page are counted at once, each up to 100 [cli-5]', async () => {
  const keys = ['key_1', 'key_2', 'key_3'].map((id) => ({ id }) as ApiKeyDocument);
  let underWay = 0;
  let most = 0;
  const countOpen = async (id: string, max: number): Promise<number> => {
    underWay += 1;
    most = Math.max(most, underWay);
    await sleep(2);
    underWay -= 1;
    return id === 'key_2' ? max : 0;
  };
  const items = await withUse({ rows: async () => new Map(), countOpen })(keys);
  assert.equal(
    items.map(({ id, openSessions, expiresAt }) => [id, openSessions, expiresAt]),
    [
      ['key_1', 0, null],
      ['key_2', 100, null],
      ['key_3', 0, null],
    ],
  );
  assert.is(most, 3);
});
