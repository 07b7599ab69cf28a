import type { MailSender, SmtpServer } from '../../outbound/mail.ts';
import { certificate, type Parser } from './parsers.ts';
import { optional } from './setting.ts';

const HOST = String.raw`[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?|\[[\da-fA-F:.]+\]`;
const URL_FORM = new RegExp(`^smtp(s)?://(?:([^\\s:@/?#]+):([^\\s:@/?#]+)@)?(${HOST})(?::(\\d{1,5}))?/?$`);

/** No fault repeats it: a password may be in it. */
const smtpServer: Parser<SmtpServer> = (value, refuse) => {
  const [matched, tls, user, pass, host = '', port] = URL_FORM.exec(value) ?? [];
  const logIn = user === undefined || pass === undefined ? null : decoded(user, pass);
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  if (matched === undefined || logIn === undefined || !isPort)
    return refuse(
      'must be smtp:// or smtps://, perhaps user:password@ (percent-encoded), a host, and perhaps :port',
    );
  return {
    host: host.replaceAll(/[[\]]/g, ''),
    port: port === undefined ? null : Number(port),
    isTls: tls !== undefined,
    logIn,
  };
};

/** Undefined where a % begins no character, or what it hides ends a line. */
const decoded = (user: string, pass: string): SmtpServer['logIn'] | undefined => {
  try {
    const logIn = { user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
    return /\p{Cc}/u.test(logIn.user + logIn.pass) ? undefined : logIn;
  } catch {
    return undefined;
  }
};

const ADDRESS = `[A-Za-z0-9!#$%&'*+/=?^_{|}~.-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?`;
const SENDER_FORM = new RegExp(`^(?:("?)([^\\p{Cc}"<>]*)\\1\\s*<(${ADDRESS})>|(${ADDRESS}))$`, 'u');

const mailSender: Parser<MailSender> = (value, refuse) => {
  const [matched, , name = '', named = '', address = named] = SENDER_FORM.exec(value.trim()) ?? [];
  return matched === undefined
    ? refuse('must be an e-mail address such as intake@example.com, or Intake <intake@example.com>')
    : { name: name.trim(), address };
};

/** The mail server, by which links of invitations are sent. */
export const mailSettings = {
  SMTP_URL: optional(
    'none: links of invitations are shown',
    smtpServer,
    'the mail server that links of invitations are sent by: `smtps://user:password@host:465`, or `smtp://user:password@host:587`, which must offer STARTTLS unless it is `localhost`, `127.0.0.1` or `[::1]` ([people](people.md#invitations-by-mail))',
    { secret: true, needs: 'MAIL_FROM' },
  ),
  MAIL_FROM: optional(
    'none',
    mailSender,
    'who these mails are from: `intake@example.com` or `Intake <intake@example.com>`',
    { needs: 'SMTP_URL' },
  ),
  SMTP_CA: optional(
    'none',
    certificate,
    'a file with a certificate (PEM) that the mail server may be signed by, beside the usual authorities',
    { needs: 'SMTP_URL' },
  ),
} as const;
