import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type ApiKeyDocument, apiKeyQueries, keysLeftBy, withUse } from '../../projections/apiKeys.ts';
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

test('the live keys of a maker are found, newest first, at most 100 [people-22]', async () => {
  const pages: (readonly object[])[] = [];
  const made = Array.from({ length: 250 }, (_, n) => ({
    ...{ id: `key_${n}`, name: null, mode: 'live', companyId: n % 2 === 0 ? 'cmp_1' : 'cmp_2' },
    ...{ createdAt: '', createdBy: 'usr_1', revokedAt: null, replacedBy: null },
    expiresAt: n % 5 === 0 ? '2026-01-01T00:00:00.000Z' : n % 5 === 1 ? '2999-01-01T00:00:00.000Z' : null,
  }));
  const models = {
    page: async (
      _name: string,
      { where, limit, after }: { where: object; limit: number; after: unknown },
    ) => {
      assert.equal(where, { createdBy: 'usr_1', revokedAt: null });
      const from = Number(after ?? 0);
      const items = made.slice(from, from + limit);
      pages.push(items);
      return { items, next: from + limit < made.length ? String(from + limit) : null };
    },
  };
  const { unrevokedBy } = apiKeyQueries(models as never);
  const rows = async () => new Map([['key_2', { lastUsedAt: '2026-01-02T00:00:00.000Z' }]]) as never;
  const clock = { now: () => new Date('2026-02-01T00:00:00.000Z') } as never;
  const left = keysLeftBy({ unrevokedBy, rows, clock });
  const all = await left('usr_1', null, null);
  assert.equal([all.length, pages.length, all[0]?.id, all.at(-1)?.id], [100, 2, 'key_1', 'key_124']);
  assert.equal(all[1], {
    ...{ id: 'key_2', name: null, companyId: 'cmp_1', mode: 'live' },
    lastUsedAt: '2026-01-02T00:00:00.000Z',
  });
  const companiesOf = async (...args: Parameters<typeof left>) => [
    ...new Set((await left(...args)).map(({ companyId }) => companyId)),
  ];
  assert.equal(await companiesOf('usr_1', null, 'cmp_2'), ['cmp_2']);
  assert.equal(await companiesOf('usr_1', { role: 'org_admin', companyId: 'cmp_1' }, null), ['cmp_2']);
  assert.equal(await companiesOf('usr_1', { role: 'reviewer', companyId: 'cmp_1' }, null), [
    'cmp_2',
    'cmp_1',
  ]);
  assert.equal(await left('usr_1', { role: 'super_admin', companyId: null }, null), []);
});
