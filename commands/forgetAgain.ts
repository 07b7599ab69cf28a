import { redactedBefore } from '../domain/redactionBasis.ts';
import { submissionStream } from '../domain/streamNames.ts';
import { submission } from '../domain/submission/submission.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Tables } from '../stores/documents/port.ts';
import { changeRow } from '../stores/documents/rows.ts';
import type { EventLog } from '../stores/events/log.ts';
import { type Forgotten, forgottenPages, positionOf } from '../stores/ledger.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import { type Context, type Handle, systemContext } from './handle.ts';
import { load } from './load.ts';
import { objectsOf, type Removal, redactSubmission } from './redactSubmission.ts';

/**
 * What becomes of the request for a redaction: made anew, there, for something that the log lacks, or on
 * legal hold.
 */
export type Requested = 'requested' | 'there' | 'unknown' | 'held';

type Ports = Readonly<{
  tables: Tables;
  keys: Readonly<{
    /** Those whose key is not destroyed. */
    undestroyed(subjects: readonly string[]): Promise<ReadonlySet<string>>;
    destroyAgain(subjects: readonly string[]): Promise<void>;
  }>;
  /** Requests a subject's redaction unless that is in its stream; null for one that goes with another. */
  request(subject: string): Promise<Requested | null>;
  /** What of a submission may lie in the object store. */
  removals(submissionId: string): Promise<readonly Removal[]>;
  /** Null where this process has none. */
  objects: Pick<ObjectStore, 'removeAll'> | null;
}>;

/**
 * What was found and mended. `subjects`: entries of the ledger; `keys`: keys that had come back, destroyed
 * again; `requests`: redactions requested again; `objects`: removed again; `unmended`: subjects that the
 * log lacks, since it is older than they are, or that are on legal hold. `rebuild`: documents may show what
 * only a rebuild takes away.
 */
export type ForgottenAgain = Readonly<{
  subjects: number;
  keys: number;
  requests: number;
  objects: number;
  unmended: readonly string[];
  rebuild: boolean;
}>;

const NONE: ForgottenAgain = { subjects: 0, keys: 0, requests: 0, objects: 0, unmended: [], rebuild: false };

/** Nodes' clocks, and so the order of entries, may differ by less. */
const OVERLAP_MS = 600_000;

/**
 * Applies the ledger to stores that were restored: what had been forgotten is forgotten again. `always` looks
 * at each entry. At a start those since the last one suffice, with the ten minutes before: keys keep up to
 * where the ledger was applied, and a log that has the newest request has all before it; when one of these
 * has come back, all are looked at.
 */
export const forgetAgain = (ports: Ports) => {
  const applied = async (): Promise<Forgotten | null> =>
    (await ports.tables.read<Forgotten>('ledgerApplied', 'last'))?.row ?? null;
  const all = async (always: boolean): Promise<ForgottenAgain> => {
    let found = NONE;
    let last: Forgotten | null = null;
    for await (const page of forgottenPages(ports.tables)) {
      found = sum(found, await forgetPage(ports, page, always));
      last = page.at(-1) ?? null;
    }
    await keepApplied(last);
    return found;
  };
  const keepApplied = async (last: Forgotten | null): Promise<void> => {
    if (last === null || positionOf(last) === positionOf((await applied()) ?? NOWHERE)) return;
    await changeRow(ports.tables, 'ledgerApplied', 'last', () => last);
  };
  const sinceLast = async (): Promise<ForgottenAgain> => {
    const from = await applied();
    const after = from ? new Date(Date.parse(from.at) - OVERLAP_MS).toISOString() : '';
    let found = NONE;
    let last: Forgotten | null = null;
    for await (const page of forgottenPages(ports.tables, after)) {
      found = sum(found, await forgetPage(ports, page, false));
      last = page.at(-1) ?? null;
    }
    if (hasComeBack(found)) {
      const rest = await all(false);
      return { ...sum(found, rest), subjects: rest.subjects };
    }
    await keepApplied(last);
    return found;
  };
  return { always: () => all(true), sinceLast };
};

const NOWHERE = { at: '', subject: '' };

/** Whether anything was to be forgotten again. */
export const hasComeBack = ({ keys, requests, unmended }: ForgottenAgain): boolean =>
  keys > 0 || requests > 0 || unmended.length > 0;

const sum = (one: ForgottenAgain, other: ForgottenAgain): ForgottenAgain => ({
  subjects: one.subjects + other.subjects,
  keys: one.keys + other.keys,
  requests: one.requests + other.requests,
  objects: one.objects + other.objects,
  unmended: [...new Set([...one.unmended, ...other.unmended])],
  rebuild: one.rebuild || other.rebuild,
});

/**
 * In this order: a request finds documents by what the key still opens, and when this is cut short the key
 * still says that there is something to do.
 */
const forgetPage = async (
  { keys, request, removals, objects }: Ports,
  page: readonly Forgotten[],
  always: boolean,
): Promise<ForgottenAgain> => {
  const subjects = page.map(({ subject }) => subject);
  const back = await keys.undestroyed(subjects);
  let found: ForgottenAgain = { ...NONE, subjects: page.length, keys: back.size };
  for (const subject of new Set(subjects)) {
    const outcome = await request(subject);
    if (outcome === null) continue;
    if (outcome === 'unknown' || outcome === 'held')
      found = { ...found, unmended: [...found.unmended, subject] };
    if (outcome === 'requested')
      found = { ...found, requests: found.requests + 1, rebuild: found.rebuild || !back.has(subject) };
    if (objects && subject.startsWith('sub_') && (always || back.has(subject) || outcome !== 'there'))
      for (const [prefix, keys] of await removals(subject))
        found = { ...found, objects: found.objects + (await objects.removeAll(prefix, keys)) };
  }
  await keys.destroyAgain([...back]);
  return found;
};

/** Gives what of a submission may lie in the object store, as far as the log says it. */
export const removalsBy =
  (log: EventLog) =>
  async (submissionId: string): Promise<readonly Removal[]> =>
    objectsOf(submissionId, await load(log, submission, submissionStream(submissionId)));

type Again = (id: string, context: Context) => Promise<Requested>;

/** Requests a redaction of which a restored log knows nothing any longer. */
export const requestAgain = ({
  log,
  handle,
  ids,
  redactUserAgain,
  redactInvitationAgain,
}: Readonly<{
  log: EventLog;
  handle: Handle;
  ids: Ids;
  redactUserAgain: Again;
  redactInvitationAgain: Again;
}>) => {
  const redact = redactSubmission(handle);
  const context = () => systemContext('restore-check', ids);
  const requestSubmission = async (submissionId: string): Promise<Requested> => {
    const { head, events } = await log.load(submissionStream(submissionId));
    if (head === null) return 'unknown';
    if (events.some(({ type }) => type === 'SubmissionRedactionRequested')) return 'there';
    try {
      await redact(submissionId, redactedBefore, context());
      return 'requested';
    } catch (error) {
      if (error instanceof DomainError && error.name === 'LegalHold') return 'held';
      throw error;
    }
  };
  return async (subject: string): Promise<Requested | null> => {
    if (subject.startsWith('sub_')) return requestSubmission(subject);
    if (subject.startsWith('usr_')) return redactUserAgain(subject, context());
    return subject.startsWith('inv_') ? redactInvitationAgain(subject, context()) : null;
  };
};
