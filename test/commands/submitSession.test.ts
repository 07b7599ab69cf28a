import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { createHandle } from '../../commands/handle.ts';
import { submitSession } from '../../commands/submitSession.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { DomainError } from '../../kernel/decider.ts';
import { systemIds } from '../../kernel/ids.ts';
import { evidenceKey, uploadKey } from '../../stores/objects/keys.ts';
import { type Sessions, sessionsOn } from '../controls/sessions.ts';
import { context, failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { version } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('submitSession');
let stores: Stores;
let sessions: Sessions;
test.before(() => {
  stores = temporaryStores();
  sessions = sessionsOn(stores);
});
test.after(() => stores.remove());
const picture = Buffer.from('a picture');

type Upload = Readonly<{ bytes: Buffer; mimeType: string | null }>;
const declared = [{ mimeType: 'image/png', fileSize: picture.length }];

/** What submitting is refused for, as `pointer detail`. */
const refusals = async (submitting: Promise<unknown>): Promise<readonly string[]> => {
  const error = await failure(submitting);
  assert.instance(error, DomainError);
  assert.is(error.name, 'UploadsRefused');
  const { errors } = (error as DomainError).facts as { errors: { pointer: string; detail: string }[] };
  return errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
};

const etagOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const evidenceOf = (submissionId: string, fileId: string, bytes = picture): string =>
  evidenceKey(submissionId, { fileId, etag: etagOf(bytes) });

test('a session is queued with its checked files, each copied to its evidence [uploads-14]', async () => {
  const { submissionId, fileId } = await sessions.withFile();
  const { state, events } = await sessions.submit(submissionId);
  assert.is(state?.state, 'queued');
  const file = {
    fileId,
    fileIndex: 0,
    label: 'front',
    mimeType: 'image/png',
    fileSize: 9,
    etag: etagOf(picture),
  };
  assert.equal(state?.files, [file]);
  assert.is(events.length, 1);
  const key = evidenceOf(submissionId, fileId);
  assert.equal(sessions.kept.get(key), { bytes: picture, mimeType: 'image/png' });
  assert.is(sessions.kept.has(uploadKey(submissionId, fileId)), false, 'the upload is not kept beside it');
});

test('an upload that can’t be removed is reported, and fails no submit', async () => {
  const { submissionId, fileId } = await sessions.withFile();
  const locked = new Error('locked');
  const objects = { ...sessions.objects, remove: () => Promise.reject(locked) };
  const submit = submitSession({ ...sessions.ports, objects });
  assert.is((await submit(submissionId, version, context)).state?.state, 'queued');
  assert.equal(sessions.notRemoved.splice(0), [locked]);
  assert.ok(sessions.kept.has(uploadKey(submissionId, fileId)));
});

test('a submit whose uploads another one has just copied and removed is a repetition of that', async () => {
  const { submissionId } = await sessions.withFile();
  const objects = {
    ...sessions.objects,
    head: async (key: string) => {
      await sessions.submit(submissionId);
      return sessions.objects.head(key);
    },
  };
  const { events, state } = await submitSession({ ...sessions.ports, objects })(
    submissionId,
    version,
    context,
  );
  assert.equal([events, state?.state], [[], 'queued']);
});

test('a stream that was loaded for the request is loaded no more; an old one leads nowhere else', async () => {
  const { submissionId } = await sessions.withFile();
  const loads: string[] = [];
  const load = (name: string) => {
    loads.push(name);
    return stores.log.load(name);
  };
  const handle = createHandle({ ...stores.log, load }, stores.clock, systemIds);
  const submit = submitSession({ ...sessions.ports, handle });
  const loaded = await stores.log.load(submissionStream(submissionId));
  const first = await submit(submissionId, version, context, loaded);
  assert.equal([first.state?.state, loads], ['queued', []]);
  const again = await submit(submissionId, version, context, loaded);
  assert.equal([again.state?.state, again.events, again.revision], ['queued', [], first.revision]);
});

test('what an http extractor reads says where', async () => {
  const { submissionId } = await sessions.withFile();
  const http = { url: 'https://reader.example.com:8443/receipts?x=1', secretEnv: 'READER_SECRET' };
  const read = { ...version, processing: { ...version.processing, extractor: { http } } };
  const { handle, clock } = stores;
  const submit = submitSession({ ...sessions.ports, handle, clock });
  const { events, state } = await submit(submissionId, read, context);
  const [event] = events;
  const readBy = 'https://reader.example.com:8443';
  assert.equal([event?.type === 'SessionSubmitted' && event.data.readBy, state?.readBy], [readBy, readBy]);
});

test('a late upload changes no evidence', async () => {
  const { submissionId, fileId } = await sessions.withFile();
  await sessions.submit(submissionId);
  sessions.put(uploadKey(submissionId, fileId), Buffer.from('another'), 'image/png');
  assert.equal(sessions.kept.get(evidenceOf(submissionId, fileId))?.bytes, picture);
});

test('of two submits with a PUT between them the later copy leaves the evidence of the first alone', async () => {
  const { submissionId, fileId } = await sessions.withFile();
  const upload = uploadKey(submissionId, fileId);
  const other = Buffer.from('other bytes');
  sessions.put(upload, other, 'image/png');
  sessions.hooks.beforeCopy = async (source) => {
    sessions.hooks.beforeCopy = () => undefined;
    sessions.put(source, picture, 'image/png');
    await sessions.submit(submissionId);
    sessions.put(source, other, 'image/png');
  };
  const { state, events } = await sessions.submit(submissionId);
  assert.equal([events.length, state?.files[0]?.etag], [0, etagOf(picture)]);
  assert.equal(sessions.kept.get(evidenceOf(submissionId, fileId))?.bytes, picture);
});

for (const isRemoved of [false, true])
  test(`a session that is cancelled while its files are copied keeps no copy${isRemoved ? ', also of those that were quicker than a removal' : ''}`, async () => {
    const { submissionId } = await sessions.withFile();
    sessions.hooks.beforeCopy = async (source) => {
      sessions.hooks.beforeCopy = () => undefined;
      await sessions.run(submissionId, { type: 'Cancel', reason: null, actor: null });
      if (isRemoved) await sessions.objects.remove(source);
    };
    assert.is((await failure(sessions.submit(submissionId))).name, 'SessionEnded');
    const left = [...sessions.kept.keys()].filter((key) =>
      key.startsWith(`evidence/${submissionId.slice(4)}`),
    );
    assert.equal(left, []);
  });

test('submitting again changes nothing and does not look at the store', async () => {
  const { submissionId } = await sessions.withFile();
  const first = await sessions.submit(submissionId);
  const asked = sessions.calls.length;
  const again = await sessions.submit(submissionId);
  assert.equal([again.events, again.revision, again.position], [[], first.revision, first.position]);
  assert.is(sessions.calls.length, asked);
});

test('two at once queue it once', async () => {
  const { submissionId } = await sessions.withFile();
  const both = await Promise.all([sessions.submit(submissionId), sessions.submit(submissionId)]);
  assert.equal(both.map(({ events }) => events.length).sort(), [0, 1]);
});

test('a cancelled session is refused before the store is read', async () => {
  const { submissionId } = await sessions.opened();
  await sessions.run(submissionId, { type: 'Cancel', reason: null, actor: null });
  const asked = sessions.calls.length;
  assert.is((await failure(sessions.submit(submissionId))).name, 'SessionEnded');
  assert.is(sessions.calls.length, asked);
});

test('an unknown session is not found', async () =>
  assert.is((await failure(sessions.submit('sub_01hv6x3m8q2r5t7w9y0a1b2c3d'))).name, 'SubmissionNotFound'));

const cases: readonly Readonly<{
  what: string;
  files?: typeof declared;
  uploads: readonly Upload[];
  faults: readonly RegExp[];
}>[] = [
  { what: 'no upload', uploads: [], faults: [/^\/files must be 1 to 3 uploaded files, not 0$/] },
  {
    what: 'an empty file',
    uploads: [{ bytes: Buffer.alloc(0), mimeType: 'image/png' }],
    faults: [/^\/files\/0 front: .*empty/],
  },
  {
    what: 'a file over the limit',
    uploads: [{ bytes: Buffer.alloc(1_048_577), mimeType: 'image/png' }],
    faults: [/^\/files\/0 front: .*1048577 bytes, at most 1048576/],
  },
  {
    what: 'another type',
    uploads: [{ bytes: picture, mimeType: 'text/plain' }],
    faults: [/^\/files\/0 front: .*text\/plain, not one of/],
  },
  {
    what: 'a type that neither the uploader nor the bytes tell',
    uploads: [{ bytes: picture, mimeType: null }],
    faults: [/^\/files\/0 front: .*no media type/],
  },
  {
    what: 'another size than declared',
    files: declared,
    uploads: [{ bytes: Buffer.from('more than that'), mimeType: 'image/png' }],
    faults: [/^\/files\/0 front: .*14 bytes, 9 were declared/],
  },
  {
    what: 'another type than declared',
    files: declared,
    uploads: [{ bytes: picture, mimeType: 'application/json' }],
    faults: [/^\/files\/0 front: .*application\/json, image\/png was declared/],
  },
  {
    what: 'every fault of every file',
    uploads: [
      { bytes: Buffer.alloc(0), mimeType: 'image/png' },
      { bytes: picture, mimeType: 'image/png' },
      { bytes: picture, mimeType: 'a/b' },
    ],
    faults: [/^\/files\/0 /, /^\/files\/2 /],
  },
];
for (const { what, files, uploads, faults } of cases) {
  test(`${what} is refused, and nothing is copied or queued`, async () => {
    const session = await sessions.opened(files ? { files } : {});
    const { submissionId } = session;
    for (const [index, { bytes, mimeType }] of uploads.entries()) {
      sessions.put(uploadKey(submissionId, session.uploads[index]?.fileId ?? ''), bytes, mimeType);
    }
    const told = await refusals(sessions.submit(submissionId));
    assert.is(told.length, faults.length, told.join('\n'));
    for (const [index, fault] of faults.entries()) assert.match(told[index] ?? '', fault);
    const { ulid = '' } = /_(?<ulid>.*)/.exec(submissionId)?.groups ?? {};
    assert.equal(
      [...sessions.kept.keys()].filter((key) => key.startsWith(`evidence/${ulid}`)),
      [],
    );
    assert.is((await stores.log.load(`submission-${ulid}`)).head?.revision, 0);
  });
}

test('a type with parameters or capitals is the bare type', async () => {
  const { submissionId, fileId } = await sessions.withFile();
  sessions.put(uploadKey(submissionId, fileId), picture, 'Image/PNG; charset=binary');
  assert.is((await sessions.submit(submissionId)).state?.files[0]?.mimeType, 'image/png');
});

test('an upload without a type is judged by its bytes', async () => {
  const { submissionId, fileId } = await sessions.withFile();
  sessions.put(uploadKey(submissionId, fileId), picture, null);
  const { state } = await sessions.submit(submissionId, async () => 'image/png');
  assert.is(state?.files[0]?.mimeType, 'image/png');
});

test('a file that changes between the check and the copy is refused, and accepted the next time', async () => {
  const { submissionId, fileId } = await sessions.withFile();
  sessions.hooks.beforeCopy = (source) => sessions.put(source, Buffer.from('other bytes'), 'image/png');
  const told = await refusals(sessions.submit(submissionId));
  sessions.hooks.beforeCopy = () => undefined;
  assert.match(told[0] ?? '', /^\/files\/0 front: .*changed while/);
  assert.is((await sessions.submit(submissionId)).state?.files[0]?.fileSize, 11);
  assert.is(
    sessions.kept.get(evidenceOf(submissionId, fileId, Buffer.from('other bytes')))?.bytes.toString(),
    'other bytes',
  );
});

test('a session whose time is over expires when it is submitted, and is not queued', async () => {
  const { submissionId } = await sessions.withFile();
  stores.pass(86_400_000 - 1);
  const inTime = await sessions.withFile();
  stores.pass(1);
  const asked = sessions.calls.length;
  assert.is((await failure(sessions.submit(submissionId))).name, 'SessionEnded');
  assert.is(sessions.calls.length, asked, 'the store is not asked');
  const { events } = await stores.log.load(submissionStream(submissionId));
  assert.equal(
    events.map(({ type }) => type),
    ['SessionCreated', 'SessionExpired'],
  );
  assert.equal(events[1]?.metadata.actor, { kind: 'system', id: 'expiry' });
  assert.is((await failure(sessions.submit(submissionId))).name, 'SessionEnded');
  assert.is((await sessions.submit(inTime.submissionId)).state?.state, 'queued');
});

test('a request that comes again finds that it had submitted, though the session was cancelled or has expired since', async () => {
  const submit = submitSession(sessions.ports);
  const request = (name: string) =>
    ({ ...context, correlationId: name, causationId: name, once: true }) as const;
  const { submissionId } = await sessions.withFile();
  const first = await submit(submissionId, version, request('r1'));
  await sessions.run(submissionId, { type: 'Cancel', reason: null, actor: null });
  const again = await submit(submissionId, version, request('r1'));
  assert.equal([again.repeated, again.state, again.revision], [true, first.state, first.revision]);
  assert.is((await failure(submit(submissionId, version, request('r2')))).name, 'SessionEnded');

  const late = await sessions.withFile();
  stores.pass(86_400_000);
  for (const _ of [1, 2])
    assert.is((await failure(submit(late.submissionId, version, request('r3')))).name, 'SessionEnded');
});
