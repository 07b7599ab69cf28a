import type { IncomingMessage } from 'node:http';
import { Problem } from '../problems/problem.ts';

/** A name or an address, perhaps empty, and perhaps a port (RFC 3986, 3.2.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * HTTP/1.1 requires exactly one valid Host header, since the two ends of a proxy may read none, two or an odd
 * one differently (RFC 9112, 3.2). HTTP/1.0 may have none; Node would serve 0.9 too.
 */
export const requireHttp1 = ({ headers, rawHeaders, httpVersion }: IncomingMessage): void => {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2)
    if (rawHeaders[n]?.length === 4 && rawHeaders[n]?.toLowerCase() === 'host') hosts += 1;
  const counted = httpVersion === '1.1' ? hosts === 1 : httpVersion === '1.0' && hosts < 2;
  if (counted && HOST.test(headers.host ?? '')) return;
  throw new Problem('malformed-request', 'Speak HTTP/1.1, with exactly one valid Host header.', {
    headers: { Connection: 'close' },
  });
};
