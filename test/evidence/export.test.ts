import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as assert from 'uvu/assert';
import { problemOf } from '../../cli/failure.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import { type ExportPorts, exportEvidence } from '../../evidence/export.ts';
import { MAX_DOCUMENT, MAX_FILES, MAX_LINE, MAX_STREAM } from '../../evidence/limits.ts';
import { openPackage } from '../../evidence/package/open.ts';
import { folderSink, zipSink } from '../../evidence/package/sink.ts';
import { packageWriter } from '../../evidence/package/writer.ts';
import { refuseLargeStream, refuseManyFiles } from '../../evidence/sizes.ts';
import { verifyPackage } from '../../evidence/verify.ts';
import { readPublicKey } from '../../evidence/web/keys.ts';
import { verifyInBrowser } from '../../evidence/web/verify.ts';
import { REDACTED } from '../../kernel/event.ts';
import { evidenceOf } from '../../runtime/evidence.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import type { Core } from '../../runtime/wire.ts';
import { sealedLog } from '../../stores/events/codec.ts';
import type { RecordedEvent } from '../../stores/events/port.ts';
import { folderReader } from '../../stores/objects/embedded/folderStore.ts';
import { openStorage } from '../../stores/objects/embedded/storage.ts';
import { evidenceKey } from '../../stores/objects/keys.ts';
import { examples, idOf } from '../controls/events.ts';
import { failure } from '../controls/stores.ts';
import { created, firstDecision, routing, submitted } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { testSettings } from '../support/service.ts';
import { signedAnew } from './forge.ts';
import { decided, type ExportStage, exportStage, filesIn, key, objects, sourceOf } from './stage.ts';

const test = suite('evidence: the export [audit-2]');

const staged =
  (body: (stage: ExportStage) => Promise<void>, events?: Parameters<typeof exportStage>[0]) => async () => {
    const stage = await exportStage(events);
    try {
      await body(stage);
    } finally {
      await stage.remove();
    }
  };

const { SubmissionFraudMatchResolved: dismissed } = examples;
/** A match was confirmed by mistake, and then dismissed. */
const replaced: readonly SubmissionEvent[] = [
  {
    ...dismissed,
    data: { ...dismissed.data, resolution: 'confirmed', fraudStatus: 'blocked', fraudScore: 1 },
  },
  { ...dismissed, data: { ...dismissed.data, previousResolution: 'confirmed' } },
];

const holds = async (stage: ExportStage, name: string): Promise<void> => {
  const source = await openPackage(join(stage.folder, name));
  const { findings } = await verifyPackage(source, key.publicKey);
  await source.close();
  assert.equal(findings, []);
};
const json = (stage: ExportStage, name: string, path: string) =>
  JSON.parse(String(stage.filesOf(name).get(path)));

test(
  'a resolution that replaced another one is told with both, and the state is as the last one left it',
  staged(
    async (stage) => {
      await stage.exportTo('package');
      await holds(stage, 'package');
      const told = json(stage, 'package', 'decisions.json').slice(0, 2);
      assert.equal(
        told.map(({ resolution, previousResolution, fraudStatus }: Record<string, unknown>) => [
          ...[resolution, previousResolution, fraudStatus],
        ]),
        [
          ['confirmed', undefined, 'blocked'],
          ['dismissed', 'confirmed', 'clean'],
        ],
      );
      const { fraudStatus, fraudScore, fraudMatches } = json(stage, 'package', 'state.json');
      assert.equal([fraudStatus, fraudScore, fraudMatches[0].resolution], ['clean', 0, 'dismissed']);
    },
    decided.flatMap((event) => (event.type === 'SubmissionFraudMatchResolved' ? replaced : [event])),
  ),
);

test(
  'of two people who decided both are told, and a mark of the second [review-17, review-21]',
  staged(
    async (stage) => {
      await stage.exportTo('package');
      await holds(stage, 'package');
      const told = json(stage, 'package', 'decisions.json').slice(-2);
      assert.equal(
        told.map(({ decision, outcome, by, comment, actor }: Record<string, unknown>) => [
          ...[decision, outcome, by, comment, (actor as { kind: string }).kind],
        ]),
        [
          ['first_decision_made', 'approved', 'ann', 'looks right', 'key'],
          ['approved', undefined, 'ann', 'fine', 'key'],
        ],
      );
      assert.equal(told[0].corrections, [{ field: 'total', machineValue: 80.9, humanValue: 80.95 }]);
      assert.equal([told[0].secondEye, told[1].secondEye], [undefined, 'invited']);
    },
    decided.flatMap((event) =>
      event.type === 'SubmissionApproved'
        ? [firstDecision('approved'), { ...event, data: { ...event.data, secondEye: 'invited' as const } }]
        : [event],
    ),
  ),
);

test(
  'decisions, corrections, the webhook and the file are told as the events tell them',
  staged(async (stage) => {
    await stage.deliver();
    const exported = await stage.exportTo('package');
    assert.equal([exported?.missing, exported?.redacted], [[], 0]);
    await holds(stage, 'package');
    const [resolved, approved] = json(stage, 'package', 'decisions.json');
    assert.equal(
      [resolved.decision, resolved.resolution, resolved.by],
      ['fraud_match_resolved', 'dismissed', 'ann'],
    );
    const { decision, by, comment, actor, requestId, corrections, revision } = approved;
    assert.equal([decision, by, comment, revision, requestId], ['approved', 'ann', 'fine', 6, 'r7']);
    assert.equal(actor, { kind: 'key', id: routing.keyId });
    assert.equal(corrections, [{ field: 'company', machineValue: null, humanValue: 'ACME' }]);
    const [delivery] = json(stage, 'package', 'deliveries.json');
    assert.equal(
      [delivery.url, delivery.status, delivery.attempts[0].error],
      ['https://example.com/hook', 'delivered', 'answered 500'],
    );
    const state = json(stage, 'package', 'state.json');
    assert.equal(
      [state.submissionStatus, state.extractedData.company, state.revision],
      ['approved', 'ACME', 6],
    );
    const [file] = json(stage, 'package', 'files.json');
    assert.equal(file.agrees, { size: 'no', sha256: 'unknown', etag: 'unknown' });
    assert.equal(
      exported?.differing.map(({ fileIndex }) => fileIndex),
      [0],
      'ten bytes had been submitted',
    );
    assert.is(statSync(join(stage.folder, 'package')).mode & 0o777, 0o700);
    assert.is(statSync(join(stage.folder, 'package/events.jsonl')).mode & 0o777, 0o600);
  }),
);

test(
  'what seals private parts does not stand in it',
  staged(async (stage) => {
    await stage.exportTo('package');
    const subjectKey = Buffer.from((await stage.keys.obtain(routing.submissionId)) ?? '');
    const all = Buffer.concat([...stage.filesOf('package').values()]);
    for (const form of ['hex', 'base64', 'base64url'] as const)
      assert.is(all.includes(subjectKey.toString(form).slice(0, -2)), false, form);
    assert.is(all.includes(subjectKey), false);
  }),
);

test(
  'a zip file holds the same, byte for byte',
  staged(async (stage) => {
    await stage.exportTo('package');
    await stage.exportTo('package.zip', {}, zipSink);
    await holds(stage, 'package.zip');
    const source = await openPackage(join(stage.folder, 'package.zip'));
    const files = stage.filesOf('package');
    assert.equal(source.entries.map(({ path }) => path).sort(), [...files.keys()].sort());
    for (const [path, bytes] of files)
      assert.equal(Buffer.concat(await Readable.from(source.read(path)).toArray()), bytes, path);
    await source.close();
  }),
);

test(
  'a redacted submission is exported as what is left of it',
  staged(async (stage) => {
    await stage.deliver();
    await stage.redact();
    const exported = await stage.exportTo('package');
    assert.is(exported?.redacted, 6);
    await holds(stage, 'package');
    assert.is(json(stage, 'package', 'state.json').extractedData, REDACTED);
    const all = Buffer.concat([...stage.filesOf('package').values()]).toString();
    for (const secret of ['ACME', 'example.com', 'ann', 'blue'])
      assert.is(all.includes(`"${secret}`), false, secret);
    assert.match(String(stage.filesOf('package').get('README.txt')), '6 private parts are redacted');
  }),
);

test(
  'an event that this release does not know is exported as it is, and changes no document',
  staged(async (stage) => {
    const name = submissionStream(routing.submissionId);
    const { head } = await stage.log.load(name);
    const metadata = {
      schema: 1,
      at: '2026-11-21T11:00:00.000Z',
      $correlationId: 'c',
      $causationId: 'c',
      actor: { kind: 'system', id: 'later' },
    } as const;
    await sealedLog(stage.events, stage.keys).append(
      name,
      head,
      [{ type: 'SubmissionBlessed', data: { by: 'us' }, id: idOf(99), metadata }],
      () => null,
    );
    await stage.exportTo('package');
    await holds(stage, 'package');
    const files = stage.filesOf('package');
    assert.is(json(stage, 'package', 'manifest.json').submission.events[7].type, 'SubmissionBlessed');
    assert.is(json(stage, 'package', 'state.json').revision, 6);
    // A later release knows it, and makes something of it.
    const state = String(files.get('state.json')).replace('"revision": 6', '"revision": 7');
    const { findings } = await verifyPackage(
      sourceOf(signedAnew(files.set('state.json', Buffer.from(state)))),
      key.publicKey,
    );
    assert.equal(
      findings.map(({ file, event, pointer }) => [file, event?.type ?? pointer]),
      [
        ['events.jsonl', 'SubmissionBlessed'],
        ['state.json', '/revision'],
      ],
    );
    assert.match(findings[0]?.detail ?? '', 'verify with one as new as intake test');
  }),
);

test(
  'a session without files yet is exported too',
  staged(
    async (stage) => {
      await stage.exportTo('package');
      await holds(stage, 'package');
      assert.equal(
        [json(stage, 'package', 'files.json'), json(stage, 'package', 'decisions.json')],
        [[], []],
      );
    },
    [created],
  ),
);

test(
  'a file that is missing in the store is named, and its coming back later is no part of the package',
  staged(async (stage) => {
    const exported = await stage.exportTo('package', { files: objects(null) });
    assert.equal(
      exported?.missing.map(({ fileIndex }) => fileIndex),
      [0],
    );
    assert.equal(exported?.manifest.missing, [{ fileIndex: 0, fileId: 'fil_01hv6x3m8q2r5t7w9y0a1b2c3d' }]);
    await holds(stage, 'package');
    const path = 'files/0-fil_01hv6x3m8q2r5t7w9y0a1b2c3d.png';
    const { findings } = await verifyPackage(
      sourceOf(stage.filesOf('package').set(path, Buffer.from('x'))),
      key.publicKey,
    );
    assert.equal(
      findings.map(({ file }) => file),
      [path],
    );
  }),
);

test(
  'what was declared and what the store’s marks say is compared with the bytes',
  staged(async (stage) => {
    const content = Buffer.from('0123456789');
    const etag = '"84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"';
    const files = { ...objects(content), head: async () => ({ size: 10, etag, mimeType: 'image/png' }) };
    await stage.exportTo('package', { files });
    await holds(stage, 'package');
    const [{ agrees }] = json(stage, 'package', 'files.json');
    assert.equal(
      agrees,
      { size: 'yes', sha256: 'unknown', etag: 'no' },
      'the store’s mark is of these bytes, the recorded one is not',
    );
  }),
);

/** The mark that the embedded store gives to the ten bytes that were submitted. */
const embeddedEtag = '"84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"';
const submittedToEmbedded: SubmissionEvent =
  submitted.type === 'SessionSubmitted'
    ? {
        ...submitted,
        data: {
          ...submitted.data,
          files: submitted.data.files.map((one) => ({ ...one, etag: embeddedEtag })),
        },
      }
    : submitted;

test(
  'of a rotten disk, a changed byte is told, and a damaged file left out and named, with all the rest exported',
  staged(
    async (stage) => {
      const [disk, fileId] = [join(stage.folder, 'objects'), 'fil_01hv6x3m8q2r5t7w9y0a1b2c3d'];
      const files = folderReader(disk);
      const key = evidenceKey(routing.submissionId, { fileId, etag: embeddedEtag });
      const body = Readable.from([Buffer.from('0123456789')]);
      const storage = await openStorage(disk);
      await storage.put({ key, mimeType: 'image/png', storedAt: '', body });
      await storage.close();
      const [path = ''] = [...filesIn(disk).keys()].map((name) => join(disk, name));
      const sound = await stage.exportTo('sound', { files });
      assert.equal([sound?.differing, sound?.missing], [[], []]);
      writeFileSync(path, readFileSync(path).fill('x', 0, 1));
      const changed = await stage.exportTo('changed', { files });
      await holds(stage, 'changed');
      assert.equal(
        changed?.differing.map(({ agrees }) => agrees),
        [{ size: 'yes', sha256: 'unknown', etag: 'no' }],
      );
      truncateSync(path, 8);
      const damaged = await stage.exportTo('damaged', { files });
      await holds(stage, 'damaged');
      assert.equal([...(damaged?.damaged ?? [])], [fileId]);
      assert.equal(damaged?.manifest.missing, [{ fileIndex: 0, fileId }]);
      assert.match(
        String(stage.filesOf('damaged').get('README.txt')),
        '1 file could not be had from the store (1 of them damaged there)',
      );
    },
    [created, submittedToEmbedded],
  ),
);

/** Events that somebody else, or another release, wrote. */
const appended = async (
  stage: ExportStage,
  type: string,
  data: Readonly<Record<string, unknown>>,
  schema = 1,
) => {
  const name = submissionStream(routing.submissionId);
  const { head } = await stage.log.load(name);
  const metadata = {
    ...{ schema, at: '2026-11-21T11:00:00.000Z', $correlationId: 'c', $causationId: 'c' },
    actor: { kind: 'system', id: 'later' },
  } as const;
  const event = { type, data, id: idOf(90 + (head === null ? 0 : head.revision + 1)), metadata };
  await sealedLog(stage.events, stage.keys).append(name, head, [event], () => null);
};

test(
  'a type with digits and signs in its name is exported like others',
  staged(async (stage) => {
    await appended(stage, 'Submission_blessed.v2', {});
    await stage.exportTo('package');
    await holds(stage, 'package');
  }),
);

test(
  'events that no state can be made of stop it, and the first of them is named',
  staged(async (stage) => {
    await appended(stage, 'SessionSubmitted', { ...routing, files: [null] });
    const error = await failure(stage.exportTo('package'));
    assert.is(error.name, 'EventsNotFoldable');
    assert.match(error.message, `from revision 7 (SessionSubmitted, ${idOf(97)}) on: `);
    assert.equal(problemOf(error).code, 'events-not-foldable');
    assert.equal(readdirSync(stage.folder), []);
  }),
);

test(
  'so do events that rest on one of a newer release',
  staged(async (stage) => {
    await appended(stage, 'SessionCreated', {}, 99);
    await appended(stage, 'SessionSubmitted', { ...routing, files: [] });
    const error = await failure(stage.exportTo('package'));
    assert.match(error.message, /from revision 1 \(SessionSubmitted, .*without a SessionCreated before it/);
  }, []),
);

test(
  'a delivery whose beginning was given up is exported from where it begins',
  staged(async (stage) => {
    await stage.deliver();
    await stage.log.truncate(webhookDeliveryStream(idOf(1)), 2);
    await stage.exportTo('package');
    await holds(stage, 'package');
    const [delivery] = json(stage, 'package', 'deliveries.json');
    assert.equal(
      [delivery.firstRevision, delivery.url, delivery.status, delivery.attemptsMade],
      [2, null, 'delivered', 2],
    );
  }),
);

test(
  'deliveries to endpoints are in it beside that to the session’s address, by Node and by browsers verified [audit-2]',
  staged(async (stage) => {
    const own = await stage.deliver();
    const ids = [own];
    for (const letter of ['a', 'b'])
      ids.push(await stage.deliver({ endpointId: `whe_${letter.repeat(26)}` }));
    await stage.exportTo('package');
    await holds(stage, 'package');
    const webKey = await readPublicKey(key.publicKey.pem);
    assert.ok(webKey);
    const source = await openPackage(join(stage.folder, 'package'));
    const web = await verifyInBrowser(source, webKey);
    await source.close();
    assert.equal(web.findings, []);
    assert.equal(
      web.manifest?.deliveries.map(({ path, stream }) => [path, stream]),
      ids.map((id) => [`deliveries/${id.replace('.', '_')}.jsonl`, webhookDeliveryStream(id)]),
    );
    assert.equal(
      json(stage, 'package', 'deliveries.json').map(({ endpointId }: { endpointId?: string }) => endpointId),
      [undefined, `whe_${'a'.repeat(26)}`, `whe_${'b'.repeat(26)}`],
    );
  }),
);

test(
  'a delivery to an endpoint that is of another submission’s event, or was changed, is found [audit-3]',
  staged(async (stage) => {
    const id = await stage.deliver({ endpointId: `whe_${'a'.repeat(26)}` });
    await stage.exportTo('package');
    const path = `deliveries/${id.replace('.', '_')}.jsonl`;
    const findingsOf = async (files: ReadonlyMap<string, Buffer>) =>
      (await verifyPackage(sourceOf(files), key.publicKey)).findings;
    const files = stage.filesOf('package');
    const changed = String(files.get(path)).replace('"statusCode":500', '"statusCode":200');
    const [first] = await findingsOf(new Map(files).set(path, Buffer.from(changed)));
    assert.is(first?.file, path);
    const foreign = `${idOf(99)}.${'a'.repeat(26)}`;
    const manifest = String(files.get('manifest.json'));
    const otherStream = manifest.replaceAll(`webhookDelivery-${id}`, `webhookDelivery-${foreign}`);
    const otherPath = `deliveries/${foreign.replace('.', '_')}.jsonl`;
    for (const text of [otherStream, otherStream.replaceAll(path, otherPath)]) {
      const moved = new Map(files).set(otherPath, files.get(path) as Buffer);
      const [named] = await findingsOf(signedAnew(moved.set('manifest.json', Buffer.from(text))));
      assert.equal([named?.file, named?.pointer], ['manifest.json', '/deliveries/0']);
    }
  }),
);

/** The log as somebody left it who changed an event in the database. */
const tampered = (
  ports: ExportPorts,
  change: (event: RecordedEvent) => RecordedEvent | null,
): Partial<ExportPorts> => ({
  log: {
    ...ports.log,
    read: async function* (stream) {
      for await (const event of ports.log.read(stream)) {
        const changed = stream.startsWith('submission-') ? change(event) : event;
        if (changed) yield changed;
      }
    },
  },
});

test(
  'a break in the chain stops the export and names the event; nothing is left',
  staged(async (stage) => {
    const at = (revision: number, change: (event: RecordedEvent) => RecordedEvent | null) =>
      failure(
        stage.exportTo(
          'package',
          tampered(stage.ports, (event) => (event.revision === revision ? change(event) : event)),
        ),
      );
    const edited = await at(3, (event) => ({ ...event, data: { ...event.data, fraudScore: 0 } }));
    assert.match(edited.message, /breaks at revision 4 .*prev is not the hash of revision 3/);
    assert.match((await at(3, () => null)).message, /revision 4 .*follows on revision 2/);
    assert.match((await at(0, () => null)).message, /revision 1 .*starts with it/);
    assert.match(
      (await at(0, (event) => ({ ...event, metadata: { ...event.metadata, prev: 'a' } }))).message,
      /revision 0 .*first of the stream/,
    );
    assert.equal(readdirSync(stage.folder), []);
  }),
);

test(
  'a private part that is not what was sealed stops it, too',
  staged(async (stage) => {
    // The last event: no chain vouches for it yet.
    const ports = tampered(stage.ports, (event) => {
      if (event.revision !== 6) return event;
      const { sealed, subject } = event.data.private as { sealed: string; subject: string };
      return {
        ...event,
        data: { ...event.data, private: { sealed: `${sealed.slice(0, -4)}AAAA`, subject } },
      };
    });
    const error = await failure(stage.exportTo('package', ports));
    assert.is(error.name, 'SealBroken');
    assert.match(error.message, idOf(7));
    assert.equal(readdirSync(stage.folder), []);
  }),
);

test(
  'nothing that is there already is written over',
  staged(async (stage) => {
    mkdirSync(join(stage.folder, 'package'));
    for (const sink of [folderSink, zipSink]) {
      assert.match((await failure(stage.exportTo('package', {}, sink))).message, 'is there already');
      assert.match(
        (await failure(stage.exportTo('nowhere/package', {}, sink))).message,
        'There is no folder',
      );
    }
    assert.equal(readdirSync(join(stage.folder, 'package')), []);
  }),
);

test(
  'cancelled, or broken off by the store, it leaves nothing',
  staged(async (stage) => {
    const endless = async function* () {
      for (;;) yield Buffer.alloc(65_536);
    };
    const broken = async function* () {
      yield Buffer.alloc(65_536);
      throw new Error('the store went away');
    };
    const reading = (bytes: () => AsyncGenerator<Buffer>) => ({
      ...objects(),
      read: async () => Readable.from(bytes()),
    });
    for (const sink of [folderSink, zipSink]) {
      const stop = new AbortController();
      const run = (files: ExportPorts['files'], end: number) =>
        failure(
          exportEvidence(
            { ...stage.ports, files },
            routing.submissionId,
            () => sink(join(stage.folder, 'package')),
            stop.signal,
            (_, bytes) => {
              if (bytes > end) stop.abort();
            },
          ),
        );
      assert.match((await run(reading(broken), Number.POSITIVE_INFINITY)).message, 'the store went away');
      assert.is((await run(reading(endless), 4_000_000)).name, 'AbortError');
      assert.equal(readdirSync(stage.folder), [], sink.name);
    }
  }),
);

test(
  'what no verifier would look at is not written',
  staged(async (stage) => {
    const writer = packageWriter(
      await folderSink(join(stage.folder, 'package')),
      new AbortController().signal,
      () => undefined,
    );
    const error = await failure(writer.text('state.json', ' '.repeat(MAX_DOCUMENT + 1)));
    assert.is(problemOf(error).code, 'package-too-large');
    assert.match(error.message, /state\.json would have 67108865 bytes/);
    const line = ' '.repeat(MAX_LINE);
    assert.throws(() => refuseLargeStream('events.jsonl', [line, `${line} `]), /line 2 of events\.jsonl/);
    const lines = Array.from({ length: MAX_STREAM / MAX_LINE }, () => line);
    refuseLargeStream('events.jsonl', lines);
    assert.throws(() => refuseLargeStream('events.jsonl', [...lines, ' ']), /events\.jsonl would have/);
    assert.throws(() => refuseManyFiles(MAX_FILES + 1), /more than 20000 files/);
  }),
);

/** Why the service refuses to export what the log has. */
const refusalOf = async ({ folder, ports }: ExportStage, read = ports.log.read): Promise<string | null> => {
  const { refusal } = evidenceOf(
    readConfig(testSettings(folder, { EVIDENCE_KEY: Buffer.alloc(32, 3).toString('base64') })),
    {
      ...({
        events: { read },
        open: ports.log.open,
        clock: { now: ports.now },
        deliveries: ports.deliveries,
      } as unknown as Core),
      report: { error: () => undefined } as unknown as Core['report'],
      closing: new AbortController().signal,
    },
    objects(),
  );
  return refusal(routing.submissionId);
};

test(
  'a delivery that can’t be relied on, or is too large, is refused before anything is sent [audit-4]',
  staged(async (stage) => {
    await stage.deliver();
    assert.is(await refusalOf(stage), null);
    const reading = (change: (event: RecordedEvent) => RecordedEvent): ExportPorts['log']['read'] =>
      async function* (stream) {
        for await (const event of stage.ports.log.read(stream))
          yield stream.startsWith('webhookDelivery-') ? change(event) : event;
      };
    const forged = reading((event) => ({ ...event, data: { ...event.data, attempts: 9 } }));
    assert.match((await refusalOf(stage, forged)) ?? '', /chain of webhookDelivery-.* breaks at revision 1/);
    const first = (event: RecordedEvent) =>
      event.revision > 0 ? event : { ...event, data: { ...event.data, url: 'u'.repeat(MAX_LINE) } };
    const large = async function* (stream: string) {
      for await (const event of reading(first)(stream)) if (event.revision === 0) yield event;
    };
    assert.match(
      (await refusalOf(stage, (stream) =>
        stream.startsWith('webhook') ? large(stream) : stage.ports.log.read(stream),
      )) ?? '',
      /line 1 of deliveries\/.*\.jsonl would have/,
    );
  }),
);

test(
  'of a submission that is not there nothing is made',
  staged(async (stage) => {
    const other = 'sub_01hv6x3m8q2r5t7w9y0a1b2c3f';
    const made = await exportEvidence(
      stage.ports,
      other,
      () => folderSink(join(stage.folder, 'a')),
      new AbortController().signal,
      () => undefined,
    );
    assert.equal([made, existsSync(join(stage.folder, 'a'))], [null, false]);
    assert.is((await stage.log.load(submissionStream(other))).head, null);
  }),
);
