import { type CommandPorts, systemContext } from '../commands/handle.ts';
import { noRetention, type Retention } from '../domain/retention.ts';
import { submission, submissionStream } from '../domain/submission/submission.ts';
import type { Report } from '../kernel/report.ts';
import { settleAll } from '../kernel/settleAll.ts';
import type { CompanyDocument, companyQueries } from '../projections/companies.ts';
import { type After, collect } from '../projections/engine/pages.ts';
import type { DueDocument, retainedQueries } from '../projections/retained.ts';
import type { Tables } from '../stores/documents/port.ts';
import { changeRow } from '../stores/documents/rows.ts';

type RetainedPorts = CommandPorts &
  Readonly<{
    tables: Tables;
    report: Report;
    enforcing: ReturnType<typeof companyQueries>['enforcing'];
    retained: ReturnType<typeof retainedQueries>;
    /** The redaction of so many was requested. */
    redactedByRetention(count: number): void;
    /** So much is left that is due, and so much more but for a legal hold. */
    retentionDue(counts: Readonly<{ due: number; held: number }>): void;
  }>;

/** How many were redacted in a day of UTC, by company. */
const TABLE = 'retentionCounts';
type DayCount = Readonly<{ day: string; count: number }>;

const AT_ONCE = 32;
/** The rest of the sweep, and other companies, must not wait for the thousands of one. */
const PAGES = 10;

/**
 * Requests the redaction of what companies keep no longer (retention-6): of each the longest due first, at
 * most `perDay` in a day of UTC, some hundreds a call. `isCurrent`: waits until the read models show all that
 * was in the log. One that fails is reported, and stays due. Throws `StoreUnavailable`.
 */
export const redactRetained =
  (ports: RetainedPorts) =>
  async (isCurrent: () => Promise<boolean>, signal: AbortSignal): Promise<void> => {
    const { enforcing } = ports;
    const counts = { due: 0, held: 0 };
    // A legal hold, or a retention, from before this sweep must count.
    if ((await enforcing(1, null)).items.length > 0 && !(await isCurrent())) return;
    for (const company of (await collect(enforcing)).items) {
      if (signal.aborted) return;
      await redactOf(ports, company, signal);
      const left = await ports.retained.count(dueOf(ports, company));
      counts.due += left.due;
      counts.held += left.held;
    }
    ports.retentionDue(counts);
  };

const dueOf = ({ clock }: RetainedPorts, { id: companyId, retention }: CompanyDocument) => ({
  companyId,
  retention: retention ?? noRetention,
  now: clock.now(),
});

const redactOf = async (
  ports: RetainedPorts,
  company: CompanyDocument,
  signal: AbortSignal,
): Promise<void> => {
  const { tables, retained, report } = ports;
  const due = dueOf(ports, company);
  const allowance = allowanceOf(tables, due);
  let after: After = null;
  let redacted = 0;
  for (let page = 0; page < PAGES && !signal.aborted; page += 1) {
    const { items, next } = await retained.due(due, AT_ONCE, after, false);
    const granted = await allowance.take(items.length);
    const done = await redactEach(ports, items.slice(0, granted));
    await allowance.giveBack(granted - done);
    redacted += done;
    after = next;
    if (next === null || granted < items.length) break;
  }
  if (redacted === 0) return;
  ports.redactedByRetention(redacted);
  report.info('submissions are redacted by retention', { companyId: company.id, submissions: redacted });
};

/** Requests the redaction of each, and gives of how many; what is under way again is passed over. */
const redactEach = async (
  { handle, ids, report }: RetainedPorts,
  items: readonly DueDocument[],
): Promise<number> => {
  let redacted = 0;
  const redact = async ({ id, days }: DueDocument): Promise<void> => {
    const command = { type: 'RedactRetained', days } as const;
    const context = systemContext('retention', ids);
    const { events } = await handle(submission, submissionStream(id), command, context);
    if (events.length > 0) redacted += 1;
  };
  await settleAll(items, redact, ({ id: submissionId }, err) =>
    report.error('a submission could not be redacted by retention, and stays due', { submissionId, err }),
  );
  return redacted;
};

/** What a company may still have redacted today, counted before it is done: a crash never makes it more. */
const allowanceOf = (
  tables: Tables,
  { companyId, retention, now }: Readonly<{ companyId: string; retention: Retention; now: Date }>,
) => {
  const day = now.toISOString().slice(0, 10);
  const change = (next: (count: number) => number) =>
    changeRow<DayCount>(tables, TABLE, companyId, (row) => {
      const before = row?.day === day ? row.count : 0;
      const count = next(before);
      return count === before ? null : { day, count };
    });
  return {
    take: async (wanted: number): Promise<number> => {
      let granted = 0;
      await change((count) => {
        granted = Math.max(0, Math.min(wanted, retention.perDay - count));
        return count + granted;
      });
      return granted;
    },
    giveBack: async (unused: number): Promise<void> => void (await change((count) => count - unused)),
  };
};
