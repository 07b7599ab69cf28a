import * as assert from 'uvu/assert';
import { allProjections } from '../../../projections/all.ts';
import { keysOf, searches } from '../../../stores/documents/mongodb/query.ts';
import type { Query, Sort, Where } from '../../../stores/documents/port.ts';
import { suite } from '../../harness.ts';
import { fence, position, write } from '../documents/stage.ts';
import { descending } from '../sqliteDocuments/folder.ts';
import { onServer, ownDatabase } from './server.ts';

const test = suite('documents in MongoDB: how they are searched');

const newest = descending('createdAt', 'id');
const scope: Where = { companyId: 'c', mode: 'live' };

/** The paths that a search names in its order, behind those that its equalities hold still. */
const path = (search: ReturnType<typeof searches>[number]): readonly string[] => [
  ...Object.keys(search.filter).filter((key) => key !== '$and'),
  ...(search.filter.$and ?? []).flatMap((one: object) =>
    Object.entries(one).flatMap(([key, value]) => (typeof value === 'object' && value !== null ? [] : [key])),
  ),
  ...Object.keys(search.sort),
];

test('each search goes along one index: live, what is equal, then its order; and none has an $or', () => {
  const after = ['2026-01-01T00:00:00.000Z', 'sub_1'];
  const all = searches({ where: scope, sort: newest, limit: 20, after });
  assert.equal(
    all.map(({ filter, sort }) => [filter.$and, sort]),
    [
      [
        [
          { 'values.createdAt': after[0] },
          { 'values.id': { $lt: after[1] } },
          { 'values.companyId': 'c' },
          { 'values.mode': 'live' },
        ],
        { 'values.id': -1 },
      ],
      [
        [{ 'values.createdAt': { $lt: after[0] } }, { 'values.companyId': 'c' }, { 'values.mode': 'live' }],
        { 'values.createdAt': -1, 'values.id': -1 },
      ],
      [
        [{ 'values.createdAt': null }, { 'values.companyId': 'c' }, { 'values.mode': 'live' }],
        { 'values.id': -1 },
      ],
    ],
  );
  for (const search of all) {
    assert.is(search.filter.live, true);
    assert.not.match(JSON.stringify(search), /\$or|\$nin|\$where|\$expr/);
  }
});

test('a page of any read model in the order of one of its indexes is searched by the keys of that index', () => {
  for (const { indexes } of allProjections)
    for (const { sort } of indexes) {
      const keys = Object.keys(keysOf(sort));
      const [first] = searches({ where: {}, sort, limit: 5, after: null });
      assert.equal(first && path(first), keys);
      for (const search of searches({ where: {}, sort, limit: 5, after: sort.map(() => 'x') })) {
        const named = path(search);
        assert.equal([...named].sort(), [...new Set(named)].sort());
        assert.ok(named.every((key) => keys.includes(key)));
      }
    }
});

const NAME = 'documents in MongoDB: plans';

onServer(NAME, () => {
  const plans = suite(NAME);
  const queries: readonly Query[] = [
    { where: scope, sort: newest, limit: 20, after: null },
    { where: scope, sort: newest, limit: 20, after: ['2026-01-01T00:05:00.000Z', 'i00300'] },
    {
      where: { ...scope, createdAt: { from: '2026-01-01T00:01', before: '2026-01-01T00:06' } },
      sort: newest,
      limit: 20,
      after: ['2026-01-01T00:05:00.000Z', 'i00300'],
    },
    { where: { ...scope, status: null }, sort: newest, limit: 20, after: null },
  ];
  plans(
    'each page is read from an index, none is sorted, and no more than it shows is looked at',
    async () => {
      const database = await ownDatabase();
      const store = database.open();
      try {
        if (database.ferret) return plans.skip('pages read from an index', 'FerretDB has no plans');
        const index = (...paths: readonly string[]): Sort => [
          ...['companyId', 'mode', ...paths].map((name) => ({ path: name, direction: 'ascending' as const })),
          ...newest,
        ];
        await store.models.ensure('plans', [
          { name: 'newest', sort: index() },
          { name: 'status', sort: index('status') },
        ]);
        const item = (n: number) => ({
          ...{ id: `i${String(n).padStart(5, '0')}`, companyId: n % 3 ? 'c' : 'd', mode: 'live' },
          createdAt: new Date(Date.parse('2026-01-01') + n * 1_000).toISOString(),
        });
        const writes = Array.from({ length: 1_000 }, (_, n) => write('plans', `i${n}`, 1, item(n)));
        const gone = Array.from({ length: 1_000 }, (_, n) => write('plans', `gone${n}`, 1, null));
        await store.models.commit([...writes, ...gone], { plans: position(1) }, await fence(store));
        const documents = database.client.db().collection('model.plans');
        for (const query of queries)
          for (const { filter, sort } of searches(query)) {
            const plan = await documents.find(filter, { sort, limit: 21 }).explain('executionStats');
            const text = JSON.stringify(plan.queryPlanner.winningPlan);
            assert.match(text, '"IXSCAN"');
            assert.not.match(text, /"SORT"|"COLLSCAN"|"SORT_MERGE"/);
            assert.ok(
              plan.executionStats.totalKeysExamined <= 25,
              `${plan.executionStats.totalKeysExamined} keys`,
            );
          }
      } finally {
        await store.close();
        await database.end();
      }
    },
  );
});
