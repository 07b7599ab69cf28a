import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as assert from 'uvu/assert';
import { createHeadSniffer, type HeadSniffer } from '../../processing/engine/headSniffer.ts';
import { eventually, suite } from '../harness.ts';
import { SAMPLES } from './files.ts';

const test = suite('processing/engine/headSniffer');
const over = new AbortController();
test.after(() => over.abort());

const undeclared = (sniff: HeadSniffer) => (bytes: Uint8Array) => sniff({ bytes, declared: null });

test('of many files at once each gets its own type', async () => {
  const sniff = createHeadSniffer(over.signal);
  const picture = (await readFile(join(SAMPLES, 'receipt.jpg'))).subarray(0, 65_536);
  const types = await Promise.all(
    [picture, Buffer.from('{"a":1}'), Buffer.from('hello'), Buffer.from([0, 1, 2, 3])].map(undeclared(sniff)),
  );
  assert.equal(types, ['image/jpeg', 'application/json', 'text/plain', 'application/octet-stream']);
});

test('a PDF may start behind a few bytes that are no markup', async () => {
  const sniff = createHeadSniffer(over.signal);
  const pdf = (await readFile(join(SAMPLES, 'receipt.pdf'))).subarray(0, 65_536);
  const types = await Promise.all(
    ['\r\n', '\x1b%-12345X@PJL\r\n', '<html>'].map((before) =>
      sniff({ bytes: Buffer.concat([Buffer.from(before), pdf]), declared: 'application/pdf' }),
    ),
  );
  assert.equal([types[0], types[1]], ['application/pdf', 'application/pdf']);
  assert.is.not(types[2], 'application/pdf');
});

for (const [what, code] of [
  ['never ends', 'for (;;);'],
  ['throws', 'throw new Error("a bad file")'],
  ['takes too much memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(1));'],
] as const)
  test(`a file on which it ${what} has no type, and the next one is sniffed by a new thread`, async () => {
    let started = 0;
    const start = (): Worker => {
      started += 1;
      const answer = started === 1 ? code : 'require("worker_threads").parentPort.postMessage("image/png")';
      const source = `require("worker_threads").parentPort.on("message", () => { ${answer} })`;
      return new Worker(source, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
    };
    const sniff = createHeadSniffer(over.signal, { limitMs: 2_000, start });
    const types = await Promise.all([
      undeclared(sniff)(Buffer.from('bad')),
      undeclared(sniff)(Buffer.from('good')),
    ]);
    assert.is(types[0], null);
    // On a busy machine a good one may be late as well: then it is sniffed again.
    await eventually('the next one has its type', async () =>
      [types[1], await undeclared(sniff)(Buffer.from('good'))].includes('image/png'),
    );
  });

test('once it is closed it throws the signal’s reason', async () => {
  const closing = new AbortController();
  const sniff = createHeadSniffer(closing.signal);
  closing.abort(new Error('closing'));
  await undeclared(sniff)(Buffer.from('x')).then(
    () => assert.unreachable(),
    (error) => assert.match(String(error), /closing/),
  );
});
