import { rootCertificates } from 'node:tls';
import type { NodemailerError } from 'nodemailer';
import { linkTo } from '../kernel/signals.ts';
import { AttemptError, failureText } from './failure.ts';

/** A mail server; `port` null is that of the protocol: 465 with `isTls`, else 587. */
export type SmtpServer = Readonly<{
  host: string;
  port: number | null;
  /** TLS from the first byte on (smtps). */
  isTls: boolean;
  logIn: Readonly<{ user: string; pass: string }> | null;
}>;

/** Who a mail is from; `name` may be empty. */
export type MailSender = Readonly<{ name: string; address: string }>;

/** `ca`: authorities to trust beside those built into Node (PEM). */
export type MailSettings = Readonly<{ server: SmtpServer; from: MailSender; ca: string | null }>;

/**
 * A mail to one address. The same `id` is the same Message-ID: a receiver may show the second one no more.
 */
export type Mail = Readonly<{ id: string; to: string; subject: string; text: string; html: string }>;

/**
 * How an attempt ended; `error` null: the server has accepted the mail. `isFinal`: it refused this recipient
 * or this mail for good.
 */
export type MailOutcome = Readonly<{ error: string | null; isFinal: boolean }>;

/**
 * Sends a mail. A fault of the server, of the way to it, or of the address is an outcome with an error, one
 * sentence without any address. Throws the signal's reason when aborted, and when the fault is this
 * machine's.
 */
export type Mailer = Readonly<{ send(mail: Mail, signal: AbortSignal): Promise<MailOutcome> }>;

/**
 * In milliseconds. `connect`: until the server is ready to talk, TLS included. `silence`: between two words
 * of it. `total`: for all; a mail that the server accepts only afterwards is sent again.
 */
export const MAIL_LIMITS_MS = { connect: 10_000, silence: 30_000, total: 60_000 };

/** A mailer that opens a connection for each mail. Its package is loaded for the first one. */
export const createMailer = (settings: MailSettings, limits = MAIL_LIMITS_MS): Mailer => {
  const { from } = settings;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    send: async ({ id, to, subject, text, html }, signal) => {
      signal.throwIfAborted();
      // The package would take a list of addresses for several recipients.
      if (!ONE_ADDRESS.test(to))
        return { error: 'the e-mail is not one that can be mailed to', isFinal: true };
      const { createTransport } = await import('nodemailer');
      const message = {
        envelope: { from: from.address, to },
        from: { ...from },
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        xMailer: false as const,
        ...{ subject, text, html, disableFileAccess: true, disableUrlAccess: true },
      };
      const transport = createTransport(transportOf(settings, limits));
      return attempt((inner) => transport.sendMail({ ...message, signal: inner }), limits.total, signal);
    },
  };
};

const ONE_ADDRESS = /^[^\s\p{C}<>()[\],;:\\"@]+@[^\s\p{C}<>()[\],;:\\"@]+$/u;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** Without TLS nothing is sent, except to this machine itself, whose certificate nobody can have checked. */
const transportOf = ({ server: { host, port, isTls, logIn }, ca }: MailSettings, limits = MAIL_LIMITS_MS) => {
  const isLocal = LOOPBACK.test(host);
  const trusted = ca === null ? {} : { ca: [...rootCertificates, ca] };
  return {
    // Not looked up: whoever answers for this name would be trusted without TLS.
    host: host.toLowerCase() === 'localhost' ? '127.0.0.1' : host,
    servername: /^[\d.]+$|:/.test(host) ? undefined : host,
    port: port ?? (isTls ? 465 : 587),
    secure: isTls,
    requireTLS: !isTls && !isLocal,
    tls: isLocal && !isTls ? { rejectUnauthorized: false } : trusted,
    // A server that takes mails without the log-in that was configured is not the one that was meant.
    ...(logIn === null ? {} : { auth: logIn, forceAuth: true }),
    dnsTimeout: limits.connect,
    connectionTimeout: limits.connect,
    greetingTimeout: limits.connect,
    socketTimeout: limits.silence,
    socketCloseTimeout: 1_000,
  };
};

const attempt = async (
  send: (signal: AbortSignal) => Promise<unknown>,
  limitMs: number,
  signal: AbortSignal,
): Promise<MailOutcome> => {
  const limited = linkTo(signal);
  const late = new AttemptError(`the mail server did not take the mail within ${limitMs / 1_000} s`);
  const timer = setTimeout(() => limited.abort(late), limitMs);
  try {
    await send(limited.signal);
    return { error: null, isFinal: false };
  } catch (error) {
    signal.throwIfAborted();
    return outcomeOf(limited.signal.aborted ? late : (error as NodemailerError));
  } finally {
    clearTimeout(timer);
    limited.unlink();
  }
};

/** What was answered for good about the mail itself; the rest may be a fault of settings, which is mended. */
const ABOUT_THE_MAIL: readonly (string | undefined)[] = ['RCPT TO', 'DATA'];

/** The message of the package's error repeats what the server said, which may be the recipient's address. */
const outcomeOf = (error: AttemptError | NodemailerError): MailOutcome => {
  if (error instanceof AttemptError) return { error: error.message, isFinal: false };
  const { command, responseCode, response = '', permanent = false } = error;
  if (responseCode === undefined) return { error: connectionText(error), isFinal: false };
  const [, detailed = ''] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  const code = detailed === '' ? `${responseCode}` : `${responseCode} (${detailed})`;
  return {
    error: `the mail server answered ${code} to ${stepOf(command)}`,
    isFinal: permanent && ABOUT_THE_MAIL.includes(command),
  };
};

const STEPS: Readonly<Record<string, string>> = {
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
  DATA: 'the mail',
  STARTTLS: 'STARTTLS',
};

const stepOf = (command = ''): string =>
  command.startsWith('AUTH') ? 'the log-in' : (STEPS[command] ?? 'the connection');

const TEXTS: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'the mail server did not answer in time',
  EDNS: 'the name of the mail server can’t be resolved',
  ECONNECTION: 'the mail server closed the connection',
  EAUTH: 'the mail server offers no log-in that can be used',
  EPROTOCOL: 'the mail server does not speak SMTP',
};

/** Throws for a fault of this machine or this program. */
const connectionText = (error: NodemailerError): string => {
  const { code = '', originalCode = code } = error;
  const text = TEXTS[code] ?? failureText(error, originalCode === 'ETLS' ? 'EPROTO' : originalCode);
  if (text === null) throw new Error(`a mail can’t be sent: ${originalCode}`);
  return text;
};
