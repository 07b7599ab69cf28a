import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { crc32 as crcOf } from 'node:zlib';
import * as assert from 'uvu/assert';
import { ZipFile } from 'yazl';
import { webhookDelivery } from '../../domain/webhookDelivery.ts';
import * as format from '../../evidence/format.ts';
import { MANIFEST, type Manifest } from '../../evidence/format.ts';
import { signingKey } from '../../evidence/keys.ts';
import { openZip } from '../../evidence/package/zip.ts';
import { crc32 } from '../../evidence/web/crc32.ts';
import { canVerify, readPublicKey } from '../../evidence/web/keys.ts';
import { md5 } from '../../evidence/web/md5.ts';
import { checkOf } from '../../evidence/web/shape.ts';
import { stepsOf } from '../../evidence/web/steps.ts';
import { storyOf } from '../../evidence/web/story.ts';
import { deliveryTypes, isSupported, verifyInBrowser } from '../../evidence/web/verify.ts';
import { zipFileOf } from '../../evidence/web/zipFile.ts';
import { compile } from '../../schemas/ajv.ts';
import { eventCatalogue } from '../../schemas/events.ts';
import { examples, logged } from '../controls/events.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { exportStage, key, sourceOf } from './stage.ts';

const test = suite('evidence: what browsers lack [audit-3]');

const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 5)) & 0xff);

test('MD5 and CRC-32 are those of Node, at every length around a block', async () => {
  for (const length of [...Array.from({ length: 130 }, (_, index) => index), 4_095, 100_001]) {
    const bytes = bytesOf(length);
    const hash = md5();
    let sum = 0;
    for (const half of [bytes.subarray(0, length >> 1), bytes.subarray(length >> 1)]) {
      hash.add(half);
      sum = crc32(half, sum);
    }
    assert.is(await hash.end(), createHash('md5').update(bytes).digest('hex'), `${length}`);
    assert.is(sum, crcOf(bytes), `${length}`);
  }
});

test('a public key is read as on the command line, and other texts are none', async () => {
  const { pem, id } = signingKey(Buffer.alloc(32, 5)).publicKey;
  const bare = pem.split('\n')[1] ?? '';
  for (const text of [pem, `evidence of ACME\n${pem}\n`, bare, pem.replaceAll('\n', '\r\n')])
    assert.is((await readPublicKey(text))?.id, id);
  for (const text of ['', 'key', 'é', Buffer.alloc(44).toString('base64'), `${bare}AAAA`])
    assert.is(await readPublicKey(text), null, text);
  assert.ok(await canVerify());
});

/** Every value of a JSON text in turn replaced by others. */
const replaced = function* (whole: unknown): Generator<unknown> {
  const text = JSON.stringify(whole);
  for (const { 0: part, 1: colon, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(:?)|-?\d+|null|\[\]/g))
    for (const other of colon ? [] : ['null', '-1', '1.5', '""', '"x"', '[]', '{}', 'true', '"../a"'])
      yield JSON.parse(text.slice(0, index) + other + text.slice(index + part.length));
};

test('what a browser takes for a manifest or a line is what the command line does', async () => {
  const stage = await exportStage();
  await stage.deliver();
  await stage.exportTo('package');
  const files = stage.filesOf('package');
  await stage.remove();
  const manifest = JSON.parse(String(files.get(MANIFEST))) as Manifest;
  const [line = ''] = String(files.get('events.jsonl')).split('\n');
  let refused = 0;
  for (const [schema, value] of [
    [format.Manifest, manifest],
    [format.Line, JSON.parse(line)],
  ] as const) {
    const [ours, theirs] = [checkOf(schema), compile(schema)];
    assert.equal([ours(value), theirs(value)], [[], []]);
    for (const other of [...replaced(value), { ...value, more: 1 }, {}, [], null, 'x']) {
      const found = theirs(other);
      refused += found.length > 0 ? 1 : 0;
      const [first] = ours(other);
      if (found.length === 0) assert.is(first, undefined, JSON.stringify(other));
      else
        assert.ok(
          found.some((one) => one.pointer === first?.pointer && one.detail === first.detail),
          JSON.stringify([found, first]),
        );
    }
  }
  assert.ok(refused > 100);
});

const CHECKED = [
  ...['type', 'const', 'enum', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems'],
  ...['required', 'properties', 'additionalProperties', 'items', 'prefixItems', 'format'],
  ...['description', 'examples'],
];

type Nested = Readonly<{
  properties?: object;
  prefixItems?: readonly object[];
  items?: object | false;
  additionalProperties?: unknown;
  format?: string;
}>;

/** The schemas in a schema, itself the first. */
const schemasIn = (schema: object): readonly object[] => {
  const { properties = {}, prefixItems = [], items }: Nested = schema;
  const parts: readonly object[] = [...Object.values(properties), ...prefixItems, ...(items ? [items] : [])];
  return [schema, ...parts.flatMap(schemasIn)];
};

test('the schemas of packages have no keyword that browsers would not check', () => {
  const schemas: readonly Nested[] = [format.Manifest, format.Line].flatMap(schemasIn);
  const keywords = schemas.flatMap(Object.keys);
  assert.ok(keywords.length > 100);
  for (const keyword of keywords) assert.ok(CHECKED.includes(keyword), keyword);
  // Of these, browsers know some values alone.
  for (const { additionalProperties = false, format: ofText = 'date-time', items = {} } of schemas) {
    assert.is(additionalProperties, false);
    assert.is(ofText, 'date-time');
    assert.ok(items === false || (typeof items === 'object' && !Array.isArray(items)));
  }
});

test('the events that documents are derived from in browsers have one version: another one needs its step there', () => {
  const types = ['SessionCreated', 'SessionSubmitted', 'SubmissionApproved', 'SubmissionRejected'];
  const others = ['SubmissionCancelled', 'SubmissionFraudMatchResolved', 'SubmissionFirstDecisionMade'];
  for (const type of [...types, ...others, ...deliveryTypes])
    assert.is(eventCatalogue.current(type), 1, type);
});

test('a delivery in browsers has all events that it has', () => {
  assert.equal([...deliveryTypes].sort(), Object.keys(webhookDelivery.events).sort());
});

test('browsers support the newest version of each event, and none after it', () => {
  for (const { type, metadata } of logged(Object.values(examples))) {
    const newest = eventCatalogue.current(type) ?? 0;
    const reads = (schema: number): boolean => isSupported({ type, metadata: { ...metadata, schema } });
    assert.equal([reads(newest), reads(newest + 1)], [true, false], type);
  }
});

test('who did what is told in order, with words and corrections', () => {
  const { SessionCreated, SubmissionApproved, SubmissionRejected } = examples;
  const story = storyOf(logged([SessionCreated, SubmissionApproved, SubmissionRejected]));
  assert.equal(
    story.map(({ type, words, corrections }) => [type, words, corrections.length > 0]),
    [
      ['session.created', null, false],
      ['submission.approved', 'fine', true],
      ['submission.rejected', 'no', false],
    ],
  );
  assert.match(story[0]?.actor ?? '', /^\w+:/);
});

/** A package, and what a browser finds in it where a file says something else. */
const exported = async () => {
  const stage = await exportStage();
  await stage.exportTo('package');
  const files = stage.filesOf('package');
  await stage.remove();
  const verifier = await readPublicKey(key.publicKey.pem);
  assert.ok(verifier);
  return {
    files,
    verify: (path = '', from = '', to = '') => {
      const changed = Buffer.from(String(files.get(path) ?? '').replace(from, to));
      return verifyInBrowser(sourceOf(path ? new Map([...files, [path, changed]]) : files), verifier);
    },
  };
};

test('each step says whether it was checked, and whether what it was compared with is signed', async () => {
  const { verify } = await exported();
  const results = async (...change: readonly string[]) =>
    stepsOf(await verify(...change)).map(({ result }) => result);
  assert.equal(await results(), ['good', 'good', 'good', 'good']);
  assert.equal(await results('manifest.sig', '', 'A'), ['bad', 'unsigned', 'unsigned', 'unsigned']);
  assert.equal(await results('events.jsonl', '"kind":', '"Kind":'), ['good', 'good', 'bad', 'unchecked']);
  assert.equal(await results('manifest.json', '{', '['), ['bad', 'unchecked', 'unchecked', 'unchecked']);
});

test('what a browser has no memory for is refused, and no fault of the package', async () => {
  const { verify, files } = await exported();
  const { digest } = crypto.subtle;
  crypto.subtle.digest = () => Promise.reject(new RangeError('Array buffer allocation failed'));
  const error = await failure(verify()).finally(() => {
    crypto.subtle.digest = digest;
  });
  assert.is(error.name, 'NoPackage');
  assert.match(error.message, /too little memory/);
  const zip = new ZipFile();
  for (const [name, bytes] of files) zip.addBuffer(bytes, name);
  zip.end();
  const bytes = await buffer(zip.outputStream);
  bytes.writeUInt32LE(600_000_000, bytes.indexOf('PK\u0001\u0002') + 24);
  assert.match(
    (await failure(openZip(zipFileOf(new Blob([bytes]))))).message,
    /larger than browsers can check/,
  );
});
