import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { problemOf } from '../../cli/failure.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { exportCollection } from '../../evidence/collection/export.ts';
import type { CollectionFilter } from '../../evidence/collection/format.ts';
import { verifyCollection } from '../../evidence/collection/verify.ts';
import type { ExportPorts } from '../../evidence/export.ts';
import { signingKey } from '../../evidence/keys.ts';
import { zipSink } from '../../evidence/package/sink.ts';
import { examples } from '../controls/events.ts';
import { routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { decided, exportStage, key } from './stage.ts';

const test = suite('evidence: of a filter');
const ONE = routing.submissionId;
const TWO = ONE.replace(/.$/, 'e');
const filter: CollectionFilter = {
  ...{ companyId: routing.companyId, mode: 'live' },
  ...{ workflow: null, status: null, from: null, until: null },
};
const isUnstopped = new AbortController().signal;
const nothing = (): void => undefined;

const stageOfTwo = async () => {
  const stage = await exportStage();
  // Its private parts are sealed with the key of the other.
  const appendToTwo = (event: SubmissionEvent): Promise<void> => {
    const data = { ...event.data, submissionId: TWO };
    return stage.appendTo(submissionStream(TWO), { ...event, data } as SubmissionEvent);
  };
  for (const event of decided) await appendToTwo(event);
  const path = join(stage.folder, 'quarter');
  const make = (
    more: Partial<ExportPorts> = {},
    { ids = [ONE, TWO], of = filter, signal = isUnstopped, onProgress = nothing as OnProgress } = {},
  ) => {
    const list = async function* () {
      for (const submissionId of ids) yield { submissionId, status: 'approved' } as const;
    };
    const ports = { ...stage.ports, head: stage.log.head, list, ...more };
    return exportCollection(ports, path, of, signal, onProgress);
  };
  const redact = async (): Promise<void> => {
    await appendToTwo(examples.SubmissionRedactionRequested);
    await appendToTwo(examples.SubmissionRedacted);
    await stage.redact();
  };
  return { ...stage, path, make, redact, names: () => readdirSync(path).sort() };
};

type OnProgress = (done: number) => void;
type Stage = Awaited<ReturnType<typeof stageOfTwo>>;

const staged = (body: (stage: Stage) => Promise<void>) => async () => {
  const stage = await stageOfTwo();
  try {
    await body(stage);
  } finally {
    await stage.remove();
  }
};

const findingsOf = async ({ path }: Pick<Stage, 'path'>, by = key) =>
  (await verifyCollection(path, by.publicKey, nothing)).findings.map(({ file, detail }) => [
    file,
    detail.replace(/[:,] .*/, ''),
  ]);

const WHOLE = ['index.json', 'index.sig', `${ONE}.zip`, `${TWO}.zip`, 'submissions.jsonl'];

/** An export that is stopped after the first package. */
const stopped = async (stage: Stage): Promise<void> => {
  const stop = new AbortController();
  const more = { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) };
  await stage.make({}, more).then(
    () => assert.unreachable('it was stopped'),
    ({ message }: Error) => assert.is(message, 'enough'),
  );
};

test(
  'one that was stopped goes on: what is right stays, what is half written does not [audit-9]',
  staged(async (stage) => {
    const { path, make, names } = stage;
    await stopped(stage);
    assert.equal(names(), ['plan.jsonl', `${ONE}.zip`]);
    const before = statSync(join(path, `${ONE}.zip`)).ino;
    writeFileSync(join(path, `${TWO}.zip.0123abcd.part`), 'half');
    writeFileSync(join(path, 'submissions.jsonl.part'), 'half');
    // What comes later does not count: the filter was applied at the start.
    const { index, kept } = await make({}, { ids: [] });
    assert.equal([index.count, kept, names()], [2, 1, WHOLE]);
    assert.is(statSync(join(path, `${ONE}.zip`)).ino, before);
    assert.equal(await findingsOf(stage), []);
  }),
);

test(
  'a package that is damaged, of another key or older than the last event, is made again [audit-9]',
  staged(async (stage) => {
    const { path, make } = stage;
    await stopped(stage);
    truncateSync(join(path, `${ONE}.zip`), 100);
    await stopped(stage);
    const whole = statSync(join(path, `${ONE}.zip`));
    assert.ok(whole.size > 100);
    await stage.exportTo('strange.zip', { key: signingKey(Buffer.alloc(32, 9)) }, zipSink);
    copyFileSync(join(stage.folder, 'strange.zip'), join(path, `${ONE}.zip`));
    const signed = () => readFileSync(join(path, `${ONE}.zip`));
    const strange = signed();
    await stopped(stage);
    assert.is.not(signed().equals(strange), true);
    await stage.redact();
    const { kept } = await make();
    assert.is(kept, 0);
    const { findings, redacted } = await verifyCollection(path, key.publicKey, nothing);
    assert.equal([findings, redacted], [[], 2]);
  }),
);

test(
  'is never that of another filter, and never written over another folder [audit-9]',
  staged(async (stage) => {
    await stopped(stage);
    const refusal = async (of: CollectionFilter): Promise<string> =>
      stage.make({}, { of }).then(
        () => 'made',
        (error) => problemOf(error).code,
      );
    assert.is(await refusal({ ...filter, status: 'approved' }), 'other-filter');
    assert.equal([await refusal(filter), await refusal(filter)], ['made', 'package-refused']);
  }),
);

test(
  'a submission whose chain is broken has no package, and the list says why [audit-11]',
  staged(async (stage) => {
    const { read } = stage.ports.log;
    const broken: typeof read = async function* (stream, ...more) {
      for await (const event of read(stream, ...more))
        if (stream !== submissionStream(ONE) || event.revision !== 2) yield event;
    };
    const log = { ...stage.ports.log, read: broken };
    const { index, refused } = await stage.make({ log });
    assert.equal([index.count, refused.map((one) => one.submissionId)], [2, [ONE]]);
    assert.match(refused[0]?.refused ?? '', /breaks at revision 3/);
    const verdict = await verifyCollection(stage.path, key.publicKey, nothing);
    assert.equal([verdict.findings, verdict.refused], [[], refused]);
  }),
);

test(
  'verification names each package that is missing, changed, exchanged or added [audit-10]',
  staged(async (stage) => {
    const { path, make } = stage;
    await make();
    const at = (name: string): string => join(path, name);
    const whole = WHOLE.map((name) => [name, readFileSync(at(name))] as const);
    const spoilt = async (change: () => void): Promise<readonly unknown[]> => {
      change();
      const findings = await findingsOf(stage);
      for (const name of stage.names()) rmSync(at(name));
      for (const [name, bytes] of whole) writeFileSync(at(name), bytes);
      return findings;
    };
    const changed = (name: string, from: string, to: string): void =>
      writeFileSync(at(name), readFileSync(at(name), 'utf8').replace(from, to));
    assert.equal(await findingsOf(stage), []);
    assert.equal(await spoilt(() => rmSync(at(`${TWO}.zip`))), [[`${TWO}.zip`, 'is missing']]);
    const cut = await spoilt(() => truncateSync(at(`${TWO}.zip`), 100));
    assert.equal(cut[0], [`${TWO}.zip`, 'is not the package that the list names']);
    assert.is(cut.length, 2);
    const exchanged = await spoilt(() => copyFileSync(at(`${ONE}.zip`), at(`${TWO}.zip`)));
    assert.equal(exchanged, [
      [`${TWO}.zip`, 'is not the package that the list names'],
      [`${TWO}.zip`, `is the package of ${ONE}`],
    ]);
    assert.equal(await spoilt(() => writeFileSync(at('more.zip'), '')), [['more.zip', 'was added']]);
    const signature = 'index.sig does not sign it with the key';
    for (const change of [
      () => changed('index.json', '"count": 2', '"count": 1'),
      () => writeFileSync(at('index.sig'), `${Buffer.alloc(64).toString('base64')}\n`),
    ]) {
      const [first] = await spoilt(change);
      assert.match((first as string[]).join(' '), signature);
    }
    assert.equal(await spoilt(() => changed('submissions.jsonl', 'approved', 'rejected')), [
      ['submissions.jsonl', 'is not the list that the index names'],
    ]);
    assert.equal(await spoilt(() => rmSync(at('index.json'))), [['index.json', 'is missing']]);
    const [stranger] = await findingsOf(stage, signingKey(Buffer.alloc(32, 9)));
    assert.match(stranger?.join(' ') ?? '', 'it was signed with the key');
  }),
);
