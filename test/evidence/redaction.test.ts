import * as assert from 'uvu/assert';
import { deliveryPath, EVENTS } from '../../evidence/format.ts';
import { findingText, toldVerdict } from '../../evidence/verify/told.ts';
import { verifyPackage } from '../../evidence/verify.ts';
import { stepsOf } from '../../evidence/web/steps.ts';
import { verifyInBrowser } from '../../evidence/web/verify.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { examples, timeOf } from '../controls/events.ts';
import { routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { type ExportStage, exportStage, key, objects, sourceOf } from './stage.ts';

const test = suite('evidence: a redacted submission [certificate-5, certificate-6]');

const staged = (body: (stage: ExportStage) => Promise<void>) => async () => {
  const stage = await exportStage();
  try {
    await body(stage);
  } finally {
    await stage.remove();
  }
};

/** What the command line and what a browser find, which is the same. */
const verdictOf = async (files: ReadonlyMap<string, Buffer>) => {
  const [verdict, other] = [
    await verifyPackage(sourceOf(files), key.publicKey),
    toldVerdict(await verifyInBrowser(sourceOf(files), key.publicKey)),
  ];
  assert.equal([other.findings, other.redacted], [verdict.findings, verdict.redacted]);
  return verdict;
};

test(
  'holds, and says which files and members are missing, since when and on which basis',
  staged(async (stage) => {
    const delivery = await stage.deliver();
    await stage.redact();
    await stage.exportTo('package', { files: objects(null) });
    const { findings, redacted } = await verdictOf(stage.filesOf('package'));
    assert.equal(findings, []);
    const [file, ...parts] = redacted.map(findingText);
    const why = `redacted at ${timeOf(11)}, legal basis ${examples.SubmissionRedactionRequested.data.legalBasis}`;
    assert.match(file ?? '', /^files\/0-fil_\w+\.\w+: the file is not here: /);
    for (const text of [file, ...parts]) assert.ok(text?.endsWith(why), text);
    const first = parts.find((text) => text.includes('SessionCreated'));
    assert.match(
      first ?? '',
      'nobody can read webhookUrl, clientSubmissionId, metadata, batchRef, fileNames any more',
    );
    const places = new Set(redacted.slice(1).map((one) => one.file));
    assert.equal([...places], [EVENTS, deliveryPath(delivery)]);
  }),
);

test(
  'names no file that is there: only what is missing',
  staged(async (stage) => {
    await stage.redact();
    await stage.exportTo('package');
    const { findings, redacted } = await verdictOf(stage.filesOf('package'));
    assert.equal([findings, redacted.filter(({ file }) => file !== EVENTS)], [[], []]);
  }),
);

test(
  'without a redaction in its stream the same loss of private members does not hold, event by event',
  staged(async (stage) => {
    const delivery = await stage.deliver();
    await stage.keys.destroy(routing.submissionId, DESTRUCTION);
    await stage.exportTo('package', { files: objects(null) });
    const verdict = await verdictOf(stage.filesOf('package'));
    assert.equal(verdict.redacted, []);
    assert.equal(
      [...new Set(verdict.findings.map(({ file, detail }) => `${file}: ${detail}`))],
      [EVENTS, deliveryPath(delivery)].map(
        (path) => `${path}: reads as redacted, but no event says that the submission was`,
      ),
    );
    assert.is(stepsOf(verdict).find(({ step }) => step === 'events')?.result, 'bad');
  }),
);

test(
  'a redaction excuses no file that was taken out of the package afterwards',
  staged(async (stage) => {
    await stage.redact();
    await stage.exportTo('package');
    const files = stage.filesOf('package');
    const path = [...files.keys()].find((name) => name.startsWith('files/')) ?? '';
    files.delete(path);
    const { findings } = await verdictOf(files);
    assert.equal(
      findings.map(({ file, detail }) => [file, detail]),
      [[path, 'is missing']],
    );
  }),
);
