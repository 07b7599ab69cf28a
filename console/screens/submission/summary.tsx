import type { ComponentChildren } from 'preact';
import { hrefOf } from '../../app/router.ts';
import { Notice } from '../../parts/notice.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { reasonText } from './fields.ts';
import { FourEyes } from './fourEyes.tsx';
import type { Read } from './read.ts';

const own = texts.submission;

/** The values in what the built-in extractors say of them (processing/understand.ts): they stand below. */
const VALUES = /^.*; (?=\d+ of \d+ fields found\.$)/s;

type SummaryProps = Readonly<{ read: Read; children?: ComponentChildren }>;

/** What a submission is, in a line, and why it is where it is. */
export const Summary = ({ read: { detail, fourEyes }, children }: SummaryProps) => {
  const { id, workflow, createdAt, batchRef, aiSummary, failedReason, rejectReason, cancelReason } = detail;
  const general = detail.reviewReasons.filter(({ field }) => field === null);
  return (
    <>
      <p class="summary">
        {workflow.name} <small>{say(own.version, { version: workflow.version })}</small> ·{' '}
        <When at={createdAt} /> · <code>{id}</code>
        {batchRef !== null && (
          <>
            {' '}
            · {texts.submissions.batchRef} <a href={hrefOf('/submissions', { batchRef })}>{batchRef}</a>
          </>
        )}
        {aiSummary && <small> · {aiSummary.replace(VALUES, '')}</small>}
      </p>
      {children}
      {general.length > 0 && detail.submissionStatus === 'review' && (
        <Notice kind="warning">{general.map((reason) => reasonText(detail, reason)).join(' ')}</Notice>
      )}
      <FourEyes {...{ detail, fourEyes }} />
      {[failedReason, rejectReason, cancelReason].map(
        (reason) => reason && <Notice kind="info">{reason}</Notice>,
      )}
    </>
  );
};
