import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { documentOf } from '../cli/run.ts';
import { eventually, suite } from '../harness.ts';
import { runIntake } from '../support/commandLine.ts';
import { type ServerProcess, startServerProcess } from '../support/process.ts';
import { testSettings } from '../support/service.ts';
import { startMailServer } from '../support/smtp.ts';

const test = suite('a crash while an invitation is mailed');

type Row = Readonly<{ mail: Readonly<{ attempts: number; mailedAt: string | null }> }>;

test('the mail that was accepted before the crash is sent again as the same mail, and recorded once [mails-5]', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'intake-mails-'));
  const mailServer = await startMailServer();
  const settings = testSettings(dataDir, { SMTP_URL: mailServer.url, MAIL_FROM: 'intake@example.com' });
  const intake = async <T>(...words: readonly string[]): Promise<T> =>
    documentOf<T>(await runIntake(settings, ...words, '--json'));
  let server: ServerProcess = await startServerProcess(settings);
  try {
    // Taken, and not acknowledged: the process is killed in between.
    mailServer.trouble = { taken: 'hang' };
    mailServer.onTaken = () => void server.child.kill('SIGKILL');
    await intake('invite', '--email', 'ann@example.com', '--role', 'super_admin');
    await eventually('the server is killed', () => server.child.signalCode === 'SIGKILL');
    mailServer.trouble = {};
    mailServer.onTaken = () => undefined;
    server = await startServerProcess(settings);
    const row = await eventually('it is recorded', async () => {
      const [only] = (await intake<{ data: readonly Row[] }>('invite', 'list')).data;
      return only?.mail.mailedAt ? only : null;
    });
    assert.is(row.mail.attempts, 1);
    assert.is(mailServer.mails.length, 2);
    const [first, second] = mailServer.mails;
    assert.is(second?.headers['message-id'], first?.headers['message-id']);
    assert.is(second?.token, first?.token);
  } finally {
    await server.kill();
    await mailServer.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
