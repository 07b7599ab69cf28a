/**
 * What stands in a mail: headers by their names in lower case, unfolded; what the text says to open, and its
 * token.
 */
export type MailParts = Readonly<{
  headers: Readonly<Record<string, string>>;
  text: string;
  html: string;
  link: string;
  token: string;
}>;

/** Reads a mail with a text and an HTML part, as RFC 2045 and 5322 have them. */
export const partsOf = (raw: string): MailParts => {
  const { headers, body } = splitOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = `\r\n${body}`
    .split(`\r\n--${boundary}`)
    .slice(1, -1)
    .map((part) => splitOf(part.slice(2)));
  const decodedPart = (type: string): string => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type));
    if (!part) throw new Error(`a mail without ${type}`);
    return decoded(part.body, part.headers['content-transfer-encoding'] ?? '');
  };
  const text = decodedPart('text/plain');
  const link = /^\S+:\/\/\S+$/m.exec(text)?.[0] ?? '';
  const token = link === '' ? '' : (new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '');
  return { headers, text, html: decodedPart('text/html'), link, token };
};

const splitOf = (raw: string) => {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      withoutEncodedWords(line.slice(line.indexOf(':') + 2)),
    ]),
  );
  if (Object.keys(headers).length < lines.length) throw new Error('a mail that has a header twice');
  return { headers, body: raw.slice(end + 4) };
};

/** RFC 2047; the white space between two of them is none. */
const withoutEncodedWords = (value: string): string =>
  value
    .replaceAll(/(\?=) +(?==\?)/g, '$1')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      /b/i.test(kind) ? decoded(word, 'base64') : decoded(word.replaceAll('_', ' '), 'quoted-printable'),
    );

const decoded = (body: string, encoding: string): string => {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n');
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
};
