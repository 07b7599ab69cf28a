import * as assert from 'uvu/assert';
import { sha256 } from '../../../evidence/digest.ts';
import { MANIFEST, type Manifest, SIGNATURE } from '../../../evidence/format.ts';
import { signingKey } from '../../../evidence/keys.ts';
import { LIMITS } from '../../../evidence/verify/cannotProve.ts';
import type { ToldFinding } from '../../../evidence/verify/told.ts';
import { changes, type Files } from '../../evidence/changes.ts';
import { manifestOf, signedAnew } from '../../evidence/forge.ts';
import { decided, exportStage, key, sourceOf } from '../../evidence/stage.ts';
import { drawSeed, rounds, suite } from '../../harness.ts';
import type { Verification } from './verification.ts';

/** A browser computes MD5 by a script: thousands of packages take minutes on a busy machine. */
const LONG = { timeoutMs: rounds(60_000, 300_000) };

/** What is found in packages that were changed after they were exported. */
export const changedPackages = (by: Verification): void => {
  const test = suite(`evidence: a package and what was changed in it, ${by.name} [audit-3]`);
  let whole: Files;
  test.before(async () => {
    const stage = await exportStage();
    await stage.deliver();
    await stage.exportTo('package');
    whole = stage.filesOf('package');
    await stage.remove();
  });

  const findingsIn = async (files: Files, publicKey = key.publicKey): Promise<readonly ToldFinding[]> =>
    (await by.verify(sourceOf(files), publicKey)).findings;

  const withFile = (path: string, content: string): Files =>
    new Map([...whole, [path, Buffer.from(content)]]);
  const textOf = (path: string): string => String(whole.get(path));
  const linesOf = (path: string): readonly string[] => textOf(path).split('\n').slice(0, -1);

  test('an untouched package holds', async () => {
    assert.equal(await findingsIn(whole), []);
    assert.equal([...whole.keys()].sort(), [
      'README.txt',
      'decisions.json',
      'deliveries.json',
      'deliveries/00000000-0000-7000-8000-000000000001.jsonl',
      'events.jsonl',
      'files.json',
      'files/0-fil_01hv6x3m8q2r5t7w9y0a1b2c3d.png',
      'manifest.json',
      'manifest.sig',
      'state.json',
    ]);
  });

  test(
    'each of many random changes is found, and the file that was changed is named',
    async () => {
      const count = rounds(50, 5_000);
      const seed = drawSeed(`${count} random changes of a package`);
      let made = 0;
      for (const { files, paths, what } of changes(whole, seed, count)) {
        const findings = await findingsIn(files);
        for (const path of paths)
          assert.ok(
            findings.some(({ file }) => file === path),
            `seed ${seed}, change ${made}: ${what}; found ${JSON.stringify(findings)}`,
          );
        made += 1;
      }
      assert.ok(made >= count);
    },
    LONG,
  );

  test(
    'each byte of every file counts',
    async () => {
      for (const [path, bytes] of whole) {
        const step = Math.max(1, Math.floor(bytes.length / rounds(8, 400)));
        for (let at = 0; at < bytes.length; at += step) {
          const changed = Buffer.from(bytes);
          changed[at] = (changed[at] ?? 0) ^ 1;
          const findings = await findingsIn(new Map([...whole, [path, changed]]));
          assert.ok(
            findings.some(({ file }) => file === path),
            `${path} at ${at}`,
          );
        }
      }
    },
    LONG,
  );

  test('an event that was changed, removed, added or moved is named, the last one included', async () => {
    const lines = linesOf('events.jsonl');
    const first = async (changed: readonly string[]): Promise<ToldFinding | undefined> =>
      (await findingsIn(withFile('events.jsonl', changed.map((line) => `${line}\n`).join(''))))[0];
    const last = lines.length - 1;
    for (const index of [0, 3, last]) {
      const edited = await first(
        lines.map((line, at) => (at === index ? line.replace('"kind":"key"', '"kind":"user"') : line)),
      );
      assert.equal([edited?.file, edited?.event?.revision], ['events.jsonl', index]);
      assert.match(edited?.detail ?? '', 'stored form was changed');
      const removed = await first(lines.filter((_, at) => at !== index));
      assert.equal([removed?.event?.revision, removed?.detail], [index, 'it was removed or changed']);
    }
    const opened = await first(lines.map((line) => line.replace('"comment":"fine"', '"comment":"fake"')));
    assert.is(opened?.event?.type, 'SubmissionApproved');
    assert.match(opened?.detail ?? '', /stored form is as exported; .*private part/);
    assert.match(
      (await first([...lines, lines[2] ?? '']))?.detail ?? '',
      /line 8 holds event 2 .* once more/,
    );
    assert.match((await first([...lines, '{}']))?.detail ?? '', 'line 8 holds what was not exported');
    const swapped = await first([lines[1] ?? '', lines[0] ?? '', ...lines.slice(2)]);
    assert.match(swapped?.detail ?? '', 'in its place is event 1');
  });

  test('in a document the field is named, with what it should be', async () => {
    const changed = (path: string, from: string, to: string) =>
      findingsIn(withFile(path, textOf(path).replace(from, to)));
    const [decision] = await changed('decisions.json', '"by": "ann"', '"by": "bob"');
    assert.equal([decision?.file, decision?.pointer], ['decisions.json', '/0/by']);
    assert.match(decision?.detail ?? '', 'is "bob", but the events and files give "ann"');
    const [state] = await changed('state.json', '"approved"', '"rejected"');
    assert.equal([state?.file, state?.pointer], ['state.json', by.derivesState ? '/submissionStatus' : null]);
    assert.is((await changed('deliveries.json', '"delivered"', '"failed"'))[0]?.pointer, '/0/status');
    assert.is((await changed('files.json', '"label": "front"', '"label": "back"'))[0]?.pointer, '/0/label');
    assert.match((await changed('files.json', '{\n', '{ '))[0]?.detail ?? '', 'reads the same');
  });

  test('a field of the manifest that is not what is in the package is named', async () => {
    const changed = async (from: string, to: string): Promise<readonly string[]> => {
      const findings = await findingsIn(withFile(MANIFEST, textOf(MANIFEST).replace(from, to)));
      assert.match(findings[0]?.detail ?? '', 'manifest.sig does not sign it');
      assert.match(findings[1]?.detail ?? '', 'does not sign manifest.json');
      return findings.slice(2).map(({ file, pointer, manifest: at }) => `${file} ${pointer ?? at}`);
    };
    const { submission, files } = manifestOf(whole);
    const [, second] = submission.events;
    const other = 'f'.repeat(64);
    assert.equal(await changed(second?.hash ?? '', other), ['manifest.json /submission/events/1/hash']);
    assert.equal(await changed(second?.line ?? '', other), ['manifest.json /submission/events/1/line']);
    assert.equal(await changed('"SessionSubmitted"', '"SessionCreated"'), [
      'manifest.json /submission/events/1/type',
    ]);
    assert.equal(await changed(`"lastHash": "${submission.lastHash}"`, `"lastHash": "${other}"`), [
      'manifest.json /submission/lastHash',
    ]);
    const readme = files.findIndex(({ path }) => path === 'README.txt');
    assert.equal(await changed(files[readme]?.sha256 ?? '', other), [`README.txt /files/${readme}/sha256`]);
    assert.equal(await changed('2026-11-22', '2026-11-21'), [], 'nothing else tells when it was exported');
  });

  test('the last event cannot be removed with its traces, unless by who has the key', async () => {
    const lines = linesOf('events.jsonl').slice(0, -1);
    const cut = withFile('events.jsonl', lines.map((line) => `${line}\n`).join(''));
    const adapted = (given: Manifest): Manifest => {
      const events = given.submission.events.slice(0, -1);
      return { ...given, submission: { ...given.submission, events, lastHash: events.at(-1)?.hash ?? '' } };
    };
    const forged = signedAnew(cut, adapted);
    const oldSignature = new Map([...forged, [SIGNATURE, whole.get(SIGNATURE) ?? Buffer.alloc(0)]]);
    assert.match((await findingsIn(oldSignature))[0]?.detail ?? '', 'manifest.sig does not sign it');
    const mallory = signingKey(Buffer.alloc(32, 4));
    assert.match(
      (await findingsIn(signedAnew(cut, adapted, mallory)))[0]?.detail ?? '',
      'manifest.sig does not sign it',
    );
    const claimed = (given: Manifest): Manifest => ({ ...adapted(given), key: mallory.publicKey.id });
    assert.is((await findingsIn(signedAnew(cut, claimed, mallory)))[0]?.pointer, '/key');
    // The documents tell of the event all the same.
    assert.ok((await findingsIn(forged)).some(({ file }) => file === 'decisions.json'));
  });

  test('a package whose tail was cut off before it was signed holds: that is what cannot be proven', async () => {
    const stage = await exportStage(decided.slice(0, -1));
    await stage.exportTo('package');
    const cut = stage.filesOf('package');
    await stage.remove();
    // What the same log gives whose last event, the approval, somebody removed.
    assert.equal(await findingsIn(cut), []);
    assert.match(LIMITS[0] ?? '', 'cut off its end before the export leaves no trace');
    assert.match(String(cut.get('README.txt')), LIMITS[0] ?? '-');
  });

  test('what the holder of the key signs must still hold together: a hole in the chain, an event twice, documents that say more', async () => {
    const lines = linesOf('events.jsonl');
    const without = (gone: number) => {
      const files = withFile(
        'events.jsonl',
        lines
          .filter((_, at) => at !== gone)
          .map((line) => `${line}\n`)
          .join(''),
      );
      return signedAnew(files, (given) => {
        const events = given.submission.events.filter((_, at) => at !== gone);
        return { ...given, submission: { ...given.submission, events } };
      });
    };
    const [hole] = await findingsIn(without(3));
    assert.equal([hole?.event?.revision, hole?.detail], [4, 'the chain breaks: it follows on revision 2']);
    const changed = lines.map((line, at) =>
      at === 3 ? line.replace('"fraudScore":1', '"fraudScore":0') : line,
    );
    const text = changed.map((line) => `${line}\n`).join('');
    const relinked = signedAnew(withFile('events.jsonl', text), (given) => {
      const events = given.submission.events.map((event, at) => {
        const { stored } = JSON.parse(changed[at] ?? '');
        return { ...event, line: sha256(changed[at] ?? ''), hash: sha256(JSON.stringify(stored)) };
      });
      return { ...given, submission: { ...given.submission, events } };
    });
    const [link] = await findingsIn(relinked);
    assert.is(link?.event?.revision, 4);
    assert.match(link?.detail ?? '', /the chain breaks: its prev is not the hash of revision 3/);
    const edited = withFile('decisions.json', textOf('decisions.json').replace('"by": "ann"', '"by": "bob"'));
    assert.equal(
      (await findingsIn(signedAnew(edited))).map(({ pointer }) => pointer),
      ['/0/by'],
    );
  });

  test('files are neither added nor removed, renamed nor emptied', async () => {
    const moved = new Map(whole);
    moved.delete('README.txt');
    moved.set('readme.txt', whole.get('README.txt') ?? Buffer.alloc(0));
    assert.equal(
      (await findingsIn(moved)).map(({ file, detail }) => `${file} ${detail}`),
      ['README.txt is missing', 'readme.txt was added: the manifest does not name it'],
    );
    for (const path of [MANIFEST, SIGNATURE]) {
      const without = new Map(whole);
      without.delete(path);
      assert.equal(
        (await findingsIn(without)).map(({ file, detail }) => `${file} ${detail}`),
        [`${path} is missing`],
      );
    }
  });
};
