import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as assert from 'uvu/assert';
import { fillLog } from '../../bench/filledLog.ts';
import { allProjections } from '../../projections/all.ts';
import type { RebuildEvent } from '../../projections/engine/rebuild/rebuild.ts';
import { tableOf } from '../../stores/documents/sqlite/collections.ts';
import { openDatabase } from '../../stores/sqlite/database.ts';
import { eventually, long, suite } from '../harness.ts';
import { client } from '../support/client.ts';
import { openCoreOf } from '../support/core.ts';
import { intake, type ServerProcess, startServerProcess } from '../support/process.ts';
import { testSettings } from '../support/service.ts';
import { createTenant } from '../support/tenant.ts';

const test = suite('a rebuild of everything, killed in the middle, beside a server under load');
/** Seven events each. */
const SUBMISSIONS = 30_000;
const READERS = 3;

let dataDir: string;
let settings: Readonly<Record<string, string>>;
let server: ServerProcess;
let key: string;
let filled: readonly string[];

const fillAndServe = async (): Promise<void> => {
  dataDir = mkdtempSync(join(tmpdir(), 'intake-rebuild-'));
  settings = testSettings(dataDir);
  const tenant = await createTenant(settings);
  key = tenant.key;
  const core = await openCoreOf(settings);
  const { keyId, companyId } = tenant;
  filled = await fillLog(core.log, SUBMISSIONS, { companyId, keyId }, false);
  await core.close();
  server = await startServerProcess(settings);
  await eventually('all is shown', async () => (await fetch(`${server.healthUrl}/health/ready`)).ok, 300_000);
};
const stopAndRemove = async (): Promise<void> => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
};

/** The documents that serve, of every read model, by their identifiers. */
const documents = (): ReadonlyMap<string, string> => {
  const database = openDatabase(join(dataDir, 'models.db'), { synchronous: 'NORMAL' });
  try {
    const target = database.prepare<[string]>('SELECT target FROM aliases WHERE name = ?');
    const all = allProjections.flatMap(({ name }) => {
      const table = tableOf(target.get(name)?.[0] ?? name);
      const rows = database.prepare<[string, string]>(`SELECT id, body FROM ${table} WHERE body IS NOT NULL`);
      return rows.all().map(([id, body]) => [`${name} ${id}`, body] as const);
    });
    return new Map(all);
  } finally {
    database.close();
  }
};

/** A rebuild as a process of its own, and what it tells. */
const startRebuild = () => {
  const child: ChildProcess = spawn(process.execPath, [intake, 'projections', 'rebuild', '--all', '--json'], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told: (RebuildEvent | { event: 'done' })[] = [];
  if (child.stdout) createInterface(child.stdout).on('line', (line) => void told.push(JSON.parse(line)));
  return { child, told, ended: once(child, 'exit') };
};

/** Reads all that it can, again and again; gives how often, and every answer that was none. */
const readAll = async (stopped: AbortSignal) => {
  const headers = { authorization: `Bearer ${key}` };
  const bad: string[] = [];
  let count = 0;
  while (!stopped.aborted) {
    const id = filled[count % filled.length] ?? '';
    const paths = [`submissions/${id}`, 'submissions?limit=20', `jobs/${id.replace('sub', 'ses')}`];
    const response = await fetch(`${server.url}/api/v1/${paths[count % paths.length]}`, { headers });
    const text = await response.text();
    if (response.status !== 200) bad.push(`${response.status} ${text}`);
    count += 1;
  }
  return { count, bad };
};

const killAndGoOn = async (): Promise<void> => {
  await fillAndServe();
  const before = documents();
  assert.ok(before.size > 3 * SUBMISSIONS);
  const stop = new AbortController();
  const readers = Array.from({ length: READERS }, () => readAll(stop.signal));
  const killed = startRebuild();
  await eventually('the middle', () => killed.told.some(({ event }) => event === 'progress'), 120_000);
  killed.child.kill('SIGKILL');
  await killed.ended;
  assert.not.ok(killed.told.some(({ event }) => event === 'holding'));
  assert.equal(documents(), before);
  const again = startRebuild();
  const api = client(server.url, key);
  const opened: string[] = [];
  const serving = () => again.told.filter(({ event }) => event === 'serves').length;
  while (again.child.exitCode === null && serving() < allProjections.length) {
    const { status, text, body } = await api.post('/api/v1/workflows/receipt/sessions', {});
    assert.is(status, 201, text);
    assert.is((await api.get(`/api/v1/jobs/${body.sessionId}`)).status, 200);
    opened.push(body.submissionId);
  }
  stop.abort();
  for (const { count, bad } of await Promise.all(readers)) {
    assert.equal(bad, []);
    assert.ok(count > 0);
  }
  await again.ended;
  assert.is(again.child.exitCode, 0);
  const begun = again.told.flatMap((one) => (one.event === 'begun' ? [one.events] : []));
  assert.is(begun.length, allProjections.length);
  assert.ok(
    begun.every((events) => events >= 5_000),
    `it went on: ${begun}`,
  );
  const after = documents();
  for (const [id, body] of before) if (after.get(id) !== body) assert.is(after.get(id), body, id);
  for (const id of opened) assert.ok(after.has(`submissions ${id}`), id);
  const compared = again.told.flatMap((one) => (one.event === 'compared' ? [one] : []));
  assert.equal(
    compared.flatMap(({ differences }) => differences),
    [],
  );
  assert.ok(compared.every(({ documents: { before: old, after: made } }) => old === made));
};

const title =
  'goes on from its checkpoint and gives equal documents, while every GET answers 200 and every POST is shown';
if (long) {
  test.after(stopAndRemove);
  test(title, killAndGoOn, { timeoutMs: 900_000 });
} else test.skip(title, 'it takes a minute: npm run test:all does it');
