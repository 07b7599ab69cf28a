import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { SubmissionDetail } from '../../../schemas/submissions.ts';
import { announce } from '../../app/announce.tsx';
import { useKeys } from '../../app/keys.ts';
import { member } from '../../app/members.ts';
import type { Action } from '../../app/resource.ts';
import { useStore } from '../../app/store.ts';
import { Button } from '../../parts/button.tsx';
import { say, texts } from '../../texts.ts';
import { drafts, dropDraft, takenFrom, useTaken } from './drafts.ts';
import { asText, type Field, type Place } from './fields.ts';
import { dropRefusal, type Held, hold, lastReason } from './outbox.ts';
import { firstRefused } from './pattern.ts';
import { decide, orStale, type Read } from './read.ts';
import { type Decision, isFinal, ReasonDialog } from './reasonDialog.tsx';
import { typed, type Value } from './typing.ts';

const own = texts.decisions;

type Status = SubmissionDetail['submissionStatus'];
/** What can be cancelled. */
export const CANCELLABLE: readonly Status[] = [
  'created',
  'processing',
  'capture_quality_blocked',
  'review',
  'failed',
];
/** Processing ended without a result: it begins again, or a person types the values. */
const UNREAD: readonly Status[] = ['failed', 'capture_quality_blocked'];

/** What can be taken back for some seconds: not what the service refuses as long as matches block it. */
const isHeld = ({ detail }: Read, decision: Decision | 'approve'): decision is Held =>
  isFinal(decision) && !(decision === 'approve' && detail.fraudStatus === 'blocked');

const OUTCOMES = { approve: 'approved', reject: 'rejected', cancel: 'cancelled' } as const;

/**
 * What was typed as corrections: of fields that read otherwise now, with where it was taken from.
 * `faulty` is the first that can't be sent.
 */
const correctionsOf = (
  fields: readonly Field[],
  texts: Readonly<Record<string, string>>,
  from: ReturnType<typeof useTaken>,
) => {
  const places: Record<string, Place> = {};
  const corrections: Record<string, Value> = {};
  for (const field of fields) {
    const text = member(texts, field.name);
    if (text === undefined) continue;
    const read = typed(field, text);
    if ('fault' in read) return { corrections, places, faulty: field.name };
    if (asText(read.value) === asText(field.value)) continue;
    corrections[field.name] = read.value;
    const place = takenFrom(from, field, text);
    if (place) places[field.name] = place;
  }
  return { corrections, places, faulty: null };
};

type DecisionProps = Readonly<{
  read: Read;
  approval: Action;
  /** A field must be looked at before anything is sent. */
  onFaulty(name: string): void;
  /** It was decided on; `isDone`: what comes next is shown. */
  onDecided(isDone: boolean): void;
  onStale(): void;
  /** What others did meanwhile, for a dialog that lies over the page. */
  meanwhile: ComponentChildren;
}>;

/** Sends decisions: `approve` with the corrections that were typed, of which there are `count`. */
const useDecisions = ({ read, approval, onFaulty, onDecided, onStale }: DecisionProps) => {
  const { id, label } = read.detail;
  const entered = useStore(drafts)[id] ?? {};
  const { corrections, places, faulty } = correctionsOf(read.fields, entered, useTaken(id));
  const count = Object.keys(corrections).length;
  /** The missing fields that somebody was told of, who may approve without them. */
  const [told, tell] = useState('');
  const made = async (decision: Decision | 'approve', body: object): Promise<void> => {
    const now = await decide(read, decision, body);
    dropDraft(id);
    announce(now === 'review' ? own.first : `${texts.statuses[now]}: ${label}`);
    onDecided(isFinal(decision));
  };
  const make = async (decision: Decision | 'approve', body: object): Promise<void> => {
    if (!isHeld(read, decision)) {
      dropRefusal(id);
      return orStale(() => made(decision, body), onStale);
    }
    const said = `${texts.statuses[OUTCOMES[decision]]}: ${label}`;
    if (hold(read, decision, body, isFirst(read, decision) ? own.first : said)) onDecided(true);
  };
  const missing = missingIn(read.fields, corrections);
  const approve = async (): Promise<void> => {
    const refused = faulty ?? (await firstRefused(read.fields, corrections));
    if (refused !== null) return onFaulty(refused);
    const [first] = missing;
    if (first && told !== namesOf(missing)) {
      tell(namesOf(missing));
      announce(say(own.missing, { fields: missing.map(({ label }) => label).join(', ') }));
      onFaulty(first.name);
    } else await approval.start(() => make('approve', count > 0 ? { corrections, places } : {}));
  };
  return { count, make, approve };
};

/** The required fields that have no value, with what was typed. */
const missingIn = (
  fields: readonly Field[],
  corrections: Readonly<Record<string, unknown>>,
): readonly Field[] =>
  fields.filter(({ name, required, value }) => {
    const correction = member(corrections, name);
    const now = correction === undefined ? value : correction;
    return required && (now === null || now === '');
  });

const namesOf = (fields: readonly Field[]): string => fields.map(({ name }) => name).join();

const KEYS: Readonly<Record<Decision, string>> = { reject: 'r', cancel: 'x', reprocess: 'a', enter: 'v' };

/** What can be decided on a submission, with its keys. */
export const Decisions = (props: DecisionProps) => {
  const { read, approval, meanwhile } = props;
  const { submissionStatus: status } = read.detail;
  const [asked, ask] = useState<Decision | null>(null);
  const { count, make, approve } = useDecisions(props);
  const isInReview = status === 'review';
  const others: readonly Decision[] = [
    ...(isInReview ? (['reject'] as const) : []),
    ...(UNREAD.includes(status) ? (['reprocess', 'enter'] as const) : []),
    ...(CANCELLABLE.includes(status) ? (['cancel'] as const) : []),
  ];
  useKeys([
    ...(isInReview ? [{ key: 'Ctrl+Enter', text: own.approve, run: () => void approve() }] : []),
    ...others.map((other) => ({ key: KEYS[other], text: own[other], run: () => ask(other) })),
  ]);
  return (
    <>
      {isInReview && (
        <Button class="primary" disabled={approval.isRunning} onClick={approve}>
          {approval.isRunning ? texts.working : count > 0 ? say(own.approveWith, { count }) : own.approveAsIs}
        </Button>
      )}
      {others.map((other) => (
        <Button key={other} class={other === 'cancel' ? 'plain' : ''} onClick={() => ask(other)}>
          {own[other]}
        </Button>
      ))}
      {asked && (
        <ReasonDialog
          decision={asked}
          note={asked === 'reject' && isFirst(read, asked) ? texts.fourEyes.firstRejection : own.final[asked]}
          {...{ meanwhile, make }}
          before={lastReason(read.detail.id, asked)}
          onClose={() => ask(null)}
        />
      )}
    </>
  );
};

/** Whether a decision would be the first of two. */
const isFirst = ({ fourEyes, detail: { firstDecision } }: Read, decision: Held): boolean => {
  const outcome = OUTCOMES[decision];
  return outcome !== 'cancelled' && fourEyes.includes(outcome) && firstDecision?.outcome !== outcome;
};
