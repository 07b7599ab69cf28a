import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { certificateFor } from '../../../scripts/certificate.ts';
import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import type { EventStore } from '../../../stores/events/port.ts';
import { collect, failure, newCategory, numbered, untilLive } from '../../contract/events/controls.ts';
import { suite, tookAtMost } from '../../harness.ts';
import { type StandIn, startStandIn } from '../../standIn/standIn.ts';
import { freePort } from '../../support/freePort.ts';

const test = suite('EventStoreDB driver: what waiting does not mend [operations-4]');
const SECRET = 'p@ss:wörd/1';
let folder: string;
let ca: string;
let secure: StandIn;
let plain: StandIn;
test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'intake-esdb-'));
  const tls = await certificateFor('localhost');
  ca = join(folder, 'ca.pem');
  writeFileSync(ca, tls.cert);
  secure = await startStandIn({ tls, user: { name: 'intake', password: SECRET } });
  plain = await startStandIn();
});
test.after(async () => {
  await secure.stop();
  await plain.stop();
  rmSync(folder, { recursive: true });
});

const secureUrl = (password = SECRET, options = `tlsCAFile=${encodeURIComponent(ca)}`): string =>
  `esdb://intake:${encodeURIComponent(password)}@localhost:${secure.port}?${options}`;
/** What each kind of call fails with; none of it tells the password. */
const failures = async (connectionString: string): Promise<readonly Error[]> => {
  const store = eventStoreDb({ connectionString, answerMs: 500 });
  const calls: readonly ((store: EventStore) => Promise<unknown>)[] = [
    ({ append }) => append(`${newCategory()}1`, 'none', numbered(1)),
    ({ read }) => collect(read('a')),
    ({ head }) => head(),
    (each) => untilLive(each, null, { prefixes: ['a'] }),
  ];
  const errors = await Promise.all(calls.map((call) => failure(call(store))));
  await store.close();
  for (const { message } of errors)
    for (const secret of [SECRET, encodeURIComponent(SECRET), 'another'])
      assert.not.ok(message.includes(secret), message);
  return errors;
};
const misconfigured = async (connectionString: string, says: RegExp): Promise<void> => {
  for (const { name, message } of await failures(connectionString)) {
    assert.is(name, 'StoreMisconfigured', message);
    assert.match(message, says);
  }
};

test('over TLS, with a password of any characters', async () => {
  const store = eventStoreDb({ connectionString: secureUrl() });
  const stream = `${newCategory()}1`;
  await store.append(stream, 'none', numbered(2));
  assert.is((await collect(store.read(stream))).length, 2);
  await store.close();
});

test('a wrong password, and none at all', async () => {
  await misconfigured(secureUrl('another'), /refuses the user or the password/);
  const without = `esdb://localhost:${secure.port}?tlsCAFile=${encodeURIComponent(ca)}`;
  await misconfigured(without, /is given no user that could read \$all/);
});

test('a node that is not ready is no wrong password: gossip is read without one', async () => {
  secure.faults.leaderless = true;
  for (const scheme of ['esdb', 'esdb+discover'])
    for (const { name, message } of await failures(secureUrl('another').replace('esdb', scheme))) {
      assert.is(name, 'StoreUnavailable');
      assert.match(message, new RegExp(`localhost:${secure.port} (is not ready|has no leader)`));
    }
  secure.faults.leaderless = false;
  await misconfigured(
    secureUrl('another').replace('esdb', 'esdb+discover'),
    /refuses the user or the password/,
  );
});

test('TLS where none is spoken, and none where it is: both are said', async () => {
  await misconfigured(`esdb://localhost:${secure.port}?tls=false`, /localhost:\d+ uses TLS, .*tls=false/);
  await misconfigured(`esdb+discover://localhost:${secure.port}?tls=false`, /localhost:\d+ uses TLS/);
  await misconfigured(`esdb://localhost:${plain.port}`, /TLS/);
});

test('an IP address is no name of a server to TLS: Node has nothing to warn of', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warned);
  const connectionString = secureUrl(SECRET, 'tlsVerifyCert=false').replace('localhost', '127.0.0.1');
  const store = eventStoreDb({ connectionString });
  await store.head();
  await store.close();
  process.off('warning', warned);
  assert.equal(
    warnings.map(({ message }) => message),
    [],
  );
});

test('a password is not sent in clear', async () => {
  const store = eventStoreDb({ connectionString: plain.connectionString.replace('//', '//intake:secret@') });
  await store.head();
  assert.is(plain.tally.authorization, '');
  await store.close();
});

test('a certificate without an authority, one that is not checked, and no TLS where it is expected', async () => {
  await misconfigured(secureUrl(SECRET, 'tls=true'), /No TLS connection .*certificate/);
  const unchecked = eventStoreDb({ connectionString: secureUrl(SECRET, 'tlsVerifyCert=false') });
  await unchecked.head();
  await unchecked.close();
});

test('$all may not be read: calls that need it name the right, and the others work', async () => {
  plain.faults.refuses = '$all';
  const store = eventStoreDb({ connectionString: plain.connectionString });
  const stream = `${newCategory()}1`;
  await store.append(stream, 'none', numbered(1));
  assert.is((await collect(store.read(stream))).length, 1);
  for (const call of [() => store.head(), () => untilLive(store, null, { prefixes: ['a'] })]) {
    const { name, message } = await failure(call());
    assert.is(name, 'StoreMisconfigured');
    assert.match(message, /no user that could read \$all/);
  }
  await store.close();
  plain.faults.refuses = 'nothing';
});

test('streams may not be written', async () => {
  plain.faults.refuses = 'writing';
  const store = eventStoreDb({ connectionString: plain.connectionString });
  const { name, message } = await failure(store.append('submission-1', 'none', numbered(1)));
  assert.equal(
    [name, /no user that could write to the stream submission-1/.test(message)],
    ['StoreMisconfigured', true],
  );
  await store.close();
  plain.faults.refuses = 'nothing';
});

test('a request that the server can’t take is an error of its own: waiting would not mend it', async () => {
  plain.faults.refuses = 'positions';
  const store = eventStoreDb({ connectionString: plain.connectionString });
  const { name, message } = await failure(untilLive(store, null, { prefixes: ['a'] }));
  assert.equal([name, message], ['Error', 'the event store refuses a request: Invalid position']);
  await store.close();
  plain.faults.refuses = 'nothing';
});

test('a server that is too old, and those that are new enough', async () => {
  for (const version of ['22.10.5', '23.6.0', '5.0.11']) {
    plain.faults.version = version;
    await misconfigured(
      plain.connectionString,
      new RegExp(`of version ${version}: it must be 23.10 or newer`),
    );
  }
  for (const version of ['23.10.8', '24.2.0', '25.0.1.0']) {
    plain.faults.version = version;
    const store = eventStoreDb({ connectionString: plain.connectionString });
    await store.head();
    await store.close();
  }
});

test('a closed port, a silent server and one of another protocol are StoreUnavailable, soon', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await Promise.all([once(silent, 'listening'), once(other, 'listening')]);
  const ports = [
    await freePort(),
    ...[silent, other].map((server) => (server.address() as AddressInfo).port),
  ];
  const started = performance.now();
  for (const errors of await Promise.all(ports.map((port) => failures(`esdb://127.0.0.1:${port}?tls=false`))))
    for (const { name, message } of errors) {
      assert.is(name, 'StoreUnavailable', message);
      assert.match(message, /127\.0\.0\.1:\d+/, 'the node is named');
    }
  tookAtMost(8_000, performance.now() - started);
  silent.close();
  other.close();
});
