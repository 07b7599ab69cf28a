/** What Node says of a connection that broke or can't be made, as `code` of its errors: waiting may mend it. */
export const BROKEN_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);
