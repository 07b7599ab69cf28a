import * as assert from 'uvu/assert';
import { createMailer, MAIL_LIMITS_MS, type Mail, type MailSettings } from '../../outbound/mail.ts';
import { certificateFor } from '../../scripts/certificate.ts';
import { failure } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';
import { freePort } from '../support/freePort.ts';
import { listenSilently } from '../support/silent.ts';
import { type MailServer, startMailServer } from '../support/smtp.ts';

const test = suite('mails are handed to a mail server');

const unaborted = new AbortController().signal;
const from = { name: 'Intake', address: 'intake@example.com' };
const mail: Mail = {
  id: 'inv_01hv6x3m8q2r5t7w9y0a1b2c3d',
  to: 'Ann@example.org',
  subject: 'Hello',
  text: 'Open https://intake.example.com/invite#token=abc\n',
  html: '<p>Open it</p>',
};
const ADDRESS = /@|Ann|example\.org/;

type Server = Partial<MailSettings['server']>;
const settings = (port: number, over: Server = {}, ca: string | null = null): MailSettings => ({
  ...{ from, ca },
  server: { host: '127.0.0.1', port, isTls: false, logIn: null, ...over },
});

/** Runs with a mail server of these options. */
const withServer = async (
  options: Parameters<typeof startMailServer>[0],
  body: (server: MailServer) => Promise<void>,
): Promise<void> => {
  const server = await startMailServer(options);
  try {
    await body(server);
  } finally {
    await server.close();
  }
};

/** The outcome of a mail, of which no error may have the address. */
const sent = async (given: MailSettings, limits = MAIL_LIMITS_MS, one = mail) => {
  const outcome = await createMailer(given, limits).send(one, unaborted);
  assert.not.match(outcome.error ?? '', ADDRESS);
  return outcome;
};
const accepted = { error: null, isFinal: false };

test('a mail is handed over whole, under a Message-ID of its own that each try repeats [mails-5]', () =>
  withServer({}, async (server) => {
    for (let n = 0; n < 2; n += 1) assert.equal(await sent(settings(server.port)), accepted);
    const [one, two] = server.mails;
    assert.equal([one?.from, one?.to], ['intake@example.com', ['Ann@example.org']]);
    assert.is(one?.headers['message-id'], '<inv_01hv6x3m8q2r5t7w9y0a1b2c3d@example.com>');
    assert.is(two?.headers['message-id'], one?.headers['message-id']);
    assert.is(one?.headers.from, 'Intake <intake@example.com>');
    assert.is(one?.headers.to, 'Ann@example.org');
    assert.equal([one?.headers.subject, one?.headers['auto-submitted']], ['Hello', 'auto-generated']);
    assert.equal([one?.text, one?.html], [mail.text, mail.html]);
  }));

test('what is refused for now is tried again, what is refused for good is not [mails-3]', () =>
  withServer({}, async (server) => {
    const said = { text: 'no mail to <Ann@example.org>, she@example.org has moved' };
    const cases = [
      ['recipient', 451, 'the mail server answered 451 (4.0.0) to the recipient', false],
      ['recipient', 550, 'the mail server answered 550 (5.1.1) to the recipient', true],
      ['mail', 452, 'the mail server answered 452 (4.0.0) to the mail', false],
      ['mail', 554, 'the mail server answered 554 (5.0.0) to the mail', true],
      ['sender', 550, 'the mail server answered 550 (5.0.0) to the sender', false],
      ['connect', 554, 'the mail server answered 554 (5.0.0) to the connection', false],
      ['connect', 421, 'the mail server answered 421 (4.3.2) to the connection', false],
    ] as const;
    for (const [stage, code, error, isFinal] of cases) {
      server.trouble = { [stage]: { code, ...said } };
      const outcome = await sent(settings(server.port));
      assert.is(outcome.error?.replace(/ \([45][.\d]+\)/, ''), error.replace(/ \([45][.\d]+\)/, ''));
      assert.is(outcome.isFinal, isFinal, `${stage} ${code}`);
    }
    assert.is(server.mails.length, 0);
  }));

test('a server that says no more, or closes the connection, is tried again within the limits', () =>
  withServer({}, async (server) => {
    const quick = { connect: 200, silence: 200, total: 5_000 };
    for (const stage of ['connect', 'recipient', 'mail', 'taken'] as const) {
      server.trouble = { [stage]: 'hang' };
      const outcome = await sent(settings(server.port), quick);
      assert.equal(outcome, { error: 'the mail server did not answer in time', isFinal: false }, stage);
    }
    server.trouble = { mail: 'hang' };
    assert.equal(await sent(settings(server.port), { connect: 5_000, silence: 5_000, total: 300 }), {
      error: 'the mail server did not take the mail within 0.3 s',
      isFinal: false,
    });
    for (const stage of ['recipient', 'mail', 'taken'] as const) {
      server.trouble = { [stage]: 'close' };
      const { error, isFinal } = await sent(settings(server.port));
      assert.is(error, 'the mail server closed the connection', stage);
      assert.is(isFinal, false);
    }
  }));

test('one that is not there, or is silent from the beginning, is tried again', async () => {
  const refused = await sent(settings(await freePort()));
  assert.equal(refused, { error: 'the connection was refused', isFinal: false });
  const silent = await listenSilently();
  try {
    const quick = { connect: 200, silence: 5_000, total: 5_000 };
    for (const isTls of [false, true])
      assert.equal(await sent(settings(silent.port, { isTls }), quick), {
        error: 'the mail server did not answer in time',
        isFinal: false,
      });
    await eventually('no connection is left open', () => silent.open() === 0);
  } finally {
    await silent.close();
  }
  const unknown = await sent(settings(25, { host: 'no-such-host.invalid' }));
  assert.equal(unknown, { error: 'the name of the mail server can’t be resolved', isFinal: false });
});

test('an attempt ends with its signal, and is none', async () => {
  const silent = await listenSilently();
  try {
    const stop = new AbortController();
    const sending = createMailer(settings(silent.port)).send(mail, stop.signal);
    await eventually('it is connected', () => silent.made() === 1);
    stop.abort(new Error('the node stops'));
    assert.is((await failure(sending)).message, 'the node stops');
    await eventually('no connection is left open', () => silent.open() === 0);
  } finally {
    await silent.close();
  }
});

test('a log-in is sent, and a server that takes none, or refuses it, gets no mail', async () => {
  const logIn = { user: 'intake', pass: 'p@ss:word/1' };
  await withServer({ logIn }, async (server) => {
    assert.equal(await sent(settings(server.port, { logIn })), accepted);
    assert.is(server.mails[0]?.user, 'intake');
    const wrong = await sent(settings(server.port, { logIn: { user: 'intake', pass: 'planted-password' } }));
    assert.equal(wrong, { error: 'the mail server answered 535 to the log-in', isFinal: false });
    assert.is((await sent(settings(server.port))).isFinal, false);
    assert.is(server.mails.length, 1);
  });
  await withServer({}, async (server) => {
    assert.is.not((await sent(settings(server.port, { logIn }))).error, null);
    assert.is(server.mails.length, 0);
  });
});

test('nothing is sent in clear to another machine, and the server’s certificate is checked [mails-6]', async () => {
  // Reaches this machine, and is not one of the names that say so.
  const host = '0.0.0.0';
  const certificate = await certificateFor(host);
  await withServer({ host }, async (server) => {
    const outcome = await sent(settings(server.port, { host }));
    assert.match(outcome.error ?? '', /STARTTLS/);
    assert.is(server.mails.length, 0);
  });
  for (const tls of ['starttls', 'first'] as const)
    await withServer({ tls, certificate, host }, async (server) => {
      const at = { host, isTls: tls === 'first' };
      const outcome = await sent(settings(server.port, at));
      assert.match(outcome.error ?? '', /certificate is not trusted/, tls);
      assert.equal(await sent(settings(server.port, at, certificate.cert)), accepted, tls);
      assert.equal(
        server.mails.map(({ isTls }) => isTls),
        [true],
      );
    });
});

test('on this machine a mail server needs no TLS, and no certificate that others know', async () => {
  const certificate = await certificateFor('localhost');
  await withServer({ tls: 'starttls', certificate }, async (server) => {
    for (const host of ['localhost', '127.0.0.1'])
      assert.equal(await sent(settings(server.port, { host })), accepted);
    assert.ok(server.mails.every(({ isTls }) => isTls));
  });
  await withServer({ tls: 'first', certificate }, async (server) => {
    const at = { host: 'localhost', isTls: true };
    assert.match((await sent(settings(server.port, at))).error ?? '', /certificate is not trusted/);
    assert.equal(await sent(settings(server.port, at, certificate.cert)), accepted);
  });
});

test('no name and no address begins a header or names another recipient', () =>
  withServer({}, async (server) => {
    const planted = 'ACME\r\nBcc: eve@example.net\r\n\r\nbody';
    const named = { ...settings(server.port), from: { ...from, name: planted } };
    assert.equal(await sent(named, MAIL_LIMITS_MS, { ...mail, subject: planted }), accepted);
    const [received] = server.mails;
    assert.equal(received?.to, ['Ann@example.org']);
    assert.is(received?.headers.bcc, undefined);
    assert.match(received?.headers.subject ?? '', /^ACME /);
    const addresses = [
      'ann@example.org\r\nRCPT TO:<eve@example.net>',
      'ann@example.org, eve@example.net',
      '<eve@example.net> ann@example.org',
      'ann@example.org>',
      'ann@@example.org',
      'Ann',
      '',
    ];
    for (const to of addresses)
      assert.equal(await createMailer(settings(server.port)).send({ ...mail, to }, unaborted), {
        error: 'the e-mail is not one that can be mailed to',
        isFinal: true,
      });
    assert.is(server.mails.length, 1);
  }));
