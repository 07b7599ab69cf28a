import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { foldEvent } from '../../projections/engine/projection.ts';
import { fileOf, jobOf, submissionAnswers, submissionDetail } from '../../projections/submissionAnswers.ts';
import { type SubmissionDocument, submissions } from '../../projections/submissions.ts';
import { logged } from '../controls/events.ts';
import { historyOf } from '../controls/submission.ts';
import { suite } from '../harness.ts';

const test = suite('what is stored to be sent of a submission');

test('job and detail are what their documents show, at each point of each history', () => {
  for (const history of Object.values(historyOf)) {
    let document: SubmissionDocument | null = null;
    for (const event of logged(history as readonly SubmissionEvent[])) {
      document = foldEvent(submissions.on, document, event, 'sub_1') as SubmissionDocument;
      const { submission, revision } = document;
      const { routing, files } = submission;
      const [keyId, , eventId, job] = submissionAnswers.job(document).split('\n');
      assert.equal([keyId, eventId], [routing.keyId, document.webhookEventId ?? '']);
      assert.is(`${job},"webhookDeliveryStatus":null}`, JSON.stringify(jobOf(document, null)));
      const [scope, tag, ...parts] = submissionAnswers.detail(document).split('\n');
      assert.equal([scope, tag], [`${routing.companyId} ${routing.mode}`, `${revision}`]);
      assert.equal(
        parts.filter((_, n) => n % 2 === 1),
        files.map(({ fileId }) => fileId),
      );
      const signed = parts
        .map((part, n) => (n % 2 === 1 ? JSON.stringify(`https://${part}`) : part))
        .join('');
      const shown = files.map((file) => ({
        ...fileOf(submission, file),
        downloadUrl: `https://${file.fileId}`,
      }));
      assert.is(signed, JSON.stringify(submissionDetail(document, shown)));
    }
  }
});
