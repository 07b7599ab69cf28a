import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { foldEvent } from '../../projections/engine/projection.ts';
import { submissionAnswers } from '../../projections/submissionAnswers.ts';
import { type SubmissionDocument, submissions } from '../../projections/submissions.ts';
import { examples, logged } from '../controls/events.ts';
import { approved, historyOf } from '../controls/submission.ts';
import { suite } from '../harness.ts';

const test = suite('what is stored to be sent of a submission');

test('job and detail are what their documents show, at each point of each history', () => {
  for (const history of Object.values(historyOf)) {
    let document: SubmissionDocument | null = null;
    for (const event of logged(history as readonly SubmissionEvent[])) {
      document = foldEvent(submissions.on, document, event, 'sub_1') as SubmissionDocument;
      const { submission, revision } = document;
      const { routing, files, fraudMatches } = submission;
      const [keyId, , eventId, job] = submissionAnswers.job(document).split('\n');
      assert.equal([keyId, eventId], [routing.keyId, document.webhookEventId ?? '']);
      const { state, submissionStatus, processedAt } = JSON.parse(`${job}}`);
      assert.equal([state, submissionStatus], [submission.state, submission.status]);
      assert.is(processedAt, document.processedAt);
      const [scope, tag, ...parts] = submissionAnswers.detail(document).split('\n');
      assert.equal([scope, tag], [`${routing.companyId} ${routing.mode}`, `${revision}`]);
      const own = parts.filter((_, n) => n % 2 === 1).map((part) => JSON.parse(part));
      assert.equal(
        own.map((part) => (typeof part === 'object' && part ? [part.fileId, part.etag] : part)),
        [
          ...files.map(({ fileId, etag }) => [fileId, etag]),
          ...fraudMatches.map(({ matchedSubmissionId }) => matchedSubmissionId),
        ],
      );
      const detail = JSON.parse(parts.map((part, n) => (n % 2 === 1 ? '"address"' : part)).join(''));
      assert.equal(
        detail.files.map(({ id, downloadUrl }: { id: string; downloadUrl: string }) => [id, downloadUrl]),
        files.map(({ fileId }) => [fileId, 'address']),
      );
      assert.equal(
        detail.fraudMatches.map(({ id, label }: { id: string; label: string }) => [id, label]),
        fraudMatches.map(({ id }) => [id, 'address']),
      );
      assert.equal([detail.id, detail.submissionStatus], [document.id, submission.status]);
      assert.equal([detail.updatedAt, detail.events], [document.updatedAt, document.history]);
    }
  }
});

test('figures have what a person approved of what was read, and nothing of anybody else [figures-5]', () => {
  const factsAfter = (...history: readonly SubmissionEvent[]) => {
    const document = logged(history).reduce<SubmissionDocument | null>(
      (before, event) => foldEvent(submissions.on, before, event, 'sub_1') as SubmissionDocument,
      null,
    );
    return JSON.parse(submissionAnswers.figures(document as SubmissionDocument));
  };
  const { outcome, checked } = factsAfter(...historyOf.review, approved);
  assert.is(outcome, 'approved');
  assert.equal([checked.corrected, checked.correctedSure], [[], []]);
  assert.ok(checked.right.includes('total'));
  for (const history of [historyOf.approved, historyOf.review, historyOf.rejected])
    assert.is('checked' in factsAfter(...history), false);
  const { SubmissionRedactionRequested: redaction } = examples;
  assert.is('checked' in factsAfter(...historyOf.review, approved, redaction as SubmissionEvent), false);
});

test('a document of version 3, served until it is rebuilt, names the event of its webhook', () => {
  const [event] = logged(Object.values(historyOf)[0] as readonly SubmissionEvent[]);
  assert.ok(event);
  const { webhookEventId: _, ...rest } = foldEvent(
    submissions.on,
    null,
    event,
    'sub_1',
  ) as SubmissionDocument;
  const webhook = { eventId: 'event-1', status: 'delivered' };
  const [, , eventId] = submissionAnswers
    .job({ ...rest, webhook } as unknown as SubmissionDocument)
    .split('\n');
  assert.is(eventId, 'event-1');
});
