import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../../kernel/errors.ts';
import type { Recorded } from '../../../kernel/event.ts';
import type { Reactor } from '../../../reactors/engine/reactor.ts';
import { retrySetAside, SET_ASIDE, setAside, setAsidePage } from '../../../reactors/engine/setAside.ts';
import { appendNumbers, type Counted } from '../../controls/numbers.ts';
import { failure, type Stores, withStores } from '../../controls/stores.ts';
import { suite } from '../../harness.ts';

const test = suite('reactions that were set aside [operations-18]');

/** The events of a log with these numbers, the second of which a reactor set aside. */
const withOne = async (stores: Stores, react: Reactor<Counted>['react']) => {
  const { log, documents } = stores;
  await appendNumbers(stores, 'a', 1, 2, 3);
  const { events } = await log.load('count-a');
  const event = events[1] as Recorded;
  await setAside(documents.tables, 'r', event, new Error('never'));
  const reactor = {
    name: 'r',
    startFrom: 'origin',
    prefixes: ['count-'],
    handles: ['Counted'],
    react,
  } as const;
  const failures: unknown[] = [];
  const { signal } = new AbortController();
  const retry = retrySetAside({
    ...{ log, tables: documents.tables, reactors: [reactor as Reactor], signal },
    failed: (error) => failures.push(String(error)),
  });
  const rows = async () => (await setAsidePage(documents.tables, null, 10, null)).items;
  return { event, retry, rows, failures };
};

test(
  'a retry does the reaction, and it is set aside no longer',
  withStores(async (stores) => {
    const seen: number[] = [];
    const { event, retry, rows } = await withOne(stores, async ({ data }) => void seen.push(data.n));
    const { id: eventId, position } = event;
    assert.equal(await rows(), [
      { reactor: 'r', eventId, position, stream: 'count-a', revision: 1, error: 'Error: never' },
    ]);
    assert.equal(await retry('r', eventId), { error: null });
    assert.equal([seen, await rows()], [[2], []]);
    assert.is(await retry('r', eventId), null);
    assert.is(await retry('other', eventId), null);
  }),
);

test(
  'one that fails again stays set aside with its latest fault, which is reported',
  withStores(async (stores) => {
    const { event, retry, rows, failures } = await withOne(stores, () => Promise.reject(new Error('still')));
    assert.equal(await retry('r', event.id), { error: 'Error: still' });
    assert.equal(
      (await rows()).map(({ error }) => error),
      ['Error: still'],
    );
    assert.equal(failures, ['Error: still']);
  }),
);

test(
  'an outage is not the reaction’s fault',
  withStores(async (stores) => {
    const { event, retry, rows } = await withOne(stores, () => Promise.reject(new StoreUnavailable('away')));
    assert.is((await failure(retry('r', event.id))).name, 'StoreUnavailable');
    assert.equal(
      (await rows()).map(({ error }) => error),
      ['Error: never'],
    );
  }),
);

test(
  'a row of an earlier release, which names no stream, is found in the log all the same',
  withStores(async (stores) => {
    const seen: number[] = [];
    const { event, retry, rows } = await withOne(stores, async ({ data }) => void seen.push(data.n));
    const { tables } = stores.documents;
    const { position, id: eventId } = event;
    await tables.replace(SET_ASIDE, `r/${eventId}`, 1, { reactor: 'r', eventId, position, error: 'old' });
    await setAside(tables, 'r', { ...event, id: 'gone' }, new Error('never'));
    await tables.replace(SET_ASIDE, 'r/gone', 1, { reactor: 'r', eventId: 'gone', position, error: 'old' });
    assert.equal(await retry('r', eventId), { error: null });
    assert.equal(await retry('r', 'gone'), { error: 'Error: the log gives no event gone' });
    assert.equal([seen, (await rows()).length], [[2], 1]);
  }),
);

test(
  'they are listed in pages, of one reactor or of all',
  withStores(async ({ documents: { tables } }) => {
    const event = { position: 'p', stream: 's', revision: 0 } as Recorded;
    for (const [reactor, id] of [
      ['one', 'b'],
      ['one', 'a'],
      ['two', 'c'],
    ] as const)
      await setAside(tables, reactor, { ...event, id }, new Error('never'));
    const page = async (reactor: string | null, limit: number, after: string | null) => {
      const { items, next } = await setAsidePage(tables, reactor, limit, after);
      return [items.map(({ eventId }) => eventId).join(), next];
    };
    assert.equal(await page(null, 2, null), ['a,b', 'one/b']);
    assert.equal(await page(null, 2, 'one/b'), ['c', null]);
    assert.equal(await page('one', 2, null), ['a,b', null]);
    assert.equal(await page('one', 1, null), ['a', 'one/a']);
    assert.equal(await page('none', 1, null), ['', null]);
  }),
);
