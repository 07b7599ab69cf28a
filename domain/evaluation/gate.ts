import { closed, meaning, nullable, type Of, oneOf, share, text, whole } from '../../kernel/schema.ts';

/** Whose approvals are a truth to compare with: `person` leaves out what was approved by itself. */
export const approvers = ['anybody', 'person'] as const;

/** What the version after this one must show before it is published (evaluations-15). */
export const Gate = closed({
  set: closed({
    size: whole('of how many submissions at least it must have been tried on'),
    approvedBy: meaning(oneOf(approvers), 'whose approvals these must be'),
  }),
  maxWrong: share('the share that may be wrong of what it approves without a person'),
});
export type Gate = Of<typeof Gate>;

/** How a version passed the gate of the one before it. */
export const Passage = closed({
  evaluationId: nullable(text('the evaluation that was named')),
  documents: whole('how many submissions it was tried on'),
  approved: whole('how many of them it approves without a person'),
  wrong: whole('how many of these have a wrong or missing required field'),
  maxWrong: share('the share that the gate allows'),
  forcedBecause: nullable(text('why it was published although the gate refused it; null where it did not')),
});
export type Passage = Of<typeof Passage>;

/** An evaluation as a gate sees it; `isSame`: it tried the definition that is to be published. */
export type Tried = Omit<Passage, 'maxWrong' | 'forcedBecause' | 'evaluationId'> &
  Pick<Gate['set'], 'approvedBy'> &
  Readonly<{ evaluationId: string; isCompleted: boolean; isSame: boolean }>;

/** Why a gate refuses what was tried, as a sentence; null where it lets it pass (evaluations-16). */
export const refusalOf = ({ set, maxWrong }: Gate, tried: Tried | null): string | null => {
  if (tried === null)
    return `It must be tried on ${set.size} approved submissions first: name a completed evaluation of it.`;
  const { evaluationId, documents, approved, wrong } = tried;
  if (!tried.isSame) return `${evaluationId} is an evaluation of another definition.`;
  if (!tried.isCompleted) return `${evaluationId} is not completed.`;
  if (set.approvedBy === 'person' && tried.approvedBy !== 'person')
    return `${evaluationId} is not of submissions that a person approved.`;
  if (documents < set.size)
    return `${evaluationId} has ${documents} submissions, and ${set.size} are asked for.`;
  if (wrong <= maxWrong * approved) return null;
  return `By ${evaluationId}, ${wrong} of ${approved} that it approves without a person are wrong: ${percent(wrong / approved)}, and ${percent(maxWrong)} are allowed.`;
};

const percent = (value: number): string => `${Number((value * 100).toFixed(1))} %`;

/** What an event says of a gate that was passed, or forced. */
export const passageOf = (
  { maxWrong }: Gate,
  tried: Tried | null,
  forcedBecause: string | null,
): Passage => ({
  evaluationId: tried?.evaluationId ?? null,
  ...{ documents: tried?.documents ?? 0, approved: tried?.approved ?? 0, wrong: tried?.wrong ?? 0 },
  ...{ maxWrong, forcedBecause },
});
