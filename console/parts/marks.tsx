import type { ComponentChildren } from 'preact';
import type { SubmissionSummary } from '../../schemas/submissions.ts';
import { texts } from '../texts.ts';

type MarkProps = Readonly<{ tone?: Tone | undefined; children: ComponentChildren }>;
type Tone = '' | 'good' | 'warning' | 'bad';

/** A state in a word; its colour says no more than the word. */
export const Mark = ({ tone = '', children }: MarkProps) => <span class={`mark ${tone}`}>{children}</span>;

type Status = SubmissionSummary['submissionStatus'];

const TONES: Partial<Readonly<Record<Status, Tone>>> = {
  review: 'warning',
  approved: 'good',
  synced: 'good',
  rejected: 'bad',
  failed: 'bad',
  capture_quality_blocked: 'bad',
};

type StatusProps = Readonly<{ status: Status; files?: readonly unknown[] }>;

/**
 * A status in a word. With the files of the submission it says for what one waits that is not yet processed.
 */
export const StatusMark = ({ status, files }: StatusProps) => (
  <Mark tone={TONES[status]}>
    {files && status === 'created'
      ? texts.waiting[files.length > 0 ? 'worker' : 'files']
      : texts.statuses[status]}
  </Mark>
);

const FRAUD_TONES = { clean: '', flagged: 'warning', blocked: 'bad' } as const;

/** What the fraud checks found; nothing where they found nothing. */
export const FraudMark = ({ status }: Readonly<{ status: SubmissionSummary['fraudStatus'] }>) =>
  status === null || status === 'clean' ? null : (
    <Mark tone={FRAUD_TONES[status]}>{texts.fraudStatuses[status]}</Mark>
  );

/** From this confidence on a value is taken to be right; below the second one it is doubtful. */
const SURE = 0.9;
const DOUBTFUL = 0.6;

/** How sure the reading of a value is; `absent`: none is needed, `person`: a person gave it. */
export type Certainty = 'sure' | 'unsure' | 'doubtful' | 'none' | 'absent' | 'person';

/** `confidence` from 0 to 1; null where nothing was read. */
export const certaintyOf = (
  confidence: number | null | undefined,
): Exclude<Certainty, 'absent' | 'person'> => {
  if (confidence === null || confidence === undefined) return 'none';
  if (confidence >= SURE) return 'sure';
  return confidence >= DOUBTFUL ? 'unsure' : 'doubtful';
};

const DOTS: Readonly<Record<Certainty, string>> = {
  sure: '●●●',
  unsure: '●●○',
  doubtful: '●○○',
  none: '○○○',
  absent: '–',
  person: '✎',
};

/** A confidence as a mark: a number would promise more than it can keep. */
export const ConfidenceMark = ({ certainty }: Readonly<{ certainty: Certainty }>) => (
  <span class={`dots ${certainty}`} title={texts.certainties[certainty]}>
    <span aria-hidden="true">{DOTS[certainty]}</span>
    <span class="hidden">{texts.certainties[certainty]}</span>
  </span>
);
