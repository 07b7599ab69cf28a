import { systemIds } from '../kernel/ids.ts';
import type { EventLog, Head } from '../stores/events/log.ts';
import { examples } from '../test/controls/events.ts';

/**
 * What happens to each submission of a filled log: it is reviewed and approved, and its first outcome is
 * delivered.
 */
const OF_SUBMISSION = [
  'SessionCreated',
  'SessionSubmitted',
  'SubmissionProcessingStarted',
  'SubmissionFingerprinted',
  'SubmissionFraudChecked',
  'SubmissionProcessed',
  'SubmissionApproved',
] as const;
const OF_DELIVERY = ['WebhookRequested', 'WebhookAttempted', 'WebhookDelivered'] as const;
type Type = (typeof OF_SUBMISSION | typeof OF_DELIVERY)[number];
type Data = Readonly<Record<string, unknown>>;

/** How many events a submission of a filled log has, and without a webhook. */
export const EVENTS_EACH = OF_SUBMISSION.length + OF_DELIVERY.length;
export const EVENTS_OF_SUBMISSION = OF_SUBMISSION.length;

/** How many submissions are under way at once: their events are interleaved in the log. */
const AT_ONCE = 64;

/**
 * Fills a log with so many submissions, as the service would write them: sealed, chained, and about as large
 * as real ones. `facts` are of all their events: whose they are; those that are not `notifying` cause no
 * webhook, so that a server beside them calls nobody; those `delivered` have had theirs. Gives their
 * identifiers.
 */
export const fillLog = async (
  log: EventLog,
  submissions: number,
  facts: Data = {},
  notifying = true,
  delivered = notifying,
): Promise<readonly string[]> => {
  const filled: string[] = [];
  let written = 0;
  const append = async (stream: string, head: Head | null, type: Type, data: Data, submissionId: string) => {
    written += 1;
    const at = new Date(BEGIN + written * 10).toISOString();
    const id = systemIds.event();
    const metadata = { at, $correlationId: id, $causationId: id, actor: ACTOR, requestId: id };
    return { id, head: await log.append(stream, head, [{ id, type, data, metadata }], () => submissionId) };
  };
  const write = async (): Promise<void> => {
    const ulid = systemIds.ulid();
    const submissionId = `sub_${ulid}`;
    filled.push(submissionId);
    let head: Head | null = null;
    let causing = '';
    for (const type of OF_SUBMISSION) {
      const data = { ...dataOf(type), ...(notifying ? {} : SILENT[type]), ...facts, submissionId };
      const appended = await append(`submission-${ulid}`, head, type, data, submissionId);
      head = appended.head;
      if (type === 'SubmissionProcessed') causing = appended.id;
    }
    head = null;
    for (const type of delivered ? OF_DELIVERY : []) {
      const data = { ...dataOf(type), ...facts, submissionId, eventId: causing };
      head = (await append(`webhookDelivery-${causing}`, head, type, data, submissionId)).head;
    }
  };
  let begun = 0;
  const writer = async (): Promise<void> => {
    while (begun < submissions) {
      begun += 1;
      await write();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
  return filled;
};

const BEGIN = Date.parse('2026-11-21T10:00:00.000Z');
const ACTOR = { kind: 'key', id: 'key_01hv6x3m8q2r5t7w9y0a1b2c3d' } as const;

const dataOf = (type: Type): Data => ({ ...(examples[type].data as Data), ...LIKE_REAL[type] });

const SILENT: Readonly<Partial<Record<Type, Data>>> = {
  SessionCreated: {
    notifies: false,
    private: { ...(examples.SessionCreated.data.private as Data), webhookUrl: null },
  },
};

const FIELDS = ['total', 'tax', 'company', 'date', 'address', 'number', 'currency'];
const values = <T>(value: T) => Object.fromEntries(FIELDS.map((field) => [field, value]));

/** The examples of the tests are smaller than what processing makes of a receipt. */
const LIKE_REAL: Readonly<Partial<Record<Type, Data>>> = {
  SubmissionFraudChecked: {
    matches: [],
    fraudStatus: 'clean',
    fraudScore: 0,
    private: { details: {} },
  },
  SubmissionProcessed: {
    private: {
      extractedData: values('80.90 EUR, paid on the spot'),
      fieldConfidences: values(0.93),
      aiSummary: 'A receipt of ACME for 80.90 EUR, of which 12.92 EUR tax, paid in cash.',
      result: { fields: values({ value: '80.90', confidence: 0.93, page: 1 }) },
    },
  },
  WebhookRequested: {
    private: {
      url: 'https://example.com/hook',
      body: JSON.stringify({ result: values('80.90 EUR, paid on the spot') }).repeat(2),
    },
  },
};
