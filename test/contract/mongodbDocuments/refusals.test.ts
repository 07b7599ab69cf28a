import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import * as assert from 'uvu/assert';
import { StoreMisconfigured, StoreUnavailable } from '../../../kernel/errors.ts';
import { certificateFor } from '../../../scripts/certificate.ts';
import { mongoDocumentStore } from '../../../stores/documents/mongodb.ts';
import { suite, tookAtMost } from '../../harness.ts';
import { freePort } from '../../support/freePort.ts';
import { failure, position } from '../documents/stage.ts';
import { primary, type Respond, standIn } from './standIn.ts';

const test = suite('documents in MongoDB: what a server refuses');

const SECRET = 'pa55-secret-w0rd';

const error = (code: number, errmsg: string) => ({ ok: 0, code, errmsg, codeName: 'Refused' });

const HELLO = new Set(['hello', 'ismaster', 'isMaster']);

/** A primary that answers some commands in a way of its own, and whatever else with success. */
const but =
  (own: Readonly<Record<string, ReturnType<Respond>>>) =>
  (address: string): Respond =>
  (command) =>
    command in own ? (own[command] ?? null) : HELLO.has(command) ? primary(address) : { ok: 1, n: 0 };

/** What an operation on such a server fails with, and after how many milliseconds. */
const outcome = async (
  respond: (address: string) => Respond,
  login = '',
): Promise<readonly [Error, number]> => {
  const server = await standIn(respond);
  const store = mongoDocumentStore({ url: `mongodb://${login}${server.address}/intake` });
  try {
    const start = performance.now();
    const thrown = await failure(store.tables.insert('rows', 'k', {}));
    return [thrown, performance.now() - start];
  } finally {
    await store.close();
    await server.close();
  }
};

const CASES: Readonly<
  Record<string, readonly [own: Readonly<Record<string, ReturnType<Respond>>>, message: RegExp]>
> = {
  'a wrong password': [
    { saslStart: error(18, 'Authentication failed.') },
    /refuses the service: Authentication failed/,
  ],
  'a missing right': [
    { createIndexes: error(13, 'not authorized on intake to execute command') },
    /not authorized on intake/,
  ],
  'a server that is no replica set': [
    {
      hello: { ...primary(''), setName: undefined, hosts: undefined },
      ismaster: { ...primary(''), setName: undefined, hosts: undefined },
      buildInfo: { version: '7.0.5', ok: 1 },
    },
    /version 7\.0\.5\) is no replica set: start it with --replSet/,
  ],
  'a server that is too old': [
    { hello: { ...primary(''), maxWireVersion: 6 }, ismaster: { ...primary(''), maxWireVersion: 6 } },
    /requires at least|maximum wire version/,
  ],
};

for (const [what, [own, message]] of Object.entries(CASES))
  test(`reports ${what} at once, without a secret`, async () => {
    const login = what === 'a wrong password' ? `user:${SECRET}@` : '';
    const [thrown, ms] = await outcome(but(own), login);
    assert.instance(thrown, StoreMisconfigured, thrown.stack);
    assert.match(thrown.message, message);
    assert.match(thrown.message, /^MongoDB at 127\.0\.0\.1:\d+ /);
    assert.not.match(`${thrown.stack} ${String(thrown.cause)}`, SECRET);
    tookAtMost(4_000, ms);
  });

for (const [what, answer] of Object.entries({
  'a server that is no longer the primary': error(10_107, 'not primary'),
  'a full disk': error(14_031, 'No space left on device'),
  'writes that are blocked': error(371, 'User writes blocked'),
  'a majority that is away': {
    ok: 1,
    n: 1,
    writeConcernError: error(64, 'waiting for replication timed out'),
  },
  'a fault inside the server': error(1, 'database is locked'),
  'a search whose index is dropped': error(175, 'index was dropped'),
}))
  test(`treats ${what} as temporary`, async () => {
    const [thrown, ms] = await outcome(but({ insert: answer }));
    assert.instance(thrown, StoreUnavailable, thrown.stack);
    tookAtMost(4_000, ms);
  });

test('fails within seconds when a server is silent or absent', async () => {
  const [silent, silentMs] = await outcome(but({ insert: null }));
  assert.instance(silent, StoreUnavailable);
  assert.match(silent.message, 'no answer within 3000 ms');
  tookAtMost(4_000, silentMs);
  const store = mongoDocumentStore({ url: `mongodb://user:${SECRET}@127.0.0.1:${await freePort()}` });
  const start = performance.now();
  const attempts = [
    store.models.get('x', 'x'),
    store.models.commit([], { x: position(1) }, { lease: 'x', owner: 'x', token: 1 }),
    store.tables.read('t', 'k'),
  ];
  for (const thrown of await Promise.all(attempts.map(failure))) {
    assert.instance(thrown, StoreUnavailable);
    assert.not.match(`${thrown.stack} ${String(thrown.cause)}`, SECRET);
  }
  tookAtMost(4_000, performance.now() - start);
  await store.close();
  assert.instance(await failure(store.tables.read('t', 'k')), StoreUnavailable);
});

test('is of no use once it is closed, and connects no more', async () => {
  const server = await standIn(but({ hello: null }));
  const other = await standIn(but({}));
  for (const { address } of [server, other]) {
    const store = mongoDocumentStore({ url: `mongodb://${address}/intake` });
    const under = failure(store.tables.read('t', 'k'));
    await store.close();
    assert.instance(await under, StoreUnavailable);
    const { name, message } = await failure(store.tables.read('t', 'k'));
    assert.equal([name, /has been closed/.test(message)], ['StoreUnavailable', true]);
  }
  await Promise.all([server.close(), other.close()]);
});

test('reports a connection string that it cannot read, without its secret', () => {
  for (const url of [
    `mongodb://user:${SECRET}@/intake`,
    `mongodb://user:${SECRET}@host:99999/`,
    `mongodb://user:${SECRET}@host/a.b`,
    `http://${SECRET}`,
  ])
    assert.throws(
      () => mongoDocumentStore({ url }),
      (thrown: Error) =>
        thrown instanceof StoreMisconfigured &&
        !thrown.message.includes(SECRET) &&
        /can't be read/.test(thrown.message),
    );
});

test('reports a connection that TLS forbids: waiting does not mend it', async () => {
  const { cert, key } = await certificateFor('localhost');
  const server = createServer({ cert, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const [options, says] of [
    ['tls=true', /No TLS connection to MongoDB at .*self-signed certificate/],
    ['tls=true&tlsCAFile=/none/ca.pem', /No TLS connection to MongoDB at .*ENOENT.*ca\.pem/],
    ['tls=true&tlsCertificateKeyFile=package.json', /No TLS connection to MongoDB at .*PEM/],
  ] as const) {
    const store = mongoDocumentStore({ url: `mongodb://user:${SECRET}@127.0.0.1:${port}/?${options}` });
    const thrown = await failure(store.tables.read('t', 'k'));
    assert.instance(thrown, StoreMisconfigured, thrown.stack);
    assert.match(thrown.message, says);
    assert.not.match(`${thrown.stack} ${String(thrown.cause)}`, SECRET);
    await store.close();
  }
  server.close();
});

test('a name that can not be resolved now may be resolved later', async () => {
  const store = mongoDocumentStore({ url: 'mongodb+srv://cluster.invalid/intake' });
  assert.instance(await failure(store.tables.read('t', 'k')), StoreUnavailable);
  await store.close();
});
