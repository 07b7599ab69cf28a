import { mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { StoreDamaged } from '../../kernel/errors.ts';
import { readinessChecks } from '../../runtime/readiness.ts';
import { inspectStores } from '../../runtime/storeChecks.ts';
import type { Core } from '../../runtime/wire.ts';
import { sqliteEventStore } from '../../stores/events/sqlite.ts';
import { storedEvent } from '../contract/events/controls.ts';
import { failure, gate, keptReport } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('looking through the stores [operations-7]');
const folder = mkdtempSync(join(tmpdir(), 'intake-inspect-'));
const path = join(folder, 'log.db');
const { signal: closing } = new AbortController();
test.after(() => rmSync(folder, { recursive: true }));

const torn = new StoreDamaged('/data/log.db', 'torn', 'restore it');
type Inspected = Parameters<typeof inspectStores>[0];
const stores = (inspect: () => Promise<void>, { report } = keptReport()): Inspected =>
  ({ events: { inspect }, documents: {}, report, closing }) as unknown as Inspected;

test('damage that is found at once stops the start', async () => {
  const found = await failure(inspectStores(stores(() => Promise.reject(torn))));
  assert.is(found, torn);
});

test('damage that is found later is reported, and so is a failed inspection, which stops no start', async () => {
  const kept = keptReport();
  const later = gate();
  const looking = later.opened.then(() => Promise.reject(torn));
  await inspectStores(stores(() => looking, kept));
  assert.is(kept.lines.length, 0);
  later.open();
  await eventually('the damage to be told', () => kept.lines.length === 1);
  await inspectStores(stores(() => Promise.reject(new Error('no process')), kept));
  assert.is(kept.lines.length, 2);
});

test('a file that is too large to be read at once is looked through by a process beside, which ends with the signal', async () => {
  const log = sqliteEventStore({ path });
  const filler = 'x'.repeat(900_000);
  for (let n = 0; n < 12; n += 1)
    await log.append('large', n === 0 ? 'none' : n - 1, [storedEvent({ n, filler })]);
  await log.inspect?.(closing);
  await log.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(5_000, 0xa5), 0, 5_000, Math.floor(statSync(path).size * 0.7));
  const damaged = sqliteEventStore({ path });
  await damaged.inspect?.(AbortSignal.abort());
  await damaged.append('before', 'none', [storedEvent()]);
  const found = await failure(damaged.inspect?.(closing) ?? Promise.resolve());
  assert.match(found.message, new RegExp(`^${path} is damaged \\(.*\\): stop the service and restore`));
  assert.is(await failure(damaged.append('after', 'none', [storedEvent()])), found);
  await damaged.close();
});

test('a node with a damaged file is not ready, and names it without its folder', async () => {
  const availability = { probe: () => Promise.reject(torn), unavailable: () => [], unreadable: () => [] };
  const { events } = readinessChecks({
    ...({ log: { head: async () => null }, availability } as unknown as Core),
    probes: { events: async () => undefined },
    needsReadModels: false,
    hasStarted: () => true,
  });
  assert.is(await events?.(), 'log.db is damaged');
});
