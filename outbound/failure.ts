/** An attempt that failed; the message is fit for customers. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
}

/** The answer breaks HTTP in a way that only a broken or hostile receiver does. */
export const NOT_HTTP = 'the answer is not valid HTTP';
const CLOSED = 'the connection was closed before a complete answer came';
const UNREACHABLE = 'the host could not be reached';

const REMOTE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: CLOSED,
  ECONNABORTED: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  UND_ERR_CONNECT_TIMEOUT: UNREACHABLE,
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: NOT_HTTP,
};

/** Faults of this machine or this program: the receiver must not be charged with an attempt for them. */
const OWN =
  /^(EMFILE|ENFILE|ENOMEM|ENOBUFS|ABORT_ERR|ERR_INVALID_.*|UND_ERR_(INVALID_ARG|DESTROYED|CLOSED))$/;

/**
 * Why an attempt failed, in one short sentence without any address; null when the fault is our own (no file
 * handles left, closed, a header that can't be sent) and is no sign of the receiver's state. `code` is the
 * system's, where a package has hidden it behind one of its own.
 */
export const failureText = (error: unknown, code = codeOf(error)): string | null => {
  if (error instanceof AttemptError) return error.message;
  if (OWN.test(code)) return null;
  if (error instanceof Error && error.name === 'HTTPParserError') return NOT_HTTP;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'the TLS handshake failed';
  if (/CERT|SIGNATURE|CRL|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE/.test(code))
    return `the certificate is not trusted (${code})`;
  return REMOTE[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`);
};

/** Why an answer with this status is a failure; null for 2xx. Redirects are never followed. */
export const statusText = (status: number): string | null => {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `answered ${status}: redirects are not followed`
    : `answered ${status}`;
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
