import * as assert from 'uvu/assert';
import { load } from '../../commands/load.ts';
import { openedSession, openSession, signUploads } from '../../commands/openSession.ts';
import { maxBytes } from '../../domain/slots.ts';
import { submission, submissionStream } from '../../domain/submission/submission.ts';
import { uploadKey } from '../../stores/objects/keys.ts';
import { type Sessions, sessionInput, sessionsOn } from '../controls/sessions.ts';
import { context, failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';

const test = suite('openSession');
let stores: Stores;
let sessions: Sessions;
test.before(() => {
  stores = temporaryStores();
  sessions = sessionsOn(stores);
});
test.after(() => stores.remove());
const stateOf = (submissionId: string) => load(stores.log, submission, submissionStream(submissionId));

test('a session and its submission share one identifier, and live a day', async () => {
  const session = await sessions.opened();
  assert.match(session.submissionId, /^sub_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.is(session.sessionId, session.submissionId.replace('sub_', 'ses_'));
  assert.is(session.createdAt, '2026-11-21T10:00:00.000Z');
  assert.is(session.expiresAt, '2026-11-22T10:00:00.000Z');
  assert.is((await stores.log.load(submissionStream(session.submissionId))).head?.position, session.position);
});

test('the stream keeps what was given, under its routing facts', async () => {
  const { submissionId } = await sessions.opened({ batchRef: 'b1' });
  const state = await stateOf(submissionId);
  const { companyId, mode, keyId } = routing;
  assert.equal(state?.routing, {
    submissionId,
    companyId,
    mode,
    keyId,
    workflow: { slug: 'receipt', version: 1 },
    batchId: `batch of ${companyId} live b1`,
  });
  assert.equal(
    [state?.webhookUrl, state?.clientSubmissionId, state?.metadata, state?.batchRef],
    ['https://example.com/hook', 'order-1', { colour: 'blue' }, 'b1'],
  );
});

test('whether there is an address is said openly, the address is not', async () => {
  const notifies = async (webhookUrl: string | null): Promise<unknown> => {
    const { submissionId } = await sessions.opened({ webhookUrl });
    const { events } = await stores.log.load(submissionStream(submissionId));
    return (events[0]?.data as { notifies: boolean } | undefined)?.notifies;
  };
  assert.equal([await notifies('https://example.com/'), await notifies(null)], [true, false]);
});

test('private parts are sealed in the log', async () => {
  const { submissionId } = await sessions.opened();
  const stored: unknown[] = [];
  for await (const event of stores.events.read(submissionStream(submissionId))) stored.push(event.data);
  const text = JSON.stringify(stored);
  for (const hidden of ['example.com', 'order-1', 'blue']) assert.not.match(text, hidden);
});

test('without files each slot has an address for any file of the version’s size, signed for as long as the session [uploads-10]', async () => {
  const { submissionId, uploads, expiresAt } = await sessions.opened();
  assert.equal(
    uploads.map(({ fileIndex, label, method, expiresAt: until }) => [fileIndex, label, method, until]),
    [
      [0, 'front', 'PUT', expiresAt],
      [1, 'back', 'PUT', expiresAt],
      [2, 'file-3', 'PUT', expiresAt],
    ],
  );
  assert.equal(
    sessions.signed.slice(-3),
    uploads.map(({ fileId }) => ({
      key: uploadKey(submissionId, fileId),
      expiresInSeconds: 86_400,
      maxSize: maxBytes(sessionInput.version.upload),
    })),
  );
});

test('declared files are signed with type, size and digest, and their names are kept', async () => {
  const sha256 = 'b'.repeat(64);
  const files = [
    { mimeType: 'image/png', fileSize: 9, sha256, fileName: 'lunch.png' },
    { mimeType: 'application/json', fileSize: 7, label: 'front' },
  ];
  const { submissionId, uploads } = await sessions.opened({ files });
  const [first, second] = sessions.signed.slice(-2);
  assert.equal([first?.mimeType, first?.size, first?.sha256], ['image/png', 9, sha256]);
  assert.equal([second?.mimeType, second?.size, second?.sha256], ['application/json', 7, undefined]);
  const fileNames = { [uploads[0]?.fileId ?? '']: 'lunch.png' };
  assert.equal((await stateOf(submissionId))?.fileNames, fileNames);
});

test('declared files that break the bounds open nothing [uploads-4]', async () => {
  const before = await stores.log.head();
  const error = await failure(sessions.opened({ files: [] }));
  assert.is(error.name, 'UploadsRefused');
  assert.is(await stores.log.head(), before);
});

test('a session whose addresses can’t be signed is not stored: nothing fails once it is', async () => {
  const before = await stores.log.head();
  const signUpload = () => Promise.reject(new Error('no credentials'));
  const objects = { ...sessions.objects, signUpload };
  const { handle, clock, ids } = stores;
  const open = openSession({ handle, objects, clock, ids, batchIdOf: String, sessionTtlMs: 60_000 });
  assert.is(
    (await failure(open({ ...sessionInput, submissionId: `sub_${ids.ulid()}` }, context))).message,
    'no credentials',
  );
  assert.is(await stores.log.head(), before);
});

test('addresses that are signed again expire with the session', async () => {
  const { objects, signed } = sessions;
  const slot = {
    fileId: 'fil_1',
    fileIndex: 0,
    label: 'front',
    mimeType: null,
    fileSize: null,
    sha256: null,
  };
  const { clock } = stores;
  const { version } = sessionInput;
  const sign = (expiresAt: string) =>
    signUploads({ objects, clock }, { routing, slots: [slot], expiresAt }, version.upload);
  await sign('2026-11-21T10:01:00.900Z');
  assert.is(signed.at(-1)?.expiresInSeconds, 60);
  await sign('2026-11-21T09:00:00.000Z');
  assert.is(signed.at(-1)?.expiresInSeconds, 1);
});

test('a request that comes again is answered with the session that it had opened', async () => {
  const { handle, log, clock, ids } = stores;
  const { objects, signed } = sessions;
  const once = { ...context, correlationId: 'r1', causationId: 'r1', once: true } as const;
  const input = { ...sessionInput, submissionId: `sub_${ids.ulid()}` };
  const open = openSession({ handle, objects, clock, ids, batchIdOf: String, sessionTtlMs: 60_000 });
  const first = await open(input, once);
  const again = await open(input, once);
  const { position, ...session } = again;
  assert.equal(
    session.uploads.map(({ fileId }) => fileId),
    first.uploads.map(({ fileId }) => fileId),
  );
  assert.equal(
    [session.createdAt, session.expiresAt, position],
    [first.createdAt, first.expiresAt, first.position],
  );
  assert.is(signed.at(-1)?.key, uploadKey(input.submissionId, again.uploads.at(-1)?.fileId ?? ''));

  await sessions.run(input.submissionId, { type: 'Cancel', reason: null, actor: null });
  const reopen = openedSession({ log, objects, clock, version: async () => sessionInput.version });
  const found = await reopen(input.submissionId);
  assert.equal([found?.state, found?.createdAt], [first.state, first.createdAt]);
  assert.is(await reopen(`sub_${ids.ulid()}`), null);
});
