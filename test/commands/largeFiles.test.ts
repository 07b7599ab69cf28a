import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { signUploads } from '../../commands/openSession.ts';
import { type SubmitSessionPorts, submitSession } from '../../commands/submitSession.ts';
import { filePartsOf, partSizeOf } from '../../domain/fileParts.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { DomainError } from '../../kernel/decider.ts';
import { createUploadRemoval } from '../../reactors/removeUploads.ts';
import { uploadKey } from '../../stores/objects/keys.ts';
import type { ObjectStore } from '../../stores/objects/port.ts';
import { sessionsOn } from '../controls/sessions.ts';
import { context, failure, gate, keptReport, type Stores, withStores } from '../controls/stores.ts';
import { version as small } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('submit of large files');

const fileSize = 105_000_000;
const sha256 = createHash('sha256').update(Buffer.alloc(fileSize)).digest('hex');
const version = { ...small, upload: { ...small.upload, maxFileSizeMb: 200 } };
const size = partSizeOf(fileSize);
const pieces = filePartsOf(fileSize, { size, sha256: null }).map((part) => Buffer.alloc(part.size));

/** A session with a large file, whose upload in parts was begun. */
const stageOn = async (stores: Stores) => {
  const sessions = sessionsOn(stores);
  const files = [{ mimeType: 'image/png', fileSize, sha256 }];
  const { submissionId, state } = await sessions.opened({ version, files });
  const key = uploadKey(submissionId, state.slots[0]?.fileId ?? '');
  const { objects, parts } = sessions;
  const send = (count = pieces.length, upload = 0): void => {
    for (const [index, piece] of pieces.slice(0, count).entries())
      parts.kept[upload]?.parts.set(index + 1, piece);
  };
  return {
    ...{ sessions, submissionId, key, objects, kept: parts.kept, send },
    /** A process that submits, with an object store of its own. */
    processOf: (over: Partial<ObjectStore> = {}) => {
      const ports: SubmitSessionPorts = { ...sessions.ports, objects: { ...objects, ...over } };
      const submit = submitSession(ports);
      return () => submit(submissionId, version, context);
    },
    renew: () => signUploads({ objects, clock: stores.clock }, state, version.upload),
    typesOf: async () =>
      (await stores.log.load(submissionStream(submissionId))).events.map(({ type }) => type),
  };
};
const SUBMITTED = ['SessionCreated', 'SessionSubmitted'];

test(
  'a submit that comes again while the file is read shares the reading, and both succeed [uploads-25]',
  withStores(async (stores) => {
    const { objects, processOf, send, typesOf } = await stageOn(stores);
    send();
    const reading = gate<void>();
    let reads = 0;
    const submit = processOf({
      sha256: async (...of) => {
        reads += 1;
        await reading.opened;
        return objects.sha256(...of);
      },
    });
    const first = submit();
    const again = [submit(), submit()];
    reading.open();
    const ends = await Promise.all([first, ...again]);
    assert.equal(
      ends.map(({ state }) => state?.state),
      ['queued', 'queued', 'queued'],
    );
    assert.equal([reads, await typesOf()], [1, SUBMITTED]);
  }),
);

test(
  'another node reads the file once more, however often it is asked, and it is submitted once [uploads-25]',
  withStores(async (stores) => {
    const { objects, processOf, send, typesOf } = await stageOn(stores);
    send();
    const reading = gate<void>();
    let reads = 0;
    const bothRead = gate<void>();
    const node = () =>
      processOf({
        sha256: async (...of) => {
          reads += 1;
          if (reads === 2) bothRead.open();
          await reading.opened;
          return objects.sha256(...of);
        },
      });
    const [one, other] = [node(), node()];
    const submits = [one(), other(), one(), other()];
    await Promise.race([bothRead.opened, Promise.all(submits)]);
    reading.open();
    const ends = await Promise.all(submits);
    assert.equal(
      ends.map(({ state }) => state?.state),
      ['queued', 'queued', 'queued', 'queued'],
    );
    assert.equal([reads, await typesOf()], [2, SUBMITTED]);
  }),
);

test(
  'a joined file of another SHA-256 than declared is refused and removed, and can be sent again [uploads-25]',
  withStores(async (stores) => {
    const { key, kept, objects, processOf, send, renew, typesOf } = await stageOn(stores);
    send();
    kept[0]?.parts.set(1, Buffer.alloc(size, 1));
    const refused = (await failure(processOf()())) as DomainError;
    const detail = `front: the uploaded file does not have the SHA-256 that was declared, ${sha256}`;
    assert.equal(
      [refused.name, refused.facts],
      ['UploadsRefused', { errors: [{ pointer: '/files/0', detail }] }],
    );
    assert.equal([await objects.head(key), await typesOf()], [null, ['SessionCreated']]);
    const [fresh] = await renew();
    assert.ok(fresh?.parts?.every(({ uploaded }) => !uploaded));
    send();
    assert.is((await processOf()()).state?.state, 'queued');
    assert.equal(await typesOf(), SUBMITTED);
  }),
);

test(
  'after a crash between the join and the event another submit succeeds, once [uploads-24]',
  withStores(async (stores) => {
    const { kept, objects, processOf, send, renew, typesOf } = await stageOn(stores);
    send();
    const [copying, woken] = [gate<void>(), gate<void>()];
    const dying = processOf({
      copy: async (...terms) => {
        copying.open();
        await woken.opened;
        return objects.copy(...terms);
      },
    });
    const crashed = dying();
    await copying.opened;
    assert.equal(kept, [], 'the parts were joined');
    const [upload] = await renew();
    assert.ok(
      upload?.parts?.every(({ uploaded }) => uploaded),
      'all count as there',
    );
    send(2);
    assert.is((await processOf()()).state?.state, 'queued', 'what has been begun since is not missed');
    assert.equal(await typesOf(), SUBMITTED);
    // It was not dead, but slow.
    woken.open();
    assert.equal([(await crashed).events, await typesOf()], [[], SUBMITTED]);
  }),
);

test(
  'of uploads that two requests for addresses began at once that with the parts is joined, the other one is removed [uploads-23]',
  withStores(async (stores) => {
    const { sessions, key, kept, objects, processOf, renew, send, typesOf } = await stageOn(stores);
    const [begun] = kept;
    await objects.inParts.drop({ key, uploadId: begun?.uploadId ?? '' });
    await Promise.all([renew(), renew()]);
    assert.is(kept.length, 2);
    send(2, 0);
    send(pieces.length, 1);
    const [fresh] = await renew();
    assert.ok(fresh?.parts?.every(({ uploaded }) => uploaded));
    assert.is((await processOf()()).state?.state, 'queued');
    assert.equal([kept.length, await typesOf()], [1, SUBMITTED]);
    const later = new Date(Date.now() + 2 * 86_400_000);
    const removal = createUploadRemoval({
      ...{ objects, report: keptReport().report, sessionTtlMs: 86_400_000 },
      clock: { ...stores.clock, now: () => later },
      isSettled: async () => true,
      onRemoved: () => undefined,
    });
    await removal(new AbortController().signal);
    assert.equal([kept, sessions.notRemoved], [[], []]);
  }),
);
