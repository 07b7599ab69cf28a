import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { Endpoint, Tls } from './address.ts';

/** Secures a connection to a host. Throws what TLS finds wrong, and what breaks it off. */
export const handshake = (
  socket: Socket,
  tls: Tls,
  host: string,
): Promise<{ socket: TLSSocket; secure: true }> =>
  new Promise((resolve, reject) => {
    const { verify, ca, certificate, key } = tls;
    const secured = connect({
      socket,
      ...named(host),
      ...(ca && { ca }),
      ...(certificate && key && { cert: certificate, key }),
      ...(!verify && { rejectUnauthorized: false }),
      ALPNProtocols: ['h2'],
    });
    secured.once('secureConnect', () => resolve({ socket: secured, secure: true }));
    // Never removed: an error without a listener would end the process.
    secured.on('error', reject);
    secured.once('close', () => reject(new Error('the connection was closed during the TLS handshake')));
  });

/** Names of servers are for hosts that have one (RFC 6066). */
const named = (host: string): ConnectionOptions => (isIP(host) ? { host } : { host, servername: host });

const PROBE_MS = 1_000;

/** Whether an endpoint uses TLS; null when that is not clear within a second. */
export const probeTls = ({ host, port }: Endpoint): Promise<boolean | null> =>
  new Promise((resolve) => {
    const plainHost = host.replace(/^\[(.*)\]$/, '$1');
    const socket = connect({ ...named(plainHost), port, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    const late = setTimeout(() => end(null), PROBE_MS);
    const end = (usesTls: boolean | null): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(usesTls);
    };
    socket.once('secureConnect', () => end(true));
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => end(verdictOf(code)));
    socket.once('close', () => end(null));
  });

/** An alert is sent by TLS only; a reply that is no TLS record shows that there is none. */
const verdictOf = (code: string): boolean | null => {
  if (code.includes('ALERT')) return true;
  return code.startsWith('ERR_SSL_') ? false : null;
};
