import * as fc from 'fast-check';
import type { DomainEvent } from '../../domain/aggregates.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { type WebhookDeliveryCommand, webhookDelivery } from '../../domain/webhookDelivery.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhookDeliveryEvents.ts';
import { webhookTypeOf } from '../../domain/webhookEvents.ts';
import type { Position, Recorded } from '../../kernel/event.ts';
import { runThrough, submissionCommands } from './commands.ts';
import { batchId, examples, idOf, logged, streamOf, timeOf } from './events.ts';
import { routing } from './submission.ts';

/** The same submission under another identifier, in a batch. */
const renamed = (event: SubmissionEvent, n: number): SubmissionEvent => {
  const submissionId = `sub_01hv6x3m8q2r5t7w9y0a1b2c3${n}`;
  return { ...event, data: { ...event.data, submissionId, batchId } } as SubmissionEvent;
};

/** Several histories side by side: one event of each in turn. */
const interleaved = (histories: readonly (readonly SubmissionEvent[])[]): readonly Recorded[] => {
  const longest = Math.max(...histories.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) =>
    histories.flatMap((history) => history[turn] ?? []),
  );
  return logged(turns.flat());
};

const submissionsOfBatch = fc
  .array(submissionCommands, { minLength: 1, maxLength: 3 })
  .map((all) => all.map((commands, n) => runThrough(commands).map((event) => renamed(event, n))));

/** Logs of one to three submissions of one batch, each with a history of its own, side by side. */
export const batchLogs = submissionsOfBatch.map(interleaved);

/** An event before it has a place in the log. */
type Loose = Readonly<{ id: string; event: DomainEvent }>;

/** What becomes of a webhook: the outcomes of its attempts, and whether it is asked for again in between. */
const deliveryCommands: fc.Arbitrary<readonly WebhookDeliveryCommand['type'][]> = fc.array(
  fc.constantFrom<WebhookDeliveryCommand['type']>(
    'RecordAttempt',
    'RecordAttempt',
    'RecordAttempt',
    'Redeliver',
  ),
  { maxLength: 6 },
);

type Delivery = Readonly<{
  commands: readonly WebhookDeliveryCommand['type'][];
  succeeds: readonly boolean[];
}>;

/** The deliveries of one of those events that cause a webhook. */
const deliveryOf = (
  cause: Loose & { event: SubmissionEvent },
  { commands, succeeds }: Delivery,
): readonly Loose[] => {
  const eventType = webhookTypeOf(cause.event);
  if (eventType === null) return [];
  const { submissionId } = cause.event.data;
  const facts = { ...routing, submissionId, batchId, eventId: cause.id, eventType, occurredAt: timeOf(0) };
  const events: WebhookDeliveryEvent[] = [];
  let state = webhookDelivery.initial;
  const run = (command: WebhookDeliveryCommand): void => {
    const decided = webhookDelivery.decide(command, state);
    state = decided.reduce(webhookDelivery.evolve, state);
    events.push(...decided);
  };
  run({ type: 'RequestDelivery', facts, url: 'https://example.com/hook', body: '{}' });
  for (const [n, type] of commands.entries()) {
    const attempt = (state?.attempts ?? 0) + 1;
    const succeeded = succeeds[n % succeeds.length] ?? false;
    const outcome = {
      statusCode: succeeded ? 200 : 500,
      durationMs: 5,
      error: succeeded ? null : 'answered 500',
    };
    const nextAttemptAt = attempt < 4 ? timeOf(attempt) : null;
    run(
      type === 'RecordAttempt' ? { type, attempt, outcome, succeeded, nextAttemptAt } : { type: 'Redeliver' },
    );
  }
  return events.map((event, n) => ({ id: `${String(n + 1).padStart(8, '0')}${cause.id.slice(8)}`, event }));
};

/** What happens to companies, keys, workflows, invitations and users, in this order. */
const OTHERS: readonly DomainEvent[] = Object.values(examples).filter(
  ({ data }) => !('submissionId' in data) || 'counts' in data,
);

/** Events that follow each other, and what must have happened before the first of them. */
type Chain = Readonly<{ after: string | null; events: readonly Loose[] }>;

/** The chains merged: each keeps its own order, `picks` say whose turn it is. */
const merged = (chains: readonly Chain[], picks: readonly number[]): readonly Loose[] => {
  const left = chains.map(({ after, events }) => ({ after, events: [...events] }));
  const all: Loose[] = [];
  const happened = new Set<string | null>([null]);
  for (let n = 0; ; n += 1) {
    const waiting = left.filter(({ after, events }) => events.length > 0 && happened.has(after));
    const next = waiting[(picks[n % picks.length] ?? 0) % (waiting.length || 1)]?.events.shift();
    if (!next) return all;
    happened.add(next.id);
    all.push(next);
  }
};

/** In the log: positions from 1, revisions counted in each stream, a second apart. */
const placed = (events: readonly Loose[]): readonly Recorded[] => {
  const revisions = new Map<string, number>();
  return events.map(({ id, event }, index) => {
    const stream = streamOf(event);
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const position = String(index + 1).padStart(16, '0') as Position;
    const actor = { kind: 'key', id: routing.keyId } as const;
    const cause = { $correlationId: 'c', $causationId: 'c' };
    const metadata = { schema: 1, at: timeOf(index), ...cause, actor, prev: null };
    return { ...event, id, stream, revision, position, metadata };
  });
};

/**
 * Whole logs, as commands in any order make them: submissions of a batch with the deliveries of their
 * webhooks, and beside them what happens to companies, keys, workflows, invitations and users.
 */
export const wholeLogs: fc.Arbitrary<readonly Recorded[]> = fc
  .record({
    submissions: submissionsOfBatch,
    deliveries: fc.array(
      fc.record({
        commands: deliveryCommands,
        succeeds: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    others: fc.nat({ max: OTHERS.length }),
    picks: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 40 }),
  })
  .map(({ submissions, deliveries, others, picks }) => {
    const ids = Array.from({ length: OTHERS.length + submissions.flat().length }, (_, n) => idOf(n));
    const loose = <E extends DomainEvent>(event: E) => ({ id: ids.shift() ?? '', event });
    const histories = submissions.map((history) => history.map(loose));
    const chains = histories.flatMap((events) => [
      { after: null, events },
      ...events.map((cause, n) => ({
        after: cause.id,
        events: deliveryOf(cause, deliveries[n % deliveries.length] ?? NO_DELIVERY),
      })),
    ]);
    return placed(merged([{ after: null, events: OTHERS.slice(0, others).map(loose) }, ...chains], picks));
  });

const NO_DELIVERY: Delivery = { commands: [], succeeds: [] };
