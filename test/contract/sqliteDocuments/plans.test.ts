import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { deliveries } from '../../../projections/deliveries.ts';
import { reviewQueue } from '../../../projections/reviewQueue.ts';
import type { Fence, Sort, Where } from '../../../stores/documents/port.ts';
import { dueIn, dueLanes } from '../../../stores/documents/sqlite/claims.ts';
import { countStatement, pageStatements } from '../../../stores/documents/sqlite/query.ts';
import { suite } from '../../harness.ts';
import { position, put } from '../documents/stage.ts';
import { descending, indexed, inFolder, query, stepsOf } from './folder.ts';

const test = suite('documents in SQLite: how they are found');

test('seeks every page in an index and sorts none', () =>
  inFolder(async (folder, { models }) => {
    const newest = descending('createdAt', 'id');
    const indexes = [
      { name: 'all', sort: [...descending('companyId'), ...newest] },
      { name: 'status', sort: [...descending('companyId', 'deep.status'), ...newest] },
    ];
    await models.ensure('plans', indexes);
    const plans = indexed('plans', indexes);
    const time = { from: '2026', before: '2027' };
    const conditions: readonly Where[] = [
      { companyId: 'c' },
      { companyId: null },
      { companyId: 'c', 'deep.status': 'review' },
      { companyId: 'c', 'deep.status': null },
      { companyId: 'c', createdAt: time },
      { companyId: 'c', 'deep.status': 'review', createdAt: { from: '2026' } },
      { companyId: 'c', createdAt: { before: '2026' } },
    ];
    const opposite: Sort = newest.map(({ path }) => ({ path, direction: 'ascending' }));
    for (const where of conditions)
      for (const sort of [newest, opposite])
        for (const after of [null, ['2026-06', 'x'], [null, 'x']])
          for (const { sql } of pageStatements(plans, { where, sort, limit: 20, after }, 'body')) {
            const plan = query(folder, `EXPLAIN QUERY PLAN ${sql}`).map((row) => row.at(-1));
            const expected = 'deep.status' in where ? 'm_plans.status' : 'm_plans.all';
            assert.is(plan.length, 1, `${plan.join('\n')}\n${sql}`);
            assert.match(
              String(plan[0]),
              new RegExp(`^SEARCH m_plans USING INDEX ${expected} \\(at_\\S+=\\?`),
            );
          }
  }));

/** A name as tables and indexes have it: SQLite takes upper and lower case as one. */
const named = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `$${letter.charCodeAt(0).toString(16)}$`);

test('seeks the deliveries of a company, of a key and of all, whatever else they are filtered by', () =>
  inFolder(async (folder, { models }) => {
    await models.ensure('deliveries', deliveries.indexes ?? []);
    const plans = indexed('deliveries', deliveries.indexes ?? []);
    const sort = descending('createdAt', 'id');
    const own = { companyId: 'cmp_1', mode: 'live' };
    const cases: readonly (readonly [Where, string])[] = [
      [own, 'company'],
      [{ ...own, status: 'failed' }, 'companyStatus'],
      [{ ...own, sessionId: 'ses_1' }, 'companySession'],
      [{ ...own, eventType: 'session.completed' }, 'companyType'],
      [{ ...own, createdAt: { from: '2026', before: '2027' } }, 'company'],
      [{ keyId: 'key_1' }, 'own'],
      [{ status: 'failed' }, 'status'],
    ];
    for (const [where, index] of cases)
      for (const { sql } of pageStatements(plans, { where, sort, limit: 20, after: null }, 'body')) {
        const plan = query(folder, `EXPLAIN QUERY PLAN ${sql}`).map((row) => String(row.at(-1)));
        assert.is(plan.length, 1, plan.join('\n'));
        assert.ok(
          plan[0]?.startsWith(`SEARCH m_deliveries USING INDEX m_deliveries.${named(index)} `),
          plan[0],
        );
      }
  }));

test('seeks the review queue in each order, whatever it is filtered by', () =>
  inFolder(async (folder, { models }) => {
    await models.ensure('reviewQueue', reviewQueue.indexes);
    const plans = indexed('reviewQueue', reviewQueue.indexes);
    const own = { companyId: 'cmp_1', mode: 'live' };
    const cases: readonly (readonly [Where, RegExp])[] = [
      [own, /_all$/],
      [{ ...own, slug: 'receipt' }, /_workflow$/],
      [{ ...own, fraudStatus: 'blocked' }, /_fraud$/],
      [{ ...own, 'reasons.low_confidence': true }, /_low_confidence$/],
      [{ ...own, 'reasons.always_review': true, slug: 'receipt' }, /_(always_review|workflow)$/],
    ];
    const sorts = reviewQueue.indexes
      .filter(({ name }) => name.endsWith('_all'))
      .map(({ sort }) => sort.slice(2));
    assert.is(sorts.length, 2);
    for (const [where, index] of cases)
      for (const sort of sorts)
        for (const after of [null, sort.length === 2 ? ['2026', 'sub_1'] : [0.5, 0.5, 'sub_1']])
          for (const { sql } of pageStatements(plans, { where, sort, limit: 20, after }, 'body')) {
            const plan = query(folder, `EXPLAIN QUERY PLAN ${sql}`).map((row) => String(row.at(-1)));
            assert.is(plan.length, 1, `${plan.join('\n')}\n${sql}`);
            const [, used = ''] = /^SEARCH m_review\S+ USING INDEX (\S+) \(/.exec(plan[0] ?? '') ?? [];
            assert.match(used, index, plan[0]);
          }
  }));

test('reads no more of the review queue, however many were ever in it', () =>
  inFolder(async (folder, store) => {
    await store.models.ensure('reviewQueue', reviewQueue.indexes);
    const queue = indexed('reviewQueue', reviewQueue.indexes);
    const item = (n: number) => ({
      ...{ id: `sub_${String(n).padStart(5, '0')}`, companyId: 'c', mode: 'live', slug: 's' },
      ...{ since: new Date(1.7e12 + n).toISOString(), fraudStatus: 'clean', fraudScore: 0, confidence: 0.5 },
      ...{ reasons: { low_confidence: true }, firstBy: null },
    });
    const sort = [
      { path: 'since', direction: 'ascending' },
      { path: 'id', direction: 'ascending' },
    ] as const;
    const steps = (where: Where): number => {
      const own = { companyId: 'c', mode: 'live', ...where };
      const statements = pageStatements(queue, { where: own, sort, limit: 20, after: null }, 'body');
      return Math.max(...statements.map((statement) => stepsOf(folder, statement, 20)));
    };
    const all = [{}, { slug: 's' }, { fraudStatus: 'clean' }, { 'reasons.low_confidence': true }];
    const many = Array.from({ length: 3_000 }, (_, n) => item(n));
    await put(store, 'reviewQueue', Object.fromEntries(many.slice(0, 30).map((each) => [each.id, each])));
    const few = all.map(steps);
    await put(store, 'reviewQueue', Object.fromEntries(many.slice(30).map((each) => [each.id, each])));
    const removed = many.slice(0, 2_000).map(({ id }) => {
      return { collection: 'reviewQueue', id, position: position(2), document: null };
    });
    await store.models.commit(removed, {}, (await store.leases.acquire('writer', 'test', 60_000)) as Fence);
    for (const [n, where] of all.entries()) {
      const later = steps(where);
      assert.ok(later < (few[n] ?? 0) * 1.5, `${later} steps, ${few[n]} with few: ${JSON.stringify(where)}`);
    }
  }));

test('counts by an index, and no further than its maximum', () =>
  inFolder(async (folder, store) => {
    const indexes = [{ name: 'status', sort: descending('status', 'id') }];
    await store.models.ensure('counted', indexes);
    const items = Array.from({ length: 1_000 }, (_, n) => ({ id: `i${n}`, status: 's' }));
    await put(store, 'counted', Object.fromEntries(items.map((item) => [item.id, item])));
    const statement = countStatement(indexed('counted', indexes), { status: 's' });
    const plan = query(folder, `EXPLAIN QUERY PLAN ${statement.sql}`).map((row) => String(row.at(-1)));
    assert.ok(
      plan.some((step) => step.startsWith('SEARCH m_counted USING') && step.includes('m_counted.status')),
      plan.join('\n'),
    );
    assert.ok(stepsOf(folder, statement, 10) * 10 < stepsOf(folder, statement, 1_000));
  }));

test('writes no index whose members a change leaves alone', () =>
  inFolder(async (folder, store) => {
    const indexes = ['state', 'company', 'file'].map((path) => ({
      name: path,
      sort: descending(path, 'id'),
    }));
    await store.models.ensure('kept', indexes);
    const document = (words: string) => ({ id: 'x', state: 's', company: 'c', file: 'f', words });
    const fence = await store.leases.acquire('writer', 'test', 60_000);
    const pages = async (n: number, before?: object): Promise<number> => {
      const known = before && { id: 'x', position: position(n - 1), document: before };
      const size = () => statSync(join(folder, 'models.db-wal')).size;
      const start = size();
      const write = { collection: 'kept', id: 'x', position: position(n), document: document(`${n}`) };
      await store.models.commit([{ ...write, before: known }], {}, fence as Fence);
      return Math.round((size() - start) / 4_096);
    };
    await pages(1);
    const whole = await pages(2);
    assert.ok((await pages(3, document('2'))) <= whole - indexes.length);
  }));

test('reads no more for a late page than for the first', () =>
  inFolder(async (folder, store) => {
    const sort = descending('createdAt', 'rank', 'id');
    const opposite: Sort = sort.map(({ path }) => ({ path, direction: 'ascending' }));
    const indexes = [
      { name: 'all', sort: [...descending('companyId'), ...sort] },
      { name: 'status', sort: [...descending('companyId', 'status'), ...sort] },
    ];
    await store.models.ensure('late', indexes);
    const late = indexed('late', indexes);
    const time = (n: number): string => new Date(1.7e12 + n * 1_000).toISOString();
    const item = (n: number) => ({ id: `i${n}`, companyId: 'c', status: 's', createdAt: time(n), rank: 5 });
    const items = Array.from({ length: 2_000 }, (_, n) => item(n));
    await put(store, 'late', Object.fromEntries(items.map((each) => [each.id, each])));
    const steps = (where: Where, order: Sort, after: number | null) => {
      const values = after === null ? null : [time(after), 5, `i${after}`];
      const statements = pageStatements(late, { where, sort: order, limit: 20, after: values }, 'body');
      return Math.max(...statements.map((statement) => stepsOf(folder, statement, 20)));
    };
    const createdAt = { from: time(100), before: time(1_900) };
    const ranges: readonly Where[] = [{}, { createdAt }, { status: 's' }, { status: 's', createdAt }];
    for (const range of ranges)
      for (const order of [sort, opposite]) {
        const where = { companyId: 'c', ...range };
        const first = steps(where, order, null);
        assert.ok(first > 100, `${first} steps of SQLite for 20 documents: it does not count`);
        for (const after of [105, 1_000, 1_895]) {
          const later = steps(where, order, after);
          assert.ok(later < first * 2, `${later} steps after ${after}, ${first} for the first page`);
        }
      }
  }));

test('seeks the next lane, however many documents there are in one', () =>
  inFolder(async (folder, store) => {
    await put(store, 'queue', { x: { lane: 'a', dueAt: '2020' } });
    await store.leases.claim({ collection: 'queue', owner: 'w', leaseMs: 9, limit: 1, perLane: 1, skip: [] });
    for (const sql of [dueLanes('"m_queue"'), dueIn('"m_queue"')]) {
      const plan = query(folder, `EXPLAIN QUERY PLAN ${sql}`).map((row) => String(row.at(-1)));
      assert.ok(
        plan.some((step) => /^SEARCH m_queue USING .*INDEX m\.queue/.test(step)),
        plan.join('\n'),
      );
      assert.not(
        plan.some((step) => /SCAN m_queue|SCAN leases|TEMP B-TREE/.test(step)),
        plan.join('\n'),
      );
    }
  }));
