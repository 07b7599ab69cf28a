/**
 * A text from outside, fit for the log: addresses are cut after their host, since webhook paths and upload
 * queries are secrets; bearer tokens, API keys and whatever else is as long and as random as a key are cut
 * out.
 */
export const scrubbed = (text: string): string =>
  text
    .replace(ADDRESS, (_, scheme: string, host: string, rest: string) =>
      rest === '' || rest === '/' ? `${scheme}${host}${rest}` : `${scheme}${host}/[redacted]`,
    )
    .replace(BEARER, '$1 [redacted]')
    .replace(LONG, (run) => (NAME.test(run) ? run : '[redacted]'));

/**
 * The text of a fault, fit for an answer: scrubbed, without e-mails, and without what it quotes, which may be
 * private: a parser quotes what it could not read.
 */
export const publicReason = (text: string): string =>
  scrubbed(text.replace(QUOTED, '"[redacted]"').slice(0, 2 * MAX_REASON))
    .replace(EMAIL, '[redacted]')
    .slice(0, MAX_REASON);

const MAX_REASON = 500;
/** From the first quotation mark to the last one, or to the end where there is but one. */
const QUOTED = /"(?:.*"|.*)/s;
const EMAIL = /[^\s@<>"',;:]+@[^\s@<>"',;:]+/g;

const ADDRESS = /\b((?!file:)[a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'<>]*@)?([^\s/?#"'<>@]*)([^\s"'<>]*)/gi;
const BEARER = /\b(bearer|basic) +[\w.~+/=-]+/gi;
/** No word and no identifier is as long: 32 random bytes take 43 characters in base64, 64 in hex. */
const LONG = /[\w+=-]{40,}/g;
/** Streams are named after what they hold: `webhookDelivery-<uuid>`. */
const NAME = /^[a-zA-Z]+-(?:[0-9a-z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
