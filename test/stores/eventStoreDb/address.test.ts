import * as assert from 'uvu/assert';
import { addressOf, targetOf } from '../../../stores/events/eventstoredb/address.ts';
import { origin, parsePosition, positionOf } from '../../../stores/events/eventstoredb/positions.ts';
import { suite } from '../../harness.ts';

const test = suite('EventStoreDB driver: connection strings and positions');

const wellFormed: readonly (readonly [text: string, expected: object])[] = [
  ['esdb://localhost', { seeds: [{ host: 'localhost', port: 2113 }], cluster: false, user: null }],
  ['esdb://localhost:2114/?tls=false', { seeds: [{ host: 'localhost', port: 2114 }], tls: null }],
  [
    'esdb+discover://cluster.example.com',
    { seeds: [{ host: 'cluster.example.com', port: 2113 }], cluster: true },
  ],
  [
    'esdb+discover://a:1111,b,[::1]:3333',
    {
      seeds: [
        { host: 'a', port: 1111 },
        { host: 'b', port: 2113 },
        { host: '[::1]', port: 3333 },
      ],
      cluster: true,
    },
  ],
  ['esdb://a,b', { cluster: true }],
  ['kurrentdb://a', { seeds: [{ host: 'a', port: 2113 }], cluster: false }],
  ['kurrent://u:p@a', { user: { name: 'u', password: 'p' }, cluster: false }],
  ['kurrentdb+discover://a', { cluster: true }],
  ['kurrent+discover://a', { cluster: true }],
  ['esdb://admin:p%40ss%3Aw%2F@a', { user: { name: 'admin', password: 'p@ss:w/' } }],
  ['esdb://admin:with:colon@a', { user: { name: 'admin', password: 'with:colon' } }],
  ['esdb://a?gossipTimeout=2&keep-alive-interval=30000', { gossipMs: 2_000, keepAliveMs: 30_000 }],
  ['esdb://a?nodePreference=Leader&connectionName=one%20node', { connectionName: 'one node' }],
  [
    'esdb://a?defaultDeadline=5&throwOnAppendFailure=false&maxDiscoverAttempts=3&discoveryInterval=1',
    { cluster: false },
  ],
];
for (const [text, expected] of wellFormed)
  test(`${text} is understood`, () => {
    const address: Readonly<Record<string, unknown>> = addressOf(text);
    for (const [name, value] of Object.entries(expected)) assert.equal(address[name], value, name);
  });

const malformed: readonly (readonly [text: string, says: RegExp])[] = [
  ['http://admin:geheim@a', /must be kurrentdb:\/\//],
  ['kurrentdbs://admin:geheim@a', /must be kurrentdb:\/\//],
  ['esdb://admin:geheim@', /must be kurrentdb:\/\//],
  ['esdb://admin:1?geheim@a', /must be kurrentdb:\/\/.*percent-encoded/],
  ['esdb://admin:1/geheim@a', /must be kurrentdb:\/\/.*percent-encoded/],
  ['esdb://geheim@a', /user:password/],
  ['esdb://admin:%geheim@a', /percent-encoded/],
  ['esdb://admin:geheim@a:0', /host:port/],
  ['esdb://admin:geheim@a:70000', /host:port/],
  ['esdb://admin:geheim@a,,b', /host:port/],
  ['esdb://admin:geheim@a?tls=maybe', /true or false for tls/],
  ['esdb://admin:geheim@a?keepAliveInterval=-1', /whole number for keepAliveInterval/],
  ['esdb://admin:geheim@a?nodePreference=follower', /must be leader/],
  ['esdb://admin:geheim@a?tslCAFile=x', /not known: tslCAFile/],
  ['esdb://admin:geheim@a?tlsCAFile=/none/ca.pem', /can't be read for tlsCAFile: ENOENT/],
  ['esdb://admin:geheim@a?tlsCAFile=package.json', /tlsCAFile.* no such PEM/],
  ['esdb://admin:geheim@a?userCertFile=package.json&userKeyFile=package.json', /userKeyFile.* no such PEM/],
  ['esdb://admin:geheim@a?connectionName=a%0Ab', /ASCII characters for connectionName/],
  ['esdb://admin:geheim@a?userCertFile=package.json', /userCertFile and userKeyFile together/],
];
for (const [text, says] of malformed)
  test(`${text} is refused without repeating the password`, () => {
    try {
      addressOf(text);
    } catch (error) {
      const { name, message } = error as Error;
      assert.is(name, 'StoreMisconfigured');
      assert.match(message, says);
      assert.not.match(message, /geheim/);
      return;
    }
    assert.unreachable('it was taken');
  });

test('an IPv6 address is put in brackets where gossip names it bare', () => {
  const hosts = ['::1', '[::1]', 'a.example.com', '10.0.0.1'];
  assert.equal(
    hosts.map((host) => targetOf({ host, port: 1 })),
    ['[::1]:1', '[::1]:1', 'a.example.com:1', '10.0.0.1:1'],
  );
});

test('every fault is named at once', () => {
  assert.throws(() => addressOf('esdb://a:0?tls=x&unknown=1'), /host:port.*tls.*unknown/);
});

test('positions are ordered as the log is, by commit and then by prepare, and can be parsed', () => {
  const places = [
    ['0', '5'],
    ['9', '10'],
    ['10', '9'],
    ['10', '10'],
    ['999999999999', '1'],
    ['9223372036854775807', '9223372036854775807'],
  ].map(([commit = '', prepare = '']) => ({ commit, prepare }));
  const positions = places.map(positionOf);
  assert.equal([...positions].sort(), positions);
  assert.equal(new Set([origin, ...positions].map((position) => position.length)), new Set([39]));
  assert.equal(positions.map(parsePosition), places);
  assert.ok(positions.every((position) => position > origin));
});
