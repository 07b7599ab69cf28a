import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { type MailParts, partsOf } from './mailParts.ts';

/** A mail as the server got it: its envelope and log-in, whether it came by TLS, and what stands in it. */
export type ReceivedMail = MailParts &
  Readonly<{ from: string; to: readonly string[]; user: string | null; isTls: boolean; raw: string }>;

/** What the server does instead of going on: a refusal, no word any more, or the end of the connection. */
type Trouble = Readonly<{ code: number; text: string }> | 'hang' | 'close';
/** Where it does so; `taken`: the mail is kept, and the answer to it is what fails. */
type Stage = 'connect' | 'sender' | 'recipient' | 'mail' | 'taken';
type Behaviour = { trouble: Partial<Record<Stage, Trouble>>; onTaken(): void };

/** `tls`: `none` offers no STARTTLS, `first` wants TLS from the first byte on. */
type Options = Readonly<{
  tls?: 'none' | 'starttls' | 'first';
  certificate?: Readonly<{ key: string; cert: string }>;
  logIn?: Readonly<{ user: string; pass: string }>;
  host?: string;
}>;

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/**
 * A mail server on a free port of this machine that keeps what it accepts. Tests change `trouble` and
 * `onTaken`.
 */
export const startMailServer = async (options: Options = {}) => {
  const { tls = 'none', host = '127.0.0.1' } = options;
  const mails: ReceivedMail[] = [];
  const behaviour: Behaviour = { trouble: {}, onTaken: () => undefined };
  const handlers = handlersOf(behaviour, mails, () => {
    for (const connection of server.connections) connection.close();
  });
  const server = new SMTPServer({ ...protocolOf(options), ...handlers });
  // Clients that give up are what some tests are about.
  server.on('error', () => undefined);
  const listening = server.listen(0, host);
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return Object.assign(behaviour, {
    port,
    url: `${tls === 'first' ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    mails: mails as readonly ReceivedMail[],
    close: (): Promise<void> => new Promise((resolve) => server.close(() => resolve())),
  });
};

const protocolOf = ({ tls = 'none', certificate, logIn }: Options): SMTPServerOptions => ({
  secure: tls === 'first',
  ...certificate,
  authOptional: logIn === undefined,
  disabledCommands: [...(tls === 'none' ? ['STARTTLS'] : []), ...(logIn ? [] : ['AUTH'])],
  allowInsecureAuth: true,
  disableReverseLookup: true,
  closeTimeout: 50,
  onAuth: ({ username, password }, _session, done) => {
    const isRight = username === logIn?.user && password === logIn?.pass;
    const refusal = { message: `no such password: ${password}`, responseCode: 535 };
    done(null, isRight ? { user: username } : refusal);
  },
});

type Go = (error?: Error | null) => void;

const handlersOf = (behaviour: Behaviour, mails: ReceivedMail[], cut: () => void) => {
  const at =
    (stage: Stage) =>
    (_what: unknown, _session: SMTPServerSession, go: Go): void => {
      const trouble = behaviour.trouble[stage];
      if (trouble === undefined) go();
      else if (trouble === 'close') cut();
      else if (trouble !== 'hang') go(Object.assign(new Error(trouble.text), { responseCode: trouble.code }));
    };
  const take = (raw: string, session: SMTPServerSession, go: Go): void => {
    mails.push(receivedMail(raw, session));
    behaviour.onTaken();
    at('taken')(null, session, go);
  };
  return {
    onConnect: (session: SMTPServerSession, go: Go): void => at('connect')(null, session, go),
    onMailFrom: at('sender'),
    onRcptTo: at('recipient'),
    onData: (stream: NodeJS.ReadableStream, session: SMTPServerSession, go: Go): void => {
      const keep = (raw: string): void =>
        behaviour.trouble.mail === undefined ? take(raw, session, go) : at('mail')(null, session, go);
      textOf(stream).then(keep).catch(go);
    },
  };
};

const receivedMail = (raw: string, { envelope, user, secure }: SMTPServerSession): ReceivedMail => {
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  const to = envelope.rcptTo.map(({ address }) => address);
  return { from, to, user: user ?? null, isTls: secure, raw, ...partsOf(raw) };
};
