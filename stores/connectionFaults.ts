/** Node's codes for a connection that broke or can't be made: a later call may succeed. */
export const BROKEN_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

/**
 * What lets no TLS connection come about, if that is behind this error: a certificate that is not trusted,
 * names another host or has run out, a file that holds no key, a server without TLS. Waiting does not
 * mend it. Null for any other error, also for a connection that breaks.
 */
export const tlsFaultOf = (error: unknown): string | null => {
  let one = error;
  for (let depth = 0; one instanceof Error && depth < DEPTH; depth += 1) {
    const { code, message, cause } = one as NodeJS.ErrnoException;
    if (typeof code === 'string' && (CERTIFICATE.test(code) || NO_TLS.test(message))) return code;
    one = cause;
  }
  return null;
};

/** Clients wrap their causes, some more than once. */
const DEPTH = 6;

/** Node's codes for refused certificates (X509_V_ERR_… of OpenSSL) and unreadable ones. */
const CERTIFICATE =
  /^(ERR_TLS_CERT|ERR_OSSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(CA|PURPOSE)$|HOSTNAME_MISMATCH$)/;
const NO_TLS = /wrong version number|unsupported protocol/i;
