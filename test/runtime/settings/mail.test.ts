import * as assert from 'uvu/assert';
import { InvalidSettings, readConfig, warningsOf } from '../../../runtime/settings/config.ts';
import { suite } from '../../harness.ts';

const test = suite('settings of the mail server');

const MAIL_FROM = 'Intake <intake@example.com>';
const SMTP_URL = 'smtp://mail.example.com';

/** The faults of these settings, none of which may repeat a password. */
const faultsOf = (settings: Readonly<Record<string, string>>): readonly string[] => {
  try {
    readConfig(settings);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    assert.not.match(error.message, /secret/);
    return error.faults.map(({ name, detail }) => `${name} ${detail}`);
  }
};
const serverOf = (url: string) => readConfig({ SMTP_URL: url, MAIL_FROM }).mail?.server;
const senderOf = (from: string) => readConfig({ SMTP_URL, MAIL_FROM: from }).mail?.from;

test('both are set or neither is, and nothing is mailed without them', () => {
  assert.is(readConfig({}).mail, null);
  assert.equal(faultsOf({ SMTP_URL }), ['SMTP_URL needs MAIL_FROM']);
  assert.equal(faultsOf({ MAIL_FROM }), ['MAIL_FROM needs SMTP_URL']);
  assert.equal(faultsOf({ SMTP_CA: '/nowhere.pem' }), ['SMTP_CA needs SMTP_URL']);
  const [fault, ...others] = faultsOf({ SMTP_URL, MAIL_FROM, SMTP_CA: '/nowhere.pem' });
  assert.match(fault ?? '', /^SMTP_CA must name a file with a certificate/);
  assert.is(others.length, 0);
});

test('a server is taken apart, its user and password without their percent-encoding', () => {
  const usual = { host: 'mail.example.com', port: null, isTls: false, logIn: null };
  assert.equal(serverOf('smtp://mail.example.com'), usual);
  assert.equal(serverOf('smtps://mail.example.com/'), { ...usual, isTls: true });
  assert.equal(serverOf('smtp://u%40example.com:p%3A%2F%40ss@mail.example.com:2525'), {
    ...{ ...usual, port: 2525 },
    logIn: { user: 'u@example.com', pass: 'p:/@ss' },
  });
  assert.is(serverOf('smtp://[::1]:25')?.host, '::1');
});

for (const url of [
  'mail.example.com',
  'http://mail.example.com',
  'smtp://',
  'smtp://user@mail.example.com',
  'smtp://user:@mail.example.com',
  'smtp://user:se/cret@mail.example.com',
  'smtp://user:secret%@mail.example.com',
  'smtp://user:secret%0d%0aQUIT@mail.example.com',
  'smtp://mail.example.com:0',
  'smtp://mail.example.com:65536',
  'smtp://mail.example.com?tls=false',
  'smtp://mail.example.com/path',
  'smtp://mail.example.com -v',
])
  test(`SMTP_URL=${url} is refused, and not repeated`, () =>
    assert.equal(faultsOf({ SMTP_URL: url, MAIL_FROM }), [
      'SMTP_URL must be smtp:// or smtps://, perhaps user:password@ (percent-encoded), a host, and perhaps :port',
    ]));

test('a sender is an address, perhaps with a name', () => {
  const address = 'intake@example.com';
  assert.equal(senderOf('intake@example.com'), { name: '', address });
  assert.equal(senderOf(' Intake <intake@example.com>'), { name: 'Intake', address });
  assert.equal(senderOf('"ACME, Köln" <intake@example.com>'), { name: 'ACME, Köln', address });
  assert.equal(senderOf('<intake@example.com>'), { name: '', address });
  assert.is(senderOf('intake@localhost')?.address, 'intake@localhost');
});

for (const from of [
  'Intake',
  'Intake <intake>',
  'intake@example.com, eve@example.net',
  'Intake\r\nBcc: eve@example.net <intake@example.com>',
  'Intake <intake@example.com> more',
  '"Intake <intake@example.com>',
  'intake@example.com\nBcc: eve@example.net',
])
  test(`MAIL_FROM=${JSON.stringify(from)} is refused`, () => {
    const [fault, ...others] = faultsOf({ SMTP_URL, MAIL_FROM: from });
    assert.match(fault ?? '', /^MAIL_FROM must be an e-mail address/);
    assert.is(others.length, 0);
  });

test('a start warns where mailed links would name this machine alone', () => {
  const warned = (settings: Readonly<Record<string, string>>) =>
    warningsOf(readConfig(settings), 'http://127.0.0.1:3001').map(({ name, detail }) => `${name} ${detail}`);
  assert.equal(warned({ SMTP_URL, MAIL_FROM }), [
    'PUBLIC_URL is not set, though SMTP_URL is: mailed links begin with http://127.0.0.1:3000',
  ]);
  const urls = { PUBLIC_URL: 'https://a.example.com', STORAGE_PUBLIC_URL: 'https://b.example.com' };
  assert.equal(warned({ SMTP_URL, MAIL_FROM, ...urls }), []);
  assert.equal(warned({}), []);
});
