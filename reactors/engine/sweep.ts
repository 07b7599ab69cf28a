import { INVITATION_MS } from '../../domain/invitation.ts';
import type { Clock } from '../../kernel/clock.ts';
import { StoreUnavailable } from '../../kernel/errors.ts';
import type { Report } from '../../kernel/report.ts';
import { settleAll } from '../../kernel/settleAll.ts';
import type { BatchDocument } from '../../projections/batches.ts';
import type { EndpointHealth } from '../../projections/endpointHealth.ts';
import type { Progress } from '../../projections/engine/progress.ts';
import type { EvaluationDocument } from '../../projections/evaluations.ts';
import type { MailItem } from '../../projections/mailQueue.ts';
import type { PendingSession } from '../../projections/pendingSessions.ts';
import type { ResultPage, Scalar } from '../../stores/documents/port.ts';
import type { EventLog } from '../../stores/events/log.ts';

type Pages<D> = (time: string, limit: number, after: readonly Scalar[] | null) => Promise<ResultPage<D>>;

export type SweepPorts = Readonly<{
  log: Pick<EventLog, 'head'>;
  clock: Clock;
  progress: Pick<Progress, 'reached'>;
  report: Report;
  /** How old the newest session of a batch must be, in milliseconds. */
  graceMs: number;
  /** Sessions that expire before a time. */
  expiring: Pages<PendingSession>;
  /** Batches whose grace may have started before a time. */
  waiting: Pages<BatchDocument>;
  /** How long a webhook endpoint may fail, in milliseconds. */
  disableAfterMs: number;
  /** Webhook endpoints that have failed since before a time. */
  failing: Pages<EndpointHealth>;
  /** Mails of invitations that were due before a time. */
  unsent: Pages<MailItem>;
  expireSession(submissionId: string): Promise<void>;
  completeBatch(batch: BatchDocument): Promise<void>;
  disableFailing(endpoint: EndpointHealth): Promise<void>;
  giveUpMail(mail: MailItem): Promise<void>;
  /** Removes some of the expired idempotency records. */
  purgeRecords(): Promise<void>;
  /** Truncates deliveries whose retention has expired. */
  forgetDeliveries(signal: AbortSignal): Promise<void>;
  /** Requests the redaction of what companies keep no longer, once the read models are current. */
  redactRetained(isCurrent: () => Promise<boolean>, signal: AbortSignal): Promise<void>;
  /** Shadows that read along with what is approved. */
  growing: (limit: number, after: readonly Scalar[] | null) => Promise<ResultPage<EvaluationDocument>>;
  extendShadow(shadow: EvaluationDocument): Promise<void>;
  /** Removes the uploads of ended sessions. */
  removeUploads(signal: AbortSignal): Promise<void>;
}>;

/** Items per query, and per round of work. */
const AT_ONCE = 32;
/** How long a sweep waits for the read models, and how long at a time, so that it can be ended. */
const BEHIND_MS = 30_000;
const POLL_MS = 500;

/**
 * One sweep over what is due at its start: sessions expire, batches complete, endpoints that fail are
 * disabled, mails of expired invitations are given up; expired records, the bytes of old deliveries and
 * abandoned uploads are removed; what companies keep no longer is redacted; shadows get what was approved.
 * An item that fails delays no other and stays due. Throws `StoreUnavailable`.
 */
export const createSweep =
  (ports: SweepPorts) =>
  async (signal: AbortSignal): Promise<void> => {
    const ends = await Promise.allSettled([
      expireSessions(ports, signal),
      completeBatches(ports, signal),
      disableEndpoints(ports, signal),
      giveUpMails(ports, signal),
      ports.purgeRecords(),
      ports.forgetDeliveries(signal),
      ports.removeUploads(signal),
      ports.redactRetained(() => caughtUp(ports, signal), signal),
      eachOf((after) => ports.growing(AT_ONCE, after), ports.extendShadow, ports.report, signal),
    ]);
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    // An outage passes by itself: it must not hide an error that does not.
    if (reasons.length > 0)
      throw reasons.find((reason) => !(reason instanceof StoreUnavailable)) ?? reasons[0];
  };

const expireSessions = (ports: SweepPorts, signal: AbortSignal): Promise<void> => {
  const page = pagesUntil(ports.expiring, ports.clock.now().getTime());
  return eachOf(page, ({ id }) => ports.expireSession(id), ports.report, signal);
};

const completeBatches = async (ports: SweepPorts, signal: AbortSignal): Promise<void> => {
  const page = pagesUntil(ports.waiting, ports.clock.now().getTime() - ports.graceMs);
  // A session that was opened before this sweep must count: without it its batch might count as complete.
  if (!(await caughtUp(ports, signal))) return;
  await eachOf(page, ports.completeBatch, ports.report, signal);
};

const disableEndpoints = async (ports: SweepPorts, signal: AbortSignal): Promise<void> => {
  const page = pagesUntil(ports.failing, ports.clock.now().getTime() - ports.disableAfterMs);
  if ((await page(null)).items.length === 0) return;
  // One that was enabled, or reached, before this sweep must not be disabled for what was before.
  if (!(await caughtUp(ports, signal))) return;
  await eachOf(page, ports.disableFailing, ports.report, signal);
};

/** An invitation ends a fixed time after it was made, so at most that time after a mail of it was due. */
const giveUpMails = (ports: SweepPorts, signal: AbortSignal): Promise<void> => {
  const page = pagesUntil(ports.unsent, ports.clock.now().getTime() - INVITATION_MS);
  return eachOf(page, ports.giveUpMail, ports.report, signal);
};

const caughtUp = async ({ log, progress, report }: SweepPorts, signal: AbortSignal): Promise<boolean> => {
  const head = await log.head();
  if (head === null) return true;
  const end = performance.now() + BEHIND_MS;
  while (!signal.aborted && performance.now() < end) if (await progress.reached(head, POLL_MS)) return true;
  if (!signal.aborted)
    report.warn(
      'the read models are behind the log: batches, endpoints and retention wait for the next sweep',
    );
  return false;
};

/** The pages of what is due at `time` (milliseconds since 1970), that moment included. */
const pagesUntil =
  <D>(pages: Pages<D>, time: number) =>
  (after: readonly Scalar[] | null): Promise<ResultPage<D>> =>
    pages(new Date(time + 1).toISOString(), AT_ONCE, after);

const eachOf = async <D extends Readonly<{ id: string }>>(
  page: (after: readonly Scalar[] | null) => Promise<ResultPage<D>>,
  act: (item: D) => Promise<void>,
  report: Report,
  signal: AbortSignal,
): Promise<void> => {
  let after: readonly Scalar[] | null = null;
  do {
    const found: ResultPage<D> = await page(after);
    await settleAll(found.items, act, ({ id }, err) =>
      report.error('an item of the sweep failed and stays due', { id, err }),
    );
    after = found.next;
  } while (after !== null && !signal.aborted);
};
