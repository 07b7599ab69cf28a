import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { LIMITS } from '../../processing/engine/messages.ts';
import type { InputFile, Outcome } from '../../processing/types.ts';
import { long, rounds, suite } from '../harness.ts';
import { fileFolder, pdfWith, SAMPLES, versionOf } from './files.ts';
import { directories, film, nestedForms, noise, zipOf } from './hostileFiles.ts';
import { tellsUsage, type Usage, watchedProcessor } from './usage.ts';

/**
 * What hostile files cost: 15 s and 600 MB at most on a quiet machine. Judged by processor time, which a busy
 * machine does not lengthen much, and with room for what a child takes to start and a killed one between two
 * looks of its watchdog.
 */
const test = suite('what hostile files cost');
const MOST_MEMORY = 600 * 1_000 * 1_000;
/** What start, end and another machine's pace may add to a limit on processor time. */
const SLACK = 1.25;
const MOST_CPU_MS = LIMITS.otherCpuMs * SLACK;

let files: Awaited<ReturnType<typeof fileFolder>>;
let receipt: Buffer;
/** A child has a low priority: on a busy machine it may be silent for long. */
const PATIENT = { silenceMs: 600_000 };
const shared = watchedProcessor(PATIENT);
test.before(async () => {
  files = await fileFolder();
  receipt = await readFile(join(SAMPLES, 'receipt.jpg'));
  assert.is((await run(await files.file('Total 3.50', 'text/plain'), shared)).kind, 'extracted');
});
test.after(async () => {
  await shared.close();
  await files.remove();
});

const version = {
  ...versionOf(),
  acceptedFormats: [...versionOf().acceptedFormats, 'image/tiff', 'image/webp'],
};
const run = (file: InputFile, by: ReturnType<typeof watchedProcessor>): Promise<Outcome> =>
  by.process(version, [file], new AbortController().signal);

type Given = Readonly<{ bytes: () => Buffer | Promise<Buffer>; type: string; says: RegExp; cpuMs?: number }>;

/**
 * A file ends in failed or capture_quality_blocked, by this reason, at a bounded cost, also where the child
 * has read others before.
 */
const costs = (title: string, { bytes, type, says, cpuMs = MOST_CPU_MS }: Given): void => {
  if (!tellsUsage) {
    test.skip(title, 'this machine does not tell what processes take');
    return;
  }
  test(
    title,
    async () => {
      const file = await files.file(await bytes(), type);
      const before = shared.usage();
      const outcome = await run(file, shared);
      if (outcome.kind === 'extracted') throw new Error('it was read');
      assert.match(outcome.reason, says);
      bounded(shared.usage(), before, cpuMs);
    },
    { timeoutMs: 700_000 },
  );
};

const bounded = ({ cpuMs, memoryBytes }: Usage, before: Usage, most: number): void => {
  const taken = cpuMs - before.cpuMs;
  assert.ok(cpuMs > 0 && taken <= most, `${taken} ms of processor time`);
  assert.ok(memoryBytes > 0 && memoryBytes <= MOST_MEMORY, `${memoryBytes} bytes`);
};

/** A page of 49 lines of some 95 letters, the last of which is its total. */
const densePage = (): Promise<Buffer> => {
  const words =
    'the goods that were delivered in March remain the property of the seller until they are paid in full';
  const lines = Array.from({ length: 48 }, (_, n) => `${n + 11} ${words.slice((7 * n) % 9)}`.slice(0, 95));
  const texts = [...lines, 'Total 80.90'].map((line, n) => `<text x="90" y="${130 + 42 * n}">${line}</text>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1700" height="2200"><rect width="1700" height="2200" fill="#fff"/><g font-family="DejaVu Sans, sans-serif" font-size="27">${texts.join('')}</g></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
};

/** What is read of a file in a child of its own, and what that takes. */
const costOf = async (file: InputFile, limits: Partial<typeof LIMITS>) => {
  const watched = watchedProcessor({ ...PATIENT, ...limits });
  try {
    const outcome = await run(file, watched);
    if (outcome.kind !== 'extracted') throw new Error(outcome.reason);
    return { total: outcome.extractedData.total, usage: watched.usage() };
  } finally {
    await watched.close();
  }
};

costs('a large picture of noise', {
  bytes: () => noise(rounds(1_200, 2_400), rounds(1_700, 3_400)),
  type: 'image/jpeg',
  says: /no text that can be read/,
  cpuMs: rounds(5_000, 9_000),
});
costs('a TIFF of many directories', {
  bytes: () => directories(rounds(2_000, 20_000)),
  type: 'image/tiff',
  says: /has [0-9]+ pages, at most 30 are read/,
  cpuMs: 3_000,
});
costs('a TIFF whose last directory is followed by its first', {
  bytes: () => directories(3, true),
  type: 'image/tiff',
  says: /pixels|damaged/,
  cpuMs: 3_000,
});
costs('a film of more pictures than are read', {
  bytes: () => film(31),
  type: 'image/webp',
  says: /has 31 pages, at most 30 are read/,
  cpuMs: 3_000,
});
costs('a zip archive that is called a picture', {
  bytes: () => zipOf('x'.repeat(1_000)),
  type: 'image/jpeg',
  says: /its content is application\/zip/,
  cpuMs: 3_000,
});
costs('a picture that is a zip archive too', {
  bytes: async () => Buffer.concat([receipt, await zipOf('x')]),
  type: 'image/jpeg',
  says: /is image\/jpeg and application\/zip in one file/,
  cpuMs: 3_000,
});

/** These take long. */
if (long) {
  costs('a PDF of forms in forms', {
    bytes: () => nestedForms(8),
    type: 'application/pdf',
    says: /took too long/,
  });
  costs('a PDF that inflates without bound', {
    bytes: () => pdfWith(deflateSync(Buffer.alloc(900_000_000, ' '), { level: 1 }), '/Filter /FlateDecode'),
    type: 'application/pdf',
    says: /took more memory/,
  });
  costs('a picture of as many pixels as are opened', {
    bytes: () =>
      sharp({ create: { width: 8_900, height: 8_900, channels: 3, background: '#ddd' } })
        .jpeg({ progressive: true, quality: 30 })
        .toBuffer(),
    type: 'image/jpeg',
    says: /took more memory|no text that can be read/,
  });

  test(
    'a page of dense print has its whole time while its lines are read, and stays within the memory',
    async () => {
      const page = await files.file(await densePage(), 'image/png');
      const once = await costOf(page, {});
      assert.is(once.total, 80.9);
      const { cpuMs, memoryBytes } = once.usage;
      assert.ok(memoryBytes <= LIMITS.memoryBytes, `${memoryBytes} bytes`);
      // It takes longer than a page without text may, and less than one with text.
      assert.is((await costOf(page, { stepCpuMs: cpuMs * 0.7 })).total, 80.9);
    },
    { timeoutMs: 700_000 },
  );

  test(
    'a long document may take more than a hostile one',
    async () => {
      const watched = watchedProcessor({ ...PATIENT, otherCpuMs: 5_000 });
      try {
        const book = await sharp(Array(6).fill(receipt), { join: { animated: true } })
          .tiff()
          .toBuffer();
        const outcome = await run(await files.file(book, 'image/tiff'), watched);
        assert.is(outcome.kind === 'extracted' && outcome.result.pages, 6);
      } finally {
        await watched.close();
      }
    },
    { timeoutMs: 700_000 },
  );
}

test(
  'what takes too long is not begun anew in another child',
  async () => {
    const watched = watchedProcessor({ ...PATIENT, stepCpuMs: 400 });
    try {
      assert.is((await run(await files.file('Total 3.50', 'text/plain'), watched)).kind, 'extracted');
      const outcome = await run(await files.file(receipt, 'image/jpeg'), watched);
      assert.match(outcome.kind === 'failed' ? outcome.reason : '', /"front" took too long/);
      assert.is(watched.usage().children, 1);
    } finally {
      await watched.close();
    }
  },
  { timeoutMs: 60_000 },
);
