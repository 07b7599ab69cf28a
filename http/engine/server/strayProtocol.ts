/**
 * Names the protocol that a connection's first bytes belong to where that is not HTTP/1.1; null if unknown.
 */
export const strayProtocol = (bytes: Buffer | undefined): string | null => {
  if (bytes === undefined) return null;
  // A record of a handshake, of TLS 1.0 to 1.3 (RFC 8446, 5.1).
  if (bytes[0] === 0x16 && bytes[1] === 0x03)
    return 'A TLS handshake arrived at the http port: use http://, or https:// at a proxy before the service.';
  const text = bytes.subarray(0, 14).toString('latin1');
  if (text === 'PRI * HTTP/2.0') return 'HTTP/2 arrived at a port that speaks HTTP/1.1.';
  if (/^PROXY (TCP|UNKNOWN)|^\r\n\r\n\0\r\nQUIT\n/.test(text))
    return 'The PROXY protocol arrived at the http port: let the proxy send X-Forwarded-For.';
  return null;
};
