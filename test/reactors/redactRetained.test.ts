import * as assert from 'uvu/assert';
import { administer } from '../../commands/administer.ts';
import { createHandle } from '../../commands/handle.ts';
import { noRetention, type Retention } from '../../domain/retention.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { companyQueries } from '../../projections/companies.ts';
import { retainedQueries } from '../../projections/retained.ts';
import { redactRetained } from '../../reactors/redactRetained.ts';
import { context } from '../controls/stores.ts';
import { DAY_MS, type SweepStage, sweepStage } from '../controls/sweeps.ts';
import { suite } from '../harness.ts';

const test = suite('redaction by retention');
let stage: SweepStage;

/** A test's body on stores of its own: a sweep sees every company. */
const alone = (body: (made: ReturnType<typeof world>) => Promise<void>) => async (): Promise<void> => {
  stage = sweepStage();
  try {
    await body(world());
  } finally {
    await stage.remove();
  }
};

const cancel = { type: 'Cancel', reason: null, actor: null } as const;

/** Companies with ended submissions, and a sweep whose metrics are kept. */
const world = () => {
  const { documents, clock, ids, log, report } = stage;
  const { models, tables } = documents;
  const handle = createHandle(log, clock, ids);
  const commands = administer({ handle, log, ids });
  const counted: { redacted: number; due: object } = { redacted: 0, due: {} };
  const retained = retainedQueries(models);
  const run = redactRetained({
    ...{ handle, clock, ids, tables, report, retained },
    enforcing: companyQueries(models).enforcing,
    redactedByRetention: (count) => {
      counted.redacted += count;
    },
    retentionDue: (counts) => {
      counted.due = counts;
    },
  });
  const node = stage.node({ redactRetained: run });
  const isRedacted = async (submissionId: string): Promise<boolean> =>
    (await stage.typesOf(submissionId)).includes('SubmissionRedactionRequested');
  return {
    counted,
    /** A sweep, by read models that show what happened before. */
    sweep: async (): Promise<void> => {
      await stage.settled();
      await node();
    },
    company: async (over: Partial<Retention>) => {
      const { id } = await commands.createCompany('ACME', context);
      const set = (next: Partial<Retention>) =>
        commands.changeRetention(
          id,
          { ...noRetention, submissionDays: 30, isEnforced: true, ...next },
          context,
        );
      await set(over);
      return {
        id,
        set,
        /** A submission that is at its end, made now. */
        ended: async (): Promise<string> => {
          const submissionId = await stage.sessions.inReview({ companyId: id });
          await stage.sessions.run(submissionId, cancel);
          return submissionId;
        },
        session: async (): Promise<string> => (await stage.sessions.opened({ companyId: id })).submissionId,
        due: async (next: Partial<Retention> = over) => {
          await stage.settled();
          const retention = { ...noRetention, submissionDays: 30, ...next };
          const of = { companyId: id, retention, now: stage.clock.now() };
          return (await retained.due(of, 100, null)).items.map((item) => item.id);
        },
      };
    },
    isRedacted,
    /** Which of these are redacted, as `y` and `n`. */
    redacted: async (ids_: readonly string[]): Promise<string> =>
      (await Promise.all(ids_.map(isRedacted))).map((is) => (is ? 'y' : 'n')).join(''),
  };
};

test(
  'what was due by the dry run is redacted by the service, after its days and not before [retention-3, retention-6]',
  alone(async ({ company, sweep, redacted, counted }) => {
    const { ended, due } = await company({});
    const first = await ended();
    stage.pass(1_000);
    const second = await ended();
    stage.pass(30 * DAY_MS - 1_001);
    await sweep();
    assert.is(await redacted([first, second]), 'nn');
    stage.pass(1);
    assert.equal(await due(), [first]);
    await sweep();
    assert.is(await redacted([first, second]), 'yn');
    const event = (await stage.log.load(submissionStream(first))).events.at(-1);
    assert.equal(event?.metadata.actor, { kind: 'system', id: 'retention' });
    assert.equal(counted, { redacted: 1, due: { due: 1, held: 0 } });
    await sweep();
    assert.equal(counted, { redacted: 1, due: { due: 0, held: 0 } }, 'it is not requested twice');
  }),
);

test(
  'nothing is redacted while the retention is not enforced, nor of a company without one [retention-1]',
  alone(async ({ company, sweep, redacted }) => {
    const [off, none, on] = [
      await company({ isEnforced: false }),
      await company({ submissionDays: null }),
      await company({}),
    ];
    const ids = [await off.ended(), await none.ended(), await on.ended()];
    stage.pass(31 * DAY_MS);
    await sweep();
    assert.is(await redacted(ids), 'nny');
    assert.equal(await off.due(), [ids[0]], 'the dry run shows it');
    await off.set({});
    await sweep();
    assert.is(await redacted(ids), 'yny');
  }),
);

test(
  'a legal hold keeps it, and it takes nothing of the day’s number; lifted, it goes [retention-7]',
  alone(async ({ company, sweep, redacted, counted }) => {
    const { ended, due } = await company({ perDay: 1 });
    const held = await ended();
    const hold = { type: 'PlaceLegalHold', reason: 'tax', by: context.actor, at: '2026-11-21T10:00:00.000Z' };
    await stage.sessions.run(held, hold as Parameters<typeof stage.sessions.run>[1]);
    const free = await ended();
    stage.pass(31 * DAY_MS);
    assert.equal(await due(), [held, free].sort());
    await sweep();
    assert.is(await redacted([held, free]), 'ny');
    assert.equal(counted.due, { due: 1, held: 1 });
    await stage.sessions.run(held, { type: 'LiftLegalHold' });
    stage.pass(DAY_MS);
    await sweep();
    assert.is(await redacted([held, free]), 'yy');
  }),
);

test(
  'at most so many are redacted in a day, the longest due first, over several sweeps [retention-6]',
  alone(async ({ company, sweep, redacted }) => {
    const { ended } = await company({ perDay: 2 });
    const other = await company({});
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      ids.push(await ended());
      stage.pass(1_000);
    }
    const apart = await other.ended();
    stage.pass(40 * DAY_MS);
    await sweep();
    await sweep();
    assert.is(await redacted([...ids, apart]), 'yynnny', 'another company has its own number');
    stage.pass(DAY_MS);
    await sweep();
    await sweep();
    assert.is(await redacted(ids), 'yyyyn');
  }),
);

test(
  'more than a page is redacted in one sweep, and another one never makes it more than the day’s number [retention-6]',
  alone(async ({ company, sweep, isRedacted }) => {
    const { session, due } = await company({ sessionDays: 1, perDay: 35 });
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) ids.push(await session());
    stage.pass(DAY_MS);
    await sweep();
    stage.pass(DAY_MS);
    assert.is((await due({ sessionDays: 1 })).length, 40);
    const count = async () => (await Promise.all(ids.map(isRedacted))).filter(Boolean).length;
    await Promise.all([sweep(), sweep()]);
    const found = await count();
    assert.ok(found >= 32 && found <= 35, `${found}`);
    await sweep();
    await sweep();
    assert.is(await count(), 35);
  }),
);

test(
  'sessions that expired or were cancelled unsubmitted go by days of their own [retention-4]',
  alone(async ({ company, sweep, redacted }) => {
    const { session, ended } = await company({ sessionDays: 7, submissionDays: 365 });
    const [expired, cancelled, submitted] = [await session(), await session(), await ended()];
    await stage.sessions.run(cancelled, cancel);
    stage.pass(DAY_MS);
    await sweep();
    stage.pass(7 * DAY_MS - 1);
    await sweep();
    assert.is(await redacted([expired, cancelled, submitted]), 'nyn');
    stage.pass(1);
    await sweep();
    assert.is(await redacted([expired, cancelled, submitted]), 'yyn');
  }),
);
