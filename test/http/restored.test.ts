import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { redactSubmission } from '../../commands/redactSubmission.ts';
import { invitationStream } from '../../domain/invitation.ts';
import { submissionIdOf, submissionStream } from '../../domain/streamNames.ts';
import { userStream } from '../../domain/user.ts';
import { subjectKeys } from '../../stores/events/subjectKeys.ts';
import { context } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';
import { client, receiptText } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { openCoreOf } from '../support/core.ts';
import { startServerProcess } from '../support/process.ts';
import { testSettings } from '../support/service.ts';
import { createTenant } from '../support/tenant.ts';

const test = suite('a restored backup forgets again what was forgotten [sealing-5, person-redaction-7]');
const PLANTED = 'Zebulon-Quittermore-4711';

const folder = mkdtempSync(join(tmpdir(), 'intake-restored-'));
const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup')];
const settings = testSettings(dataDir);
let sessionId = '';
let submissionId = '';
let key = '';
let userId = '';
let invitationId = '';

test.before(async () => {
  const tenant = await createTenant(settings);
  key = tenant.key;
  await makePerson();
  const server = await startServerProcess(settings);
  const api = client(server.url, key);
  const session = await api.open([receiptText()], { clientSubmissionId: PLANTED });
  sessionId = session.sessionId;
  submissionId = submissionIdOf(sessionId);
  assert.is((await api.job({ sessionId })).body.clientSubmissionId, PLANTED);
  await server.stop();
  cpSync(dataDir, backup, { recursive: true });
  await redact();
});
test.after(() => rmSync(folder, { recursive: true }));

/** A person who has a name and an e-mail, and works. */
const makePerson = async (): Promise<void> => {
  const core = await openCoreOf(settings);
  const invitee = { email: `${PLANTED}@example.com`, role: 'super_admin', companyId: null } as const;
  const { id, token } = await core.invitations.invite(invitee, context);
  const completion = { token: token ?? '', password: 'correct horse battery staple', name: PLANTED };
  invitationId = id;
  userId = (await core.completions.complete(completion, context)).userId;
  await core.close();
};

/** Requests the redaction, and destroys the key as its worker does. */
const redact = async (): Promise<void> => {
  const core = await openCoreOf(settings);
  const request = { reason: 'asked for', legalBasis: 'erasure_request', requestedBy: null } as const;
  const { events } = await redactSubmission(core.handle)(submissionId, request, context);
  assert.ok(events.length > 0);
  const keys = subjectKeys({ tables: core.documents.tables, keyring: core.keyring });
  await keys.destroy(submissionId, { at: new Date().toISOString(), eventId: 'redaction' });
  await core.close();
  await runIntake(settings, 'user', 'disable', userId);
  const basis = ['--reason', 'asked for', '--legal-basis', 'erasure_request'];
  const { code, stderr } = await runIntake(settings, 'user', 'redact', userId, ...basis);
  assert.is(code, 0, stderr);
};

/** Whether the log has the request for the submission's redaction. */
const isRequested = async (): Promise<boolean> => {
  const core = await openCoreOf(settings);
  const { events } = await core.log.load(submissionStream(submissionId)).finally(core.close);
  return events.some(({ type }) => type === 'SubmissionRedactionRequested');
};

/** Puts yesterday's files in place, all but the ledger, or those of which it is said. */
const restore = (isRestored = (name: string) => !name.startsWith('forgotten.db')): void => {
  for (const name of readdirSync(dataDir).filter(isRestored))
    rmSync(join(dataDir, name), { recursive: true });
  for (const name of readdirSync(backup).filter(isRestored))
    cpSync(join(backup, name), join(dataDir, name), { recursive: true });
};

const isShown = async (): Promise<boolean> => {
  const core = await openCoreOf(settings);
  const streams = [submissionStream(submissionId), userStream(userId), invitationStream(invitationId)];
  const shown = await Promise.all(streams.map((stream) => core.log.load(stream)));
  await core.close();
  const opened = shown.map(({ events }) => JSON.stringify(events).includes(PLANTED));
  assert.is(new Set(opened).size, 1, 'all of them, or none');
  return opened[0] ?? false;
};

test.long('by a start', async () => {
  assert.is(await isShown(), false);
  restore();
  assert.is(await isShown(), true, 'what was restored opens');
  const server = await startServerProcess({ ...settings, LOG_LEVEL: 'warn' });
  try {
    await eventually('it to be said', () => server.log().some(({ msg }) => msg.includes('forgotten again')));
    const api = client(server.url, key);
    await eventually(
      'the redaction to show',
      async () => !(await api.job({ sessionId })).text.includes(PLANTED),
    );
  } finally {
    await server.stop();
  }
  assert.is(await isShown(), false);
  const again = await startServerProcess({ ...settings, LOG_LEVEL: 'warn' });
  await again.stop();
  assert.equal(again.log(), [], 'there is nothing to do at the next start');
});

test('by intake restore-check, also with a copy of the ledger alone', async () => {
  const { stdout: exported } = await runIntake(settings, 'ledger', 'export');
  const subjects = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).subject);
  // Who was forgotten again is entered for each time.
  assert.equal([...new Set(subjects)], [submissionId, invitationId, userId]);
  const ledger = join(folder, 'ledger.jsonl');
  writeFileSync(ledger, exported);
  restore();
  for (const name of readdirSync(dataDir)) if (name.startsWith('forgotten.db')) rmSync(join(dataDir, name));
  const { code, stdout } = await runIntake(settings, 'restore-check', '--ledger', ledger, '--json');
  const { keys, requests, unmended } = JSON.parse(stdout);
  assert.equal([code, keys, requests, unmended], [0, 3, 3, []]);
  assert.equal([await isShown(), await isRequested()], [false, true]);
  assert.not.match(readFileSync(join(dataDir, 'log.db'), 'latin1'), PLANTED);
});

test('the log alone, beside keys that are newer: the e-mail may be invited anew', async () => {
  restore((name) => /^(log|models)\.db/.test(name));
  const invite = () =>
    runIntake(settings, 'invite', '--email', `${PLANTED}@example.com`, '--role', 'super_admin');
  assert.is.not((await invite()).code, 0, 'the restored log has its user');
  const { code, stdout } = await runIntake(settings, 'restore-check', '--json');
  const { keys, requests, unmended } = JSON.parse(stdout);
  assert.equal([code, keys, requests, unmended], [0, 0, 3, []]);
  const { code: invited, stderr } = await invite();
  assert.is(invited, 0, stderr);
});

test('a submission that the log lacks is named, and the exit code says so', async () => {
  const ledger = join(folder, 'foreign.jsonl');
  const subject = 'sub_01hv6x3m8q2r5t7w9y0a1b2c3d';
  const entry = { subject, at: '2026-11-21T10:00:00.000Z', eventId: 'redaction' };
  writeFileSync(ledger, JSON.stringify(entry));
  const { code, stdout } = await runIntake(settings, 'restore-check', '--ledger', ledger, '--json');
  assert.equal([code, JSON.parse(stdout).unmended], [1, [subject]]);
});
