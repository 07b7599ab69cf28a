import { createSocket, type Socket } from 'node:dgram';
import * as assert from 'uvu/assert';
import { machineLookup, mappedLookup, nameServerLookup } from '../../outbound/lookup.ts';
import { suite, tookAtMost } from '../harness.ts';

const test = suite('name look-up');

/**
 * What the name server of these tests says: records by name and type (A 1, AAAA 28); null is silence, none is
 * NXDOMAIN.
 */
const zone: Record<string, Record<number, readonly number[][] | null>> = {
  'both.example': {
    1: [
      [203, 0, 113, 1],
      [203, 0, 113, 2],
    ],
    28: [[0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 1]],
  },
  'four.example': { 1: [[203, 0, 113, 1]], 28: [] },
  'six.example': { 1: [], 28: [[0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 1]] },
  'half-silent.example': { 1: [[203, 0, 113, 1]], 28: null },
  'silent.example': { 1: null, 28: null },
  'empty.example': { 1: [], 28: [] },
};

const answerTo = (query: Buffer): Buffer | null => {
  const end = query.indexOf(0, 12) + 5;
  const question = query.subarray(12, end);
  const labels: string[] = [];
  for (let at = 0; question[at]; at += (question[at] ?? 0) + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
  const type = question.readUInt16BE(question.length - 4);
  const records = zone[labels.join('.').toLowerCase()]?.[type];
  if (records === null) return null;
  const code = records === undefined ? 3 : 0;
  const header = Buffer.from([
    ...query.subarray(0, 2),
    0x81,
    0x80 | code,
    0,
    1,
    0,
    records?.length ?? 0,
    0,
    0,
    0,
    0,
  ]);
  const lines = (records ?? []).map((data) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]),
  );
  return Buffer.concat([header, question, ...lines]);
};

let server: Socket;
let lookup = machineLookup;

test.before(async () => {
  server = createSocket('udp4', (query, from) => {
    const answer = answerTo(query);
    if (answer) server.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  lookup = nameServerLookup([`127.0.0.1:${server.address().port}`]);
});
test.after(() => {
  server.close();
});

test('gives the addresses of both families', async () =>
  assert.equal(await lookup('both.example'), ['203.0.113.1', '203.0.113.2', '2001:db8::1']));

test('one family is enough', async () => {
  assert.equal(await lookup('four.example'), ['203.0.113.1']);
  assert.equal(await lookup('six.example'), ['2001:db8::1']);
});

test('an unknown name, and one without addresses, throw', async () => {
  for (const name of ['unknown.example', 'empty.example'])
    assert.instance(
      await lookup(name).then(
        () => null,
        (error) => error,
      ),
      Error,
      name,
    );
});

test('silence for one family does not keep the other from being used', async () => {
  const started = performance.now();
  assert.equal(await lookup('half-silent.example'), ['203.0.113.1']);
  // Of the ten seconds that an attempt has.
  tookAtMost(8_000, performance.now() - started);
});

test('a silent name server delays no other look-up, however many wait for it', async () => {
  let ended = 0;
  const silent = Array.from({ length: 50 }, async () => {
    const error = await lookup('silent.example').then(
      () => null,
      (reason) => reason,
    );
    ended += 1;
    return error;
  });
  assert.equal(await lookup('four.example'), ['203.0.113.1']);
  assert.is(ended, 0);
  for (const error of await Promise.all(silent)) assert.instance(error, Error);
});

test('the machine’s resolver finds localhost', async () =>
  assert.ok((await machineLookup('localhost')).length > 0));

test('a map goes first', async () => {
  const mapped = mappedLookup(new Map([['mapped.example', ['203.0.113.9']]]), lookup);
  assert.equal(await mapped('mapped.example'), ['203.0.113.9']);
  assert.equal(await mapped('mapped.example.'), ['203.0.113.9']);
  assert.equal(await mapped('four.example'), ['203.0.113.1']);
});
