import * as assert from 'uvu/assert';
import type { Entry } from '../../cli/timeline.ts';
import type { Submission } from '../../domain/submission/state.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { Core } from '../../runtime/wire.ts';
import { rejected, routing, submitted } from '../controls/submission.ts';
import { eventually, suite } from '../harness.ts';
import { openCoreOf } from '../support/core.ts';
import { appendForeign } from '../support/foreign.ts';
import { start, workplace } from './run.ts';

const test = suite('the command line: auditing what this release does not know');
const place = workplace();
let core: Core;
const ID = routing.submissionId;
const stream = submissionStream(ID);
const open = {
  type: 'SessionCreated',
  data: {
    ...{ ...routing, from: null, to: 'created', firstProcessed: false, processed: false },
    ...{ workflow: { id: 'wf_1', slug: 'receipt', name: 'Receipt', version: 1 }, slots: [], notifies: false },
    ...{ expiresAt: '2026-11-23T10:00:00.000Z', private: { redacted: true } },
  },
};
test.before(async () => {
  core = await openCoreOf(place.settings);
  await appendForeign(core, stream, open);
  await appendForeign(core, stream, {
    type: 'SubmissionPraised',
    data: { ...routing, private: { actor: 'ann' } },
  });
  await appendForeign(core, stream, { ...submitted, schema: 2 });
  await appendForeign(core, stream, {
    type: 'SessionSubmitted',
    data: { ...routing, files: [], colour: 'red' },
  });
  await appendForeign(core, stream, { ...rejected, data: { ...rejected.data, private: null } });
});
test.after(async () => {
  await core.close();
  place.remove();
});

type Audit = Readonly<{ events: readonly Entry[]; state: Submission }>;

test('an unknown event stands in order and changes nothing; one that breaks its schema is reported with the place', async () => {
  const { events, state } = await place.json<Audit>('audit', ID);
  assert.equal(
    events.map(({ type, schema, known, faults, changes }) => [
      ...[type, schema, known, faults.map(({ pointer }) => pointer), changes.length > 0],
    ]),
    [
      ['session.created', 1, true, [], true],
      ['submission.praised', 1, false, [], false],
      ['session.submitted', 2, false, [], false],
      ['session.submitted', 1, true, ['/data/colour'], true],
      ['submission.rejected', 1, true, ['/data/private', '/data/private', '/data/private', ''], false],
    ],
  );
  assert.equal([state.status, state.state], ['created', 'queued']);
  assert.equal(events[1]?.actor, { kind: 'system', id: 'another release' });
  const before = await place.json<Audit>('audit', ID, '--at', '2');
  assert.equal([before.events.length, before.state.state], [3, 'pending']);
});

test('the text reports it too, and nothing of it is a failure', async () => {
  const { stdout, code, stderr } = await place.intake('audit', ID);
  assert.is(code, 0, stderr);
  assert.match(
    stdout,
    /#1 submission\.praised {2}by system another release\n {4}NOT KNOWN to this release \(version 1\)/,
  );
  assert.match(stdout, /#2 session\.submitted .*\n {4}NOT KNOWN to this release \(version 2\)/);
  assert.match(
    stdout,
    /#3 session\.submitted .*\n {4}BREAKS ITS SCHEMA: \/data\/colour is not a known member\n/,
  );
  assert.match(stdout, /#4 submission\.rejected .*\n {4}BREAKS ITS SCHEMA: \/data\/private /);
});

test('they are followed as well', async () => {
  const running = start(place.settings, 'audit', ID, '--follow', '--json');
  const lines = () => running.stdout().split('\n').slice(0, -1);
  try {
    await eventually('what there is', () => lines().length === 5);
    await appendForeign(core, stream, { type: 'SubmissionPraised', data: routing });
    await eventually('the new one', () => lines().length === 6);
    running.child.kill('SIGINT');
    await running.ended;
  } finally {
    running.child.kill('SIGKILL');
  }
  const entry = JSON.parse(lines().at(-1) ?? '') as Entry;
  assert.equal([entry.revision, entry.known], [5, false]);
});
