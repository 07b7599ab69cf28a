import * as assert from 'uvu/assert';
import { documentOf } from '../cli/run.ts';
import { eventually, suite } from '../harness.ts';
import { runIntake } from '../support/commandLine.ts';
import { startMailServer } from '../support/smtp.ts';
import { openWorld } from '../support/world.ts';

const test = suite('a crash while an invitation is mailed');

type Row = Readonly<{ mail: Readonly<{ attempts: number; mailedAt: string | null }> }>;

test('the mail that was accepted before the crash is sent again as the same mail, and recorded once [mails-5]', async () => {
  const mailServer = await startMailServer();
  const world = await openWorld(() => ({ SMTP_URL: mailServer.url, MAIL_FROM: 'intake@example.com' }));
  const intake = async <T>(...words: readonly string[]): Promise<T> =>
    documentOf<T>(await runIntake(world.settings, ...words, '--json'));
  await world.start();
  const { child } = world.server();
  try {
    // Taken, and not acknowledged: the process is killed in between.
    mailServer.trouble = { taken: 'hang' };
    mailServer.onTaken = () => void child.kill('SIGKILL');
    await intake('invite', '--email', 'ann@example.com', '--role', 'super_admin');
    await eventually('the server is killed', () => child.signalCode === 'SIGKILL');
    mailServer.trouble = {};
    mailServer.onTaken = () => undefined;
    await world.start();
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
    await world.close();
    await mailServer.close();
  }
});
