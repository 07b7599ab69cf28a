import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Database, openDatabase } from '../../stores/sqlite/database.ts';
import { eventually, rounds, suite } from '../harness.ts';
import type { Client, Reply } from '../support/client.ts';
import { openWorld, type World } from '../support/world.ts';

const test = suite('fifty identical POSTs with one Idempotency-Key');
const KILLS = rounds(1, 20);
const SESSIONS = '/api/v1/workflows/receipt/sessions';

let world: World;
let api: Client;
let log: Database;
let tables: Database;
let keys: Database;

test.before(async () => {
  world = await openWorld();
  await world.start();
  ({ api } = world);
  const opened = (name: string) => openDatabase(join(world.dataDir, name), { synchronous: 'FULL' });
  [log, tables, keys] = [opened('log.db'), opened('tables.db'), opened('keys.db')];
});
test.after(async () => {
  log.close();
  tables.close();
  keys.close();
  await world.close();
});

const post = (name: string): Promise<Reply> =>
  api.post(SESSIONS, { clientSubmissionId: name }, { headers: { 'idempotency-key': name } });
const fifty = (name: string): Promise<readonly Reply[]> =>
  Promise.all(Array.from({ length: 50 }, () => post(name)));
const count = (database: Database, sql: string): number => database.prepare<[number]>(sql).get()?.[0] ?? 0;
const subjectKeys = (): number => count(keys, "SELECT count(*) FROM rows WHERE kind = 'subjectKeys'");
const sessionsOpened = (): number => count(log, "SELECT count(*) FROM events WHERE type = 'SessionCreated'");

/** One answer is the session, all others are it again or say that it is being made. */
const oneSession = async (name: string, answers: readonly Reply[]): Promise<string> => {
  const made = answers.filter(({ status }) => status === 201);
  assert.ok(made.length > 0);
  for (const { status, body, headers } of answers) {
    if (status === 201) assert.is(body.sessionId, made[0]?.body.sessionId);
    else assert.equal([status, body.code, headers.get('retry-after')], [409, 'idempotency-key-in-use', '1']);
  }
  assert.is(made.filter(({ headers }) => !headers.has('idempotency-replayed')).length, 1);
  const listed = (): Promise<Reply> => api.get(`/api/v1/submissions?clientSubmissionId=${name}`);
  assert.is((await listed()).body.data.length, 1);
  return made[0]?.body.sessionId;
};

test('make one session: the others are 409 or its answer again [idempotency-9]', async () => {
  const before = sessionsOpened();
  const sessionId = await oneSession('together', await fifty('together'));
  assert.is((await post('together')).body.sessionId, sessionId);
  assert.is(sessionsOpened(), before + 1);
});

/**
 * Kills the server between the append of a session and the record of its answer: whoever holds a file's write
 * lock decides when the server comes by there. Gives how many sessions the log had before.
 */
const killBetween = async (name: string): Promise<number> => {
  const [opened, known] = [sessionsOpened(), subjectKeys()];
  log.exec('BEGIN IMMEDIATE');
  const cutOff = fifty(name).catch((error: Error) => error);
  await eventually('a session that waits for its append', () => subjectKeys() > known);
  tables.exec('BEGIN IMMEDIATE');
  log.exec('ROLLBACK');
  await eventually('the append', () => sessionsOpened() > opened);
  await world.server().kill();
  tables.exec('ROLLBACK');
  assert.instance(await cutOff, TypeError, 'no answer came');
  return opened;
};

/** What time does, in no time: says since when the dead server has been at work. */
const runningSince = (at: Date): void => {
  tables.exec(
    `UPDATE rows SET body = json_set(body, '$.runningSince', '${at.toISOString()}'), version = version + 1
     WHERE kind = 'idempotency' AND json_extract(body, '$.runningSince') IS NOT NULL`,
  );
};

test(
  `the same after a SIGKILL between append and answer: ${KILLS} kills [idempotency-10]`,
  async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const name = `killed-${round}`;
      const opened = await killBetween(name);
      await world.start();
      runningSince(new Date());
      const early = await post(name);
      assert.equal([early.status, early.body.code], [409, 'idempotency-key-in-use']);
      runningSince(new Date(Date.now() - 15_000));
      await oneSession(name, await fifty(name));
      assert.is(sessionsOpened(), opened + 1);
    }
  },
  { timeoutMs: 30_000 + KILLS * 20_000 },
);
