import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { submissionStream } from '../../domain/submission/submission.ts';
import { type CertificatePorts, COPIES_DAYS, certifyRedaction } from '../../evidence/certificate.ts';
import { collectStream } from '../../evidence/collect.ts';
import { documentText } from '../../evidence/format.ts';
import { signingKey } from '../../evidence/keys.ts';
import { sentenceOf } from '../../evidence/verify/sentences.ts';
import { verifyCertificate } from '../../evidence/verify.ts';
import { verifyCertificateFile } from '../../evidence/web/certificate.ts';
import { readPublicKey } from '../../evidence/web/keys.ts';
import { hashOf } from '../../stores/events/hash.ts';
import type { RecordedEvent } from '../../stores/events/port.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { examples } from '../controls/events.ts';
import { failure } from '../controls/stores.ts';
import { routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { type ExportStage, exportStage, key, objects } from './stage.ts';

const test = suite('evidence: the certificate of a redaction');
const ID = routing.submissionId;
const STREAM = submissionStream(ID);

const staged = (body: (stage: ExportStage) => Promise<void>) => async () => {
  const stage = await exportStage();
  try {
    await body(stage);
  } finally {
    await stage.remove();
  }
};

const certified = ({ ports, keys }: ExportStage, more: Partial<CertificatePorts> = {}) =>
  certifyRedaction(
    {
      ...ports,
      files: objects(null),
      isDestroyed: async (subject) => (await keys.undestroyed([subject])).size === 0,
      ...more,
    },
    ID,
  );

const refusal = async (stage: ExportStage, more: Partial<CertificatePorts> = {}) => {
  const { name, message } = await failure(certified(stage, more));
  return [name, message];
};

test(
  'holds by the public key, and any change of it does not [certificate-4]',
  staged(async (stage) => {
    await stage.redact();
    const signed = await certified(stage);
    if (!signed) throw new Error('there is no certificate');
    const { certificate } = signed;
    // Whatever the white space: `certificate` is signed as it is written with two.
    for (const text of [JSON.stringify(signed), documentText(signed)])
      assert.equal(await verifyCertificate(text, key.publicKey), { certificate, findings: [] });
    const text = JSON.stringify(signed);
    for (const changed of [
      text.replace('"erasure_request"', '"retention"'),
      text.replace('"maximumAgeDays":30', '"maximumAgeDays":3'),
      text.replace(certificate.chain.lastHash, '0'.repeat(64)),
      text.replace(signed.signature.slice(0, 4), 'AAAA'),
    ]) {
      assert.is.not(changed, text);
      const [first, ...more] = (await verifyCertificate(changed, key.publicKey)).findings;
      assert.match(first ?? '', 'its signature is not that of the key');
      assert.equal(more, []);
    }
    const stranger = await verifyCertificate(text, signingKey(Buffer.alloc(32, 9)).publicKey);
    assert.match(stranger.findings.join(), 'the key given is');
    for (const none of ['', '{}', '[', JSON.stringify({ ...signed, more: 1 })])
      assert.match((await verifyCertificate(none, key.publicKey)).findings.join(), 'is no certificate');
  }),
);

test(
  'a browser says of it what the command line does, and takes a package for none [certificate-7]',
  staged(async (stage) => {
    await stage.redact();
    const signed = await certified(stage);
    const text = JSON.stringify(signed);
    const inBrowser = await readPublicKey(key.publicKey.pem);
    if (!inBrowser) throw new Error('the key is not read');
    const toldInBrowser = async (one: string) => {
      const verdict = await verifyCertificateFile(new Blob([one]), inBrowser);
      return verdict && { ...verdict, findings: verdict.findings.map(sentenceOf) };
    };
    for (const one of [
      ...[text, ` \n${documentText(signed)}`, text.replace('"mode":"live"', '"mode":"test"')],
      ...[text.replace('"count":null', '"count":"x"'), '{}', '{', JSON.stringify({ ...signed, more: 1 })],
    ])
      assert.equal(await toldInBrowser(one), await verifyCertificate(one, key.publicKey), one.slice(0, 40));
    assert.equal((await verifyCertificateFile(new Blob([text]), inBrowser))?.findings, []);
    for (const other of ['', 'PK', '[]', `{${' '.repeat(1_000_000)}`])
      assert.is(await verifyCertificateFile(new Blob([other]), inBrowser), null);
  }),
);

test(
  'says what was destroyed, for whom and why, until when copies can bring it back, and the chain [certificate-1]',
  staged(async (stage) => {
    await stage.redact();
    const { certificate } = (await certified(stage)) ?? {};
    if (!certificate) throw new Error('there is no certificate');
    const stored: RecordedEvent[] = [];
    for await (const event of stage.ports.log.read(STREAM)) stored.push(event);
    const [requested, done] = stored.slice(-2);
    const { actor, at } = requested?.metadata ?? {};
    const { reason, legalBasis, requestedBy } = examples.SubmissionRedactionRequested.data;
    assert.equal(certificate.requested, {
      ...{ revision: requested?.revision, eventId: requested?.id, at, actor, requestId: 'r8' },
      ...{ reason, legalBasis, requestedBy },
    });
    assert.equal(certificate.done, { revision: done?.revision, eventId: done?.id, at: done?.metadata.at });
    assert.equal(
      certificate.destroyed.map(({ what, count }) => [what, count]),
      [
        ['sealing_key', 1],
        ['sealed_events', 5],
        ['files', 2],
        ['webhooks', 1],
        ['read_models', null],
      ],
    );
    const days =
      (Date.parse(certificate.backups.unreadableFrom) - Date.parse(certificate.done.at)) / 86_400_000;
    assert.equal([days, certificate.backups.maximumAgeDays], [30, 30]);
    const [first, last] = [stored[0], stored.at(-1)];
    if (!first || !last) throw new Error('the stream is empty');
    assert.equal(certificate.chain, {
      events: stored.length,
      firstHash: hashOf(first),
      lastHash: hashOf(last),
    });
    assert.match(certificate.cannotProve.join(), 'receivers of webhooks');
  }),
);

test(
  'also where private parts still open, nothing of them is in it [certificate-3]',
  staged(async (stage) => {
    for (const type of ['SubmissionRedactionRequested', 'SubmissionRedacted'] as const)
      await stage.appendTo(STREAM, examples[type]);
    const { opened } = await collectStream(stage.ports.log, STREAM, false);
    const text = JSON.stringify(await certified(stage, { isDestroyed: async () => true }));
    for (const secret of ['ACME', 'example.com', 'fine']) assert.is(text.includes(secret), false, secret);
    assert.match(JSON.stringify(opened), 'ACME');
  }),
);

test('the maximum age of copies is the one that operators are told [certificate-1]', () => {
  assert.match(
    readFileSync('docs/operating.md', 'utf8'),
    `| \`keys.db\` | apart from the rest, each at most **${COPIES_DAYS} days** old |`,
  );
});

test(
  'there is none until the redaction is done, nor where something has come back [certificate-2]',
  staged(async (stage) => {
    const none = await refusal(stage);
    assert.equal(none, ['RedactionNotDone', 'No redaction of the submission was requested.']);
    await stage.appendTo(STREAM, examples.SubmissionRedactionRequested);
    assert.equal(await refusal(stage), ['RedactionNotDone', 'The redaction is not done yet.']);
    await stage.appendTo(STREAM, examples.SubmissionRedacted);
    assert.match((await refusal(stage))[1] ?? '', 'The sealing key of the submission is there');
    await stage.keys.destroy(ID, DESTRUCTION);
    assert.match((await refusal(stage, { files: objects() }))[1] ?? '', 'A file of the submission is there');
    assert.ok(await certified(stage));
  }),
);

test(
  'there is none of a stream whose chain breaks, nor of no submission [certificate-2]',
  staged(async (stage) => {
    await stage.redact();
    const { log } = stage.ports;
    const read: typeof log.read = async function* (stream) {
      for await (const event of log.read(stream)) if (event.revision !== 3) yield event;
    };
    assert.is((await refusal(stage, { log: { ...log, read } }))[0], 'ChainBroken');
    const empty: typeof log.read = async function* () {};
    assert.is(await certified(stage, { log: { ...log, read: empty } }), null);
  }),
);
