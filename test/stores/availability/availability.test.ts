import * as assert from 'uvu/assert';
import { StoreDamaged, StoreMisconfigured, StoreUnavailable } from '../../../kernel/errors.ts';
import { createAvailability } from '../../../stores/availability/availability.ts';
import { createLogger, reportTo } from '../../../telemetry/log.ts';
import { standingClock } from '../../controls/clock.ts';
import { failure, gate } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';

const test = suite('availability');

/** Watched parts whose probes a test lets fail, and the lines that are logged, with `debug` or without. */
const watched = (level: 'info' | 'debug' = 'info') => {
  const lines: Readonly<{ msg: string; part?: string; level: number }>[] = [];
  const logger = createLogger(level, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const gauge = new Map<string, boolean>();
  const { clock, pass } = standingClock();
  const availability = createAvailability(
    reportTo(logger),
    (part, isUnavailable) => void gauge.set(part, isUnavailable),
    clock,
  );
  const errors = new Map<string, Error>();
  const slow = new Map<string, Promise<void>>();
  const probed = new Map<string, number>();
  const readable = new Set<string>();
  const probe = (part: string) => async (canRead?: () => void) => {
    probed.set(part, (probed.get(part) ?? 0) + 1);
    const error = errors.get(part);
    await slow.get(part);
    if (readable.has(part)) canRead?.();
    if (error) throw error;
  };
  const stop = new AbortController();
  const watching = availability.watch(
    { events: probe('events'), documents: probe('documents') },
    stop.signal,
  );
  const end = (): Promise<void> => {
    stop.abort();
    return watching;
  };
  const logged = () => lines.map(({ msg, part }) => (part === undefined ? msg : `${part}: ${msg}`));
  return {
    availability,
    pass,
    gauge,
    report: reportTo(logger, availability.suspect),
    errors,
    readable,
    slow,
    probed,
    logged,
    lines,
    end,
  };
};

const down = new StoreUnavailable('nobody listens');
const LOST = 'a part of the service can’t be used';
const RETURNED = 'a part of the service can be used again';

test('an outage is logged once when it starts and once when it ends, whatever number of loops it fails', async () => {
  const { availability, gauge, report, errors, logged, end } = watched();
  assert.equal([...gauge.values()], [false, false]);
  errors.set('documents', down);
  for (let loop = 0; loop < 8; loop += 1) report.error('a loop stopped', { err: down });
  await eventually('it is found', () => availability.unavailable().includes('documents'));
  assert.equal([gauge.get('documents'), gauge.get('events')], [true, false]);
  for (let request = 0; request < 50; request += 1) report.error('a request failed', { err: down });
  errors.set('documents', new StoreUnavailable('nobody listens, in other words'));
  await failure(availability.probeAll());
  assert.equal(logged(), [`documents: ${LOST}`]);
  errors.clear();
  await eventually('it is available', () => availability.unavailable().length === 0);
  await end();
  assert.equal(logged(), [`documents: ${LOST}`, `documents: ${RETURNED}`]);
});

test('an unavailable part that can still be read is not unreadable, unless it is damaged [problems-12]', async () => {
  const { availability, report, errors, readable, end } = watched();
  errors.set('documents', down);
  readable.add('documents');
  report.error('a loop stopped', { err: down });
  await eventually('it is found', () => availability.unavailable().includes('documents'));
  assert.equal(availability.unreadable(), []);
  errors.set('documents', new StoreDamaged('/data/tables.db', 'torn', 'restore it'));
  await failure(availability.probeAll());
  assert.equal(availability.unreadable(), ['documents']);
  errors.set('documents', down);
  readable.clear();
  await failure(availability.probeAll());
  assert.equal(availability.unreadable(), ['documents']);
  errors.clear();
  await availability.probeAll();
  assert.equal([availability.unavailable(), availability.unreadable()], [[], []]);
  await end();
});

test('a part that does not answer does not hide that another one is available again', async () => {
  const { availability, errors, slow, probed, end } = watched();
  errors.set('events', down);
  errors.set('documents', down);
  availability.suspect(down);
  await eventually('both are unavailable', () => availability.unavailable().length === 2);
  const hold = gate();
  slow.set('documents', hold.opened);
  const before = probed.get('documents') ?? 0;
  await eventually('a probe that waits', () => (probed.get('documents') ?? 0) > before);
  errors.delete('events');
  await eventually('the other one is available', () => availability.unavailable().join() === 'documents');
  await end();
  hold.open();
});

test('an error of another kind is logged where it occurs, and so is every error while nothing is watched', async () => {
  const { report, logged, end } = watched();
  report.error('a loop stopped', { err: new Error('a bug') });
  await end();
  report.error('a command failed', { err: down });
  assert.equal(logged(), ['a loop stopped', 'a command failed']);
});

test('nothing is swallowed: debug has each line, and a failure that has passed is logged as such', async () => {
  const { report, probed, logged, end } = watched('debug');
  report.error('a request failed', { err: down });
  await eventually('it was probed', () => logged().length === 2);
  report.error('a request failed', { err: down });
  await eventually('again', () => probed.get('events') === 2);
  await end();
  const passed = logged().filter((line) => line === 'a store failed for a moment');
  assert.equal([logged().length, passed.length], [3, 1], logged().join());
});

test('another kind of error of the same part is logged too', async () => {
  const { availability, errors, lines, end } = watched();
  errors.set('events', down);
  await failure(availability.probeAll());
  errors.set('events', new StoreMisconfigured('wrong password'));
  assert.is((await failure(availability.probeAll())).message, 'wrong password');
  assert.is((await failure(availability.probe('events'))).message, 'wrong password');
  await end();
  assert.equal(
    lines.map(({ level }) => level),
    [50, 50],
  );
});

test('a probe that fails after a later one has succeeded logs nothing', async () => {
  const { availability, errors, slow, logged, end } = watched();
  const { opened, open } = gate();
  errors.set('events', down);
  slow.set('events', opened);
  const late = failure(availability.probe('events'));
  slow.clear();
  errors.clear();
  await availability.probe('events');
  open();
  await late;
  await end();
  assert.equal([logged(), availability.unavailable()], [[], []]);
});

test('probes throw first what waiting does not mend', async () => {
  const { availability, errors, end } = watched();
  errors.set('events', down);
  errors.set('documents', new StoreMisconfigured('wrong password'));
  assert.is((await failure(availability.probeAll())).message, 'wrong password');
  assert.equal([...availability.unavailable()].sort(), ['documents', 'events']);
  errors.delete('documents');
  assert.is((await failure(availability.probeAll())).message, 'nobody listens');
  assert.equal(availability.unavailable(), ['events']);
  await end();
});

test('outages are remembered with their times, the last twenty that have ended', async () => {
  const { availability, errors, readable, pass, end } = watched();
  readable.add('documents');
  for (let round = 0; round < 22; round += 1) {
    errors.set('documents', new StoreUnavailable(`outage ${round}`));
    await failure(availability.probeAll());
    pass(1_000);
    errors.clear();
    await availability.probeAll();
    pass(1_000);
  }
  errors.set('events', down);
  await failure(availability.probeAll());
  const [lasting, newest, ...others] = availability.outages();
  assert.equal(lasting, {
    ...{ part: 'events', from: '2026-11-21T10:00:44.000Z', until: null, readable: false, error: down },
  });
  assert.equal(
    [newest?.part, newest?.from, newest?.until, newest?.readable, String(newest?.error)],
    [
      'documents',
      '2026-11-21T10:00:42.000Z',
      '2026-11-21T10:00:43.000Z',
      true,
      'StoreUnavailable: outage 21',
    ],
  );
  assert.is(others.length, 19);
  assert.is(others.at(-1)?.from, '2026-11-21T10:00:04.000Z');
  await end();
});
