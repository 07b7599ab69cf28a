import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { ZipFile } from 'yazl';
import { sha256 } from '../../../evidence/digest.ts';
import { documentText, MANIFEST, type Manifest, SIGNATURE } from '../../../evidence/format.ts';
import { failure } from '../../controls/stores.ts';
import type { Files } from '../../evidence/changes.ts';
import { manifestOf, signedAnew } from '../../evidence/forge.ts';
import { exportStage, key, sourceOf } from '../../evidence/stage.ts';
import { suite } from '../../harness.ts';
import { ambiguousZips } from './ambiguousZips.ts';
import type { Verification } from './verification.ts';

/** What is found in packages that somebody made to harm who verifies them. */
export const hostilePackages = (by: Verification): void => {
  const test = suite(`evidence: packages of strangers, ${by.name} [audit-3]`);
  const folder = mkdtempSync(join(tmpdir(), 'intake-hostile-'));
  let whole: Files;
  test.before(async () => {
    const stage = await exportStage();
    await stage.exportTo('package');
    whole = stage.filesOf('package');
    await stage.remove();
  });
  test.after(() => rmSync(folder, { recursive: true }));

  /** What is found in a package, `file: detail`. */
  const findingsAt = async (path: string): Promise<readonly string[]> => {
    const source = await by.openZip(path);
    try {
      return told((await by.verify(source, key.publicKey)).findings);
    } finally {
      await source.close();
    }
  };
  const told = (findings: readonly Readonly<{ file: string; detail: string }>[]): readonly string[] =>
    findings.map(({ file, detail }) => `${file}: ${detail}`);
  const findingsIn = async (files: Files): Promise<readonly string[]> =>
    told((await by.verify(sourceOf(files), key.publicKey)).findings);

  let drawn = 0;
  const place = (): string => {
    drawn += 1;
    return join(folder, `package-${drawn}`);
  };
  type Added = Readonly<{ name: string; bytes: Buffer; mode?: number }>;
  /** A zip file of the package and more; `change` edits its bytes. */
  const asZip = async (
    more: readonly Added[] = [],
    change = (zip: Buffer): Buffer => zip,
    files = whole,
  ): Promise<string> => {
    const zip = new ZipFile();
    for (const [name, bytes] of files) zip.addBuffer(bytes, name);
    for (const { name, bytes, mode = 0o100600 } of more) zip.addBuffer(bytes, name, { mode });
    zip.end();
    const path = `${place()}.zip`;
    writeFileSync(path, change(await buffer(zip.outputStream)));
    return path;
  };

  /** Every place of a text in a zip's bytes, overwritten by one of the same length. */
  const overwritten = (from: string, to: string) => (zip: Buffer) =>
    Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');

  test('a zip file with names that lead outside, names that stand twice, links, and what is no zip file', async () => {
    const escaping = await asZip(
      [{ name: 'aa/escaped.txt', bytes: Buffer.from('x') }],
      overwritten('aa/escaped', '../escaped'),
    );
    assert.match((await failure(by.openZip(escaping))).message, /invalid relative path/);
    const absolute = await asZip(
      [{ name: 'aa/escaped.txt', bytes: Buffer.from('x') }],
      overwritten('aa/escaped', '//escaped '),
    );
    assert.match((await failure(by.openZip(absolute))).message, /absolute path/);
    const twice = await asZip(
      [{ name: 'zzzzz.json', bytes: Buffer.from('[]') }],
      overwritten('zzzzz.json', 'state.json'),
    );
    assert.equal(await findingsAt(twice), ['state.json: occurs twice in the zip file']);
    const link = await asZip([{ name: 'files/a.txt', bytes: Buffer.from('/etc/passwd'), mode: 0o120777 }]);
    assert.equal(await findingsAt(link), ['files/a.txt: is a link: a package has files only']);
    for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), Buffer.alloc(100_000, 7)]) {
      const path = `${place()}.zip`;
      writeFileSync(path, bytes);
      assert.is((await failure(by.openZip(path))).name, 'NoPackage');
    }
    assert.is(existsSync(join(dirname(folder), 'escaped.txt')), false);
  });

  test('names and checksums of a zip file that its directory tells otherwise are found', async () => {
    const renamed = await asZip([], (zip) => {
      const at = zip.indexOf('state.json');
      zip.write('other.json', at, 'latin1');
      return zip;
    });
    assert.equal(await findingsAt(renamed), [
      'state.json: has another name in front of its bytes in the zip file',
    ]);
    const miscounted = await asZip([], (zip) => {
      const at = zip.lastIndexOf('state.json') - 46;
      zip.writeUInt8(zip.readUInt8(at + 16) ^ 1, at + 16);
      return zip;
    });
    assert.equal(await findingsAt(miscounted), [
      'state.json: can’t be read: its bytes do not have the CRC-32 in the zip file',
    ]);
  });

  test('a zip file that tools could unpack to other files than are verified here is refused', async () => {
    for (const { make, says } of ambiguousZips) {
      const { name, message } = await failure(by.openZip(await asZip([], make)));
      assert.is(name, 'NoPackage', `${says}`);
      assert.match(message, says);
    }
  });

  test('a file that is packed in another way than the directory says is found', async () => {
    for (const offset of [6, 8]) {
      const changed = await asZip([], (zip) => {
        zip.writeUInt16LE(1, zip.indexOf('state.json') - 30 + offset);
        return zip;
      });
      assert.equal(await findingsAt(changed), [
        'state.json: is packed in another way than the directory of the zip file says',
      ]);
    }
  });

  test('what other tools pack again holds: as a stream, with a comment, and in the form of large files', async () => {
    for (const [comment, forceZip64Format] of [
      ['case 17', false],
      ['', true],
    ] as const) {
      const zip = new ZipFile();
      for (const [name, bytes] of whole)
        zip.addReadStream(Readable.from([bytes]), name, { forceZip64Format });
      zip.end({ comment, forceZip64Format });
      const path = `${place()}.zip`;
      writeFileSync(path, await buffer(zip.outputStream));
      assert.equal(await findingsAt(path), []);
    }
  });

  test('a folder that somebody packed with the folder around it holds; two packages in one do not', async () => {
    const packed = new Map([...whole].map(([name, bytes]) => [`evidence/${name}`, bytes]));
    assert.equal(await findingsAt(await asZip([], (zip) => zip, packed)), []);
    const [first] = await findingsAt(
      await asZip([{ name: 'other/manifest.json', bytes: Buffer.from('{}') }], (zip) => zip, packed),
    );
    assert.is(first, 'manifest.json: is missing');
  });

  /** Every mention of a size in a zip's directory, changed; `size` is one that no other entry has. */
  const resized = (size: number, to: number) => (zip: Buffer) => {
    for (let at = zip.indexOf('PK\u0001\u0002'); at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 4))
      if (zip.readUInt32LE(at + 24) === size) zip.writeUInt32LE(to, at + 24);
    return zip;
  };

  test('what would inflate to more than it declares, or than is sensible, is not inflated', async () => {
    const zeros = Buffer.alloc(3_000_000);
    const { length } = whole.get('README.txt') ?? zeros;
    const lying = await asZip([], resized(zeros.length, length), new Map([...whole, ['README.txt', zeros]]));
    assert.match((await findingsAt(lying)).join('\n'), /^README.txt: can’t be read: too many bytes/);
    const large = (given: Manifest): Manifest => ({
      ...given,
      files: given.files.map((file) => (file.path === 'README.txt' ? { ...file, size: 500_000_000 } : file)),
    });
    const forged = new Map([...whole, [MANIFEST, Buffer.from(documentText(large(manifestOf(whole))))]]);
    const bomb = await asZip([], resized(length, 500_000_000), forged);
    assert.match((await findingsAt(bomb)).join('\n'), /README.txt: is not read/);
    const overlapping = await asZip([], (zip) => {
      const at = zip.indexOf('PK\u0001\u0002');
      zip.writeUInt32LE(zip.length, at + 20);
      return zip;
    });
    assert.match((await failure(by.openZip(overlapping))).message, /overlap/);
  });

  const manifestWith = (text: string): Files => new Map([...whole, [MANIFEST, Buffer.from(text)]]);

  test('a manifest that is no manifest is a finding', async () => {
    const text = String(whole.get(MANIFEST));
    const cases: readonly (readonly [string, RegExp])[] = [
      ['', /not JSON/],
      ['[]', /must be an object/],
      ['['.repeat(1_000_000), /nested too deeply/],
      [`{"a":${'{"a":'.repeat(100_000)}`, /nested too deeply/],
      [text.replace('"revision": 0', '"revision": 1e999'), /revision must be an integer/],
      [text.replace('"revision": 0', '"revision": NaN'), /not JSON/],
      [text.replace('"revision": 0', '"revision": -1'), /revision must be at least 0/],
      [text.replace('events.jsonl', '../events.jsonl'), /path must match/],
      [text.replace('events.jsonl', 'a/../../b.jsonl'), /path must match/],
      [text.replace('"version": 2', '"version": 3'), /version must be/],
      [text.replace('"version": 2', '"version": 2, "version": 2'), /not written as it was exported/],
      [text.replace('{', '{"__proto__": {"files": []},'), /__proto__/],
    ];
    for (const [changed, says] of cases) {
      const findings = await findingsIn(manifestWith(changed));
      assert.match(findings.join('\n'), says);
      assert.match(findings[0] ?? '', /^manifest.json: manifest.sig does not sign it/);
    }
    assert.match(
      (await findingsIn(manifestWith(' '.repeat(17_000_000)))).join(),
      /manifest.json: is not read: it is large/,
    );
    const long = new Map([...whole, [SIGNATURE, Buffer.alloc(100_000, 65)]]);
    assert.match((await findingsIn(long)).join(), /manifest.sig: can’t be read: it is longer/);
  });

  /** A package of this key's holder, with another line of this revision. */
  const withLine = (revision: number, change: (line: string) => string): Files => {
    const lines = String(whole.get('events.jsonl')).split('\n').slice(0, -1);
    const changed = lines.map((line, at) => (at === revision ? change(line) : line));
    const files = new Map([...whole, ['events.jsonl', Buffer.from(`${changed.join('\n')}\n`)] as const]);
    return signedAnew(files, (given) => {
      const events = given.submission.events.map((event, at) => ({
        ...event,
        line: sha256(changed[at] ?? ''),
      }));
      return { ...given, submission: { ...given.submission, events } };
    });
  };

  test('whoever holds the key can’t make the verifier stumble over a line', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const cases: readonly (readonly [(line: string) => string, RegExp])[] = [
      [() => '', /not JSON/],
      [() => '{}', /is required/],
      [(line) => `${line} `, /not written as it was exported/],
      [(line) => line.replace('{"stream"', '{"stream":"a","stream"'), /not written as it was exported/],
      [(line) => line.replace('"revision":6', '"revision":"6"'), /revision must be/],
      [(line) => line.replace('"revision":6', '"revision":1e999'), /revision must be/],
      [
        (line) => `${line.slice(0, line.lastIndexOf(',"private":'))},"private":null}`,
        /opened where nothing is sealed, or the reverse/,
      ],
      [(line) => line.replace('"stored":[', `"stored":[${deep},`), /nested too deeply/],
      [
        (line) => line.replace('"comment":"fine"', `"comment":"${'x'.repeat(5_000_000)}"`),
        /longer than any event/,
      ],
      [
        (line) => line.replace('"corrections":[', '"corrections":[null,'),
        by.derivesState ? /no state can be made/ : /^decisions.json: is /,
      ],
      [(line) => line.replace('"stream":"submission-', '"stream":"submission-x'), /it is of the stream/],
    ];
    for (const [change, says] of cases) assert.match((await findingsIn(withLine(6, change)))[0] ?? '', says);
  });

  test('files of nothing but line ends, or without any, are looked through', async () => {
    for (const content of [Buffer.alloc(5_000_000, 10), Buffer.alloc(5_000_000, 65), Buffer.alloc(0)]) {
      const findings = await findingsIn(new Map([...whole, ['events.jsonl', content]]));
      assert.ok(findings.length > 0 && findings.every((found) => found.startsWith('events.jsonl')));
    }
  });
};
