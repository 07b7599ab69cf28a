import * as assert from 'uvu/assert';
import { StoreDamaged, StoreMisconfigured, StoreUnavailable } from '../../../kernel/errors.ts';
import { createAvailability } from '../../../stores/availability/availability.ts';
import { createLogger, reportTo } from '../../../telemetry/log.ts';
import { failure, gate } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';

const test = suite('availability');

/** Parts that a test takes away, watched; and what the log says of them, with `debug` or without. */
const watched = (level: 'info' | 'debug' = 'info') => {
  const lines: Readonly<{ msg: string; part?: string; level: number }>[] = [];
  const logger = createLogger(level, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const gauge = new Map<string, boolean>();
  const availability = createAvailability(reportTo(logger), (part, isAway) => void gauge.set(part, isAway));
  const wrong = new Map<string, Error>();
  const slow = new Map<string, Promise<void>>();
  const looks = new Map<string, number>();
  const readable = new Set<string>();
  const probe = (part: string) => async (canRead?: () => void) => {
    looks.set(part, (looks.get(part) ?? 0) + 1);
    const error = wrong.get(part);
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
  const told = () => lines.map(({ msg, part }) => (part === undefined ? msg : `${part}: ${msg}`));
  return {
    availability,
    gauge,
    report: reportTo(logger, availability.suspect),
    wrong,
    readable,
    slow,
    looks,
    told,
    lines,
    end,
  };
};

const away = new StoreUnavailable('nobody listens');
const GONE = 'a part of the service can’t be used';
const BACK = 'a part of the service can be used again';

test('however many meet it, the log tells once that a part is away and once that it is back', async () => {
  const { availability, gauge, report, wrong, told, end } = watched();
  assert.equal([...gauge.values()], [false, false]);
  wrong.set('documents', away);
  for (let loop = 0; loop < 8; loop += 1) report.error('a loop stopped', { err: away });
  await eventually('it is found', () => availability.unavailable().includes('documents'));
  assert.equal([gauge.get('documents'), gauge.get('events')], [true, false]);
  for (let request = 0; request < 50; request += 1) report.error('a request failed', { err: away });
  wrong.set('documents', new StoreUnavailable('nobody listens, in other words'));
  await failure(availability.probeAll());
  assert.equal(told(), [`documents: ${GONE}`]);
  wrong.clear();
  await eventually('it is back', () => availability.unavailable().length === 0);
  await end();
  assert.equal(told(), [`documents: ${GONE}`, `documents: ${BACK}`]);
});

test('a part that can be read though it is away is no unreadable one, unless it is damaged [problems-12]', async () => {
  const { availability, report, wrong, readable, end } = watched();
  wrong.set('documents', away);
  readable.add('documents');
  report.error('a loop stopped', { err: away });
  await eventually('it is found', () => availability.unavailable().includes('documents'));
  assert.equal(availability.unreadable(), []);
  wrong.set('documents', new StoreDamaged('/data/tables.db', 'torn', 'restore it'));
  await failure(availability.probeAll());
  assert.equal(availability.unreadable(), ['documents']);
  wrong.set('documents', away);
  readable.clear();
  await failure(availability.probeAll());
  assert.equal(availability.unreadable(), ['documents']);
  wrong.clear();
  await availability.probeAll();
  assert.equal([availability.unavailable(), availability.unreadable()], [[], []]);
  await end();
});

test('a part that is silent keeps nobody from seeing that another one is back', async () => {
  const { availability, wrong, slow, looks, end } = watched();
  wrong.set('events', away);
  wrong.set('documents', away);
  availability.suspect(away);
  await eventually('both are away', () => availability.unavailable().length === 2);
  const hold = gate();
  slow.set('documents', hold.opened);
  const seen = looks.get('documents') ?? 0;
  await eventually('a look that waits', () => (looks.get('documents') ?? 0) > seen);
  wrong.delete('events');
  await eventually('the other one is back', () => availability.unavailable().join() === 'documents');
  await end();
  hold.open();
});

test('what has its own cause is told by whoever meets it, and by everybody while nobody watches', async () => {
  const { report, told, end } = watched();
  report.error('a loop stopped', { err: new Error('a bug') });
  await end();
  report.error('a command failed', { err: away });
  assert.equal(told(), ['a loop stopped', 'a command failed']);
});

test('nothing is swallowed: debug has each line, and a failure that is over is told as such', async () => {
  const { report, looks, told, end } = watched('debug');
  report.error('a request failed', { err: away });
  await eventually('it was looked into', () => told().length === 2);
  report.error('a request failed', { err: away });
  await eventually('again', () => looks.get('events') === 2);
  await end();
  const passed = told().filter((line) => line === 'a store failed for a moment');
  assert.equal([told().length, passed.length], [3, 1], told().join());
});

test('another kind of trouble with the same part is told too', async () => {
  const { availability, wrong, lines, end } = watched();
  wrong.set('events', away);
  await failure(availability.probeAll());
  wrong.set('events', new StoreMisconfigured('wrong password'));
  assert.is((await failure(availability.probeAll())).message, 'wrong password');
  assert.is((await failure(availability.probe('events'))).message, 'wrong password');
  await end();
  assert.equal(
    lines.map(({ level }) => level),
    [50, 50],
  );
});

test('a look that waited in vain, while a later one had its answer, says nothing', async () => {
  const { availability, wrong, slow, told, end } = watched();
  const { opened, open } = gate();
  wrong.set('events', away);
  slow.set('events', opened);
  const late = failure(availability.probe('events'));
  slow.clear();
  wrong.clear();
  await availability.probe('events');
  open();
  await late;
  await end();
  assert.equal([told(), availability.unavailable()], [[], []]);
});

test('a look throws first what waiting does not mend', async () => {
  const { availability, wrong, end } = watched();
  wrong.set('events', away);
  wrong.set('documents', new StoreMisconfigured('wrong password'));
  assert.is((await failure(availability.probeAll())).message, 'wrong password');
  assert.equal([...availability.unavailable()].sort(), ['documents', 'events']);
  wrong.delete('documents');
  assert.is((await failure(availability.probeAll())).message, 'nobody listens');
  assert.equal(availability.unavailable(), ['events']);
  await end();
});
