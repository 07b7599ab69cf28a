import { platform } from '../../../client/platform.ts';
import type { SubmissionDetail } from '../../../schemas/submissions.ts';
import { announce } from '../../app/announce.tsx';
import { api, lasting, type Scope, scopeNow } from '../../app/api.ts';
import type { Problem } from '../../app/problem.ts';
import { problemIn } from '../../app/resource.ts';
import { navigate } from '../../app/router.ts';
import { endings, keepWork, keptWork, me, session } from '../../app/session.ts';
import { createStore } from '../../app/store.ts';
import { texts } from '../../texts.ts';
import { forgetSeen, submissionHref } from '../submissions/list.ts';
import { drafts, dropDraft, restoreDraft } from './drafts.ts';
import { isStale, PATH, type Read } from './read.ts';

/** The decisions that a person can take back for some seconds. */
export type Held = 'approve' | 'reject' | 'cancel';

type Entry = Readonly<{
  id: string;
  label: string;
  decision: Held;
  body: Readonly<{ reason?: string }>;
  /** Of the submission as it was read. */
  tag: string | null;
  /** What the person is told. */
  said: string;
  /** The Idempotency-Key: it is done once, however often it is sent. */
  key: string;
  userId: string;
  scope: Scope;
  href: string;
  /** What was typed in the fields. */
  typed: Readonly<Record<string, string>>;
  state: 'held' | 'sending' | 'undone' | 'refused';
  problem: Problem | null;
  /** Whether the person has seen why it was refused, where the submission is. */
  isOpened: boolean;
}>;

const HOLD_MS = 5_000;
/** A log-out waits for it. */
const END_LIMIT_MS = 5_000;
/** Browsers send 64 KiB for a page that is closed, which its other requests share. */
const MAX_BYTES = 32_000;

/** The decisions that were not sent, or not accepted. */
export const outbox = createStore<readonly Entry[]>([]);

const waits = ({ state }: Entry): boolean => state === 'held' || state === 'sending';

/** The submissions whose decision is not answered yet. */
export const pendingIds = (): readonly string[] => outbox.get().flatMap((one) => (waits(one) ? one.id : []));

/** Whether it was decided on, without an answer yet. */
export const isPending = (id: string): boolean => pendingIds().includes(id);

const find = (id: string): Entry | undefined => outbox.get().find((one) => one.id === id);

/** Whether its last decision was taken back. */
export const isUndone = (id: string): boolean => find(id)?.state === 'undone';

/** The reason of its last decision, where that was taken back or refused; empty for none. */
export const lastReason = (id: string, decision: string): string => {
  const last = find(id);
  return (last?.decision === decision && last.body.reason) || '';
};

const change = ({ key }: Entry, part: Partial<Entry>): void =>
  outbox.set(outbox.get().map((one) => (one.key === key ? { ...one, ...part } : one)));

const drop = ({ key }: Entry): void => outbox.set(outbox.get().filter((one) => one.key !== key));

/** Forgets why a decision was refused. */
export const dropRefusal = (id: string): void => {
  const found = find(id);
  if (found && !waits(found)) drop(found);
};

/** The person sees why it was refused, where the submission is. */
export const openRefusal = (id: string): void => {
  const found = find(id);
  if (found?.state === 'refused' && !found.isOpened) change(found, { isOpened: true });
};

/** The service can be reached again, which was why it was refused. */
export const refusalReached = (id: string): void => {
  const found = find(id);
  const problem = { code: 'reached', ...texts.problems.reached, retryable: true };
  if (found?.state === 'refused') change(found, { problem });
};

let timer = 0;
let sent: Promise<unknown> = Promise.resolve();

/**
 * Holds a decision for some seconds, in which `undo` takes it back; what was held before is sent. False where
 * the submission's last decision is not answered yet.
 */
export const hold = (read: Read, decision: Held, body: Entry['body'], said: string): boolean => {
  const { id, label } = read.detail;
  if (isPending(id)) return false;
  void flush();
  const where = { scope: scopeNow(), href: submissionHref(id), userId: me()?.userId ?? '' };
  const entry: Entry = {
    ...{ id, label, decision, body, said, tag: read.tag, typed: drafts.get()[id] ?? {}, ...where },
    ...{ key: crypto.randomUUID(), state: 'held', problem: null, isOpened: false },
  };
  outbox.set([...outbox.get().filter((one) => one.id !== id), entry]);
  dropDraft(id);
  if (isSmall(entry)) timer = setTimeout(flush, HOLD_MS);
  else void flush();
  return true;
};

const isSmall = ({ body }: Entry): boolean => new Blob([JSON.stringify(body)]).size <= MAX_BYTES;

/** Sends what is held. Resolves once all that was sent is answered. */
const flush = (): Promise<unknown> => {
  clearTimeout(timer);
  for (const entry of outbox.get()) if (entry.state === 'held') sendOne(entry);
  return sent;
};

const sendOne = (entry: Entry): void => {
  change(entry, { state: 'sending' });
  sent = Promise.all([sent, deliver(entry)]);
};

const deliver = async (entry: Entry): Promise<void> => {
  try {
    const status = await decided(entry);
    drop(entry);
    if (status === 'review' && entry.said !== texts.decisions.first) announce(texts.decisions.first);
  } catch (error) {
    const problem = problemIn(error);
    // Another person has logged in: it is not done in that person's name.
    if (problem === null || !isPending(entry.id)) return drop(entry);
    change(entry, { state: 'refused', problem });
    restoreDraft(entry.id, entry.typed);
  }
};

const decided = async (entry: Entry): Promise<SubmissionDetail['submissionStatus']> => {
  const { id: submissionId, decision, body, tag: ifMatch, scope: headers, key: idempotencyKey } = entry;
  const call = { path: { submissionId }, body, ifMatch, headers, idempotencyKey };
  return (await (isSmall(entry) ? lasting : api).post(`${PATH}/${decision}`, call)).submissionStatus;
};

/** Takes back what is held, and shows its submission with what was typed. */
export const undo = (): void => {
  const entry = outbox.get().find(({ state }) => state === 'held');
  if (!entry) return;
  clearTimeout(timer);
  change(entry, { state: 'undone' });
  restoreDraft(entry.id, entry.typed);
  forgetSeen(entry.id);
  navigate(entry.href);
};

/** What others did is shown since then: the tag of what the person had read; null for another refusal. */
export const staleTag = ({ problem, tag }: Entry): string | null =>
  problem && isStale(problem.code) ? tag : null;

window.addEventListener('pagehide', () => void flush());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void flush();
});
endings.add(() => Promise.race([flush(), platform.sleep(END_LIMIT_MS)]));

let isRestored = false;

/** What was not answered when the page was loaded again: under the same key it is done once. */
const restore = (): void => {
  const kept = isRestored || !me() ? null : keptWork('decided');
  isRestored ||= me() !== null;
  if (kept === null) return;
  outbox.set(JSON.parse(kept));
  for (const entry of outbox.get()) sendOne(entry);
};

/** What one person decided is not sent in the name of another. */
const follow = (): void => {
  const own = outbox.get().filter(({ userId }) => userId === me()?.userId);
  if (outbox.get().some((one) => !own.includes(one) && (waits(one) || one.state === 'refused')))
    announce(texts.undo.unsent, true);
  if (own.length < outbox.get().length) outbox.set(own);
  restore();
  keepAll();
};

const keepAll = (): void => {
  const waiting = outbox.get().filter(waits);
  keepWork('decided', waiting.length > 0 ? JSON.stringify(waiting) : null);
};

restore();
outbox.subscribe(keepAll);
session.subscribe(follow);
