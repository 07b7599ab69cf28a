import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { startChild } from '../../processing/engine/childProcess.ts';
import { LIMITS } from '../../processing/engine/messages.ts';
import { createProcessor, type Processor } from '../../processing/engine/processor.ts';
import { TransientFailure } from '../../processing/errors.ts';
import type { InputFile, Outcome } from '../../processing/types.ts';
import { outputField } from '../controls/workflow.ts';
import { eventually, suite } from '../harness.ts';
import { isRunning } from '../support/process.ts';
import { fileFolder, pdfWith, SAMPLES, sharedProcessor, versionOf } from './files.ts';

const test = suite('processing/hostile');
const processor = sharedProcessor();
let files: Awaited<ReturnType<typeof fileFolder>>;
let picture: Buffer;
test.before(async () => {
  files = await fileFolder();
  picture = await readFile(join(SAMPLES, 'receipt.jpg'));
});
test.after(() => files.remove());

const run = (file: InputFile, by: Processor = processor): Promise<Outcome> =>
  by.process(versionOf(), [file], new AbortController().signal);

const good = () => files.file('Total 3.50', 'text/plain');

/** A file ends in failed (or what is named) with a reason that names it and says this. */
const ends = (
  title: string,
  bytes: () => Buffer | string,
  type: string | null,
  says: RegExp,
  kind: Outcome['kind'] = 'failed',
): void =>
  test(
    `${title}: ${kind}`,
    async () => {
      const outcome = await run(await files.file(bytes(), type));
      assert.is(outcome.kind, kind);
      if (outcome.kind === 'extracted') return;
      assert.match(outcome.reason, says);
      assert.match(outcome.reason, /"front"/);
    },
    { timeoutMs: 60_000 },
  );

/** A PNG that says it has so many pixels a side, and holds none. */
const png = (side: number): Buffer => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(side, 255)]);
  const rows = deflateSync(side < 2_000 ? Buffer.concat(Array(side).fill(row)) : row);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const encrypted = (): Buffer =>
  Buffer.from(
    pdfWith(Buffer.from('BT ET'))
      .toString('latin1')
      .replace(
        '/Root 1 0 R',
        `/Root 1 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`,
      ),
    'latin1',
  );

ends('an empty file', () => '', 'text/plain', /is empty/);
ends('text that is no text', () => randomBytes(500), 'text/plain', /no text/);
ends('text in Latin-1', () => Buffer.from('Caf\xe9 12.50', 'latin1'), 'text/plain', /UTF-8/);
ends('text in UTF-16', () => Buffer.from('\ufeffTotal 12.50', 'utf16le'), 'text/plain', /UTF-8/);
ends('text of blanks', () => ' \n\t\n', 'text/plain', /holds no text/);
ends('too much text', () => 'word '.repeat(110_000), 'text/plain', /more than 500000 characters/);
ends('malformed JSON', () => '{"total": }', 'application/json', /no well-formed JSON/);
ends('too deep JSON', () => '['.repeat(200_000), 'application/json', /no well-formed JSON/);
ends(
  'JSON of too many values',
  () => JSON.stringify(Array(20_000).fill(1)),
  'application/json',
  /10000 values/,
);
ends(
  'a PDF that says it is a picture',
  () => pdfWith(Buffer.from('BT ET')),
  'image/png',
  /its content is application\/pdf/,
);
ends(
  'a PDF that says it is a text',
  () => pdfWith(Buffer.from('BT ET')),
  'text/plain',
  /its content is application\/pdf/,
);
ends(
  'a format that is not accepted',
  () => 'GIF89a\x01\x00\x01\x00',
  null,
  /is image\/gif, which this workflow does not accept/,
);
ends('a corrupt PDF', () => `%PDF-1.4\n${'x'.repeat(2_000)}`, 'application/pdf', /damaged/);
ends('a PDF cut off', () => pdfWith(Buffer.from('BT ET')).subarray(0, 200), 'application/pdf', /damaged/);
ends('a PDF with a password', encrypted, 'application/pdf', /password/);
ends(
  'a PDF without text and pictures',
  () => pdfWith(Buffer.from('0 0 m')),
  'application/pdf',
  /neither text nor/,
);
ends(
  'a truncated picture',
  () => picture.subarray(0, picture.length / 2),
  'image/jpeg',
  /damaged or cut off/,
);
ends('a bomb of pixels', () => png(60_000), 'image/png', /million pixels/);
ends('a tiny picture', () => png(8), 'image/png', /8 x 8 pixels/, 'capture_quality_blocked');
ends('a blank picture', () => png(300), 'image/png', /no text that can be read/, 'capture_quality_blocked');

/** So many megabytes of spaces, deflated: one of them is, and stands there again and again. */
const blanks = (megabytes: number): Buffer => {
  const one = deflateRawSync(Buffer.alloc(1_024 * 1_024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const header = Buffer.from([0x78, 0x01]);
  return Buffer.concat([header, ...Array<Buffer>(megabytes).fill(one), deflateRawSync(Buffer.alloc(0))]);
};

test(
  'a PDF that inflates without bound ends at the limit of memory, and the next file is read',
  async () => {
    const memoryBytes = 180 * 1_024 * 1_024;
    const small = createProcessor({ concurrency: 1, memoryBytes });
    try {
      const content = pdfWith(blanks(200), '/Filter /FlateDecode');
      const outcome = await run(await files.file(content, 'application/pdf'), small);
      assert.is(outcome.kind, 'failed');
      if (outcome.kind === 'failed') assert.match(outcome.reason, /"front" took more memory/);
      assert.is((await run(await good(), small)).kind, 'extracted');
    } finally {
      await small.close();
    }
  },
  { timeoutMs: 60_000 },
);

test(
  'a file that takes too long ends at the limit of time, and the next file is read',
  async () => {
    const quick = createProcessor({ concurrency: 1, stepCpuMs: 400 });
    try {
      const outcome = await run(await files.file(picture, 'image/jpeg'), quick);
      assert.is(outcome.kind, 'failed');
      if (outcome.kind === 'failed') assert.match(outcome.reason, /"front" took too long/);
      assert.is((await run(await good(), quick)).kind, 'extracted');
    } finally {
      await quick.close();
    }
  },
  { timeoutMs: 60_000 },
);

test('a pattern that runs for ever leaves the value invalid', async () => {
  const field = outputField('code', { validation: { pattern: '^(a|aa)+$' } });
  const file = await files.file(`Code: ${'a'.repeat(200)}!`, 'text/plain');
  const outcome = await processor.process(versionOf([field]), [file], new AbortController().signal);
  assert.equal(outcome.kind === 'extracted' && outcome.findings, [{ code: 'invalid_field', field: 'code' }]);
});

test('a file that is gone is a passing failure', async () => {
  const file = { ...(await good()), content: '/nowhere/at/all' };
  await run(file).then(
    () => assert.unreachable(),
    (error) => assert.instance(error, TransientFailure),
  );
  assert.is((await run(await good())).kind, 'extracted');
});

test(
  'an abort ends the work under way and that which waits, and the next file is read',
  async () => {
    const own = createProcessor({ concurrency: 1 });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const file = await files.file(picture, 'image/jpeg');
    const rejected = async (work: Promise<Outcome>): Promise<unknown> =>
      work.then(
        () => 'an outcome',
        (error) => error,
      );
    const first = rejected(own.process(versionOf(), [file], running.signal));
    const second = rejected(own.process(versionOf(), [file], waiting.signal));
    const third = run(await good(), own);
    waiting.abort(new Error('not wanted'));
    assert.match(String(await second), /not wanted/);
    running.abort(new Error('lease lost'));
    assert.match(String(await first), /lease lost/);
    assert.is((await third).kind, 'extracted');
    await own.close();
  },
  { timeoutMs: 60_000 },
);

test('a child that is killed from outside is a passing failure', async () => {
  const child = startChild(LIMITS);
  const file = await files.file(picture, 'image/jpeg');
  const job = child.run({ task: 'read', version: versionOf(), files: [file] }, new AbortController().signal);
  process.kill(child.pid ?? 0, 'SIGKILL');
  await job.then(
    () => assert.unreachable(),
    (error) => assert.instance(error, TransientFailure),
  );
  assert.is(child.alive(), false);
});

test('closing ends what is under way, and every child', async () => {
  const other = createProcessor({ concurrency: 2 });
  const work = run(await files.file(picture, 'image/jpeg'), other);
  const ended = work.then(
    () => 'an outcome',
    (error) => error,
  );
  await other.close();
  assert.instance(await ended, TransientFailure);
  await run(await good(), other).then(
    () => assert.unreachable(),
    (error) => assert.instance(error, TransientFailure),
  );
});

test('a stopped child has ended', async () => {
  const child = startChild(LIMITS);
  await child.stop();
  await eventually('the child has ended', () => !isRunning(child.pid ?? 0));
});
