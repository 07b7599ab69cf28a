import type { WebhookEvent } from './api.ts';
import { IntakeError } from './error.ts';

/** The headers of a request: those of Node.js, of the web, or a plain object. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Recorded requests are refused after this time; it also allows for clocks that differ. */
const TOLERANCE_MS = 300_000;
const PREFIX = 'whsec_';

/**
 * Gives the event of a webhook whose signature holds; throws an IntakeError `signature-invalid` otherwise.
 * `rawBody` is the body as it came, before any parsing. With a `secret` that begins with `whsec_` that is the
 * signature of Standard Webhooks, which also covers the time: a request older than five minutes is refused.
 * With a `webhookSecret` it is `X-Webhook-Signature`, which covers the body alone.
 */
export const verifyWebhook = async (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookEvent> => {
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const check = secret.startsWith(PREFIX) ? standardSignature : bodySignature;
  await check(body, (name) => headerOf(headers, name), secret);
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
};

type Header = (name: string) => string;

const standardSignature = async (body: Uint8Array, header: Header, secret: string): Promise<void> => {
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  if (!(Math.abs(Date.now() - Number(timestamp) * 1000) <= TOLERANCE_MS))
    throw invalid('its time is more than five minutes from now');
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const given = header('webhook-signature')
    .split(' ')
    .flatMap((text) => (text.startsWith('v1,') ? [text.slice(3)] : []));
  const key = fromBase64(secret.slice(PREFIX.length));
  if (key === null) throw invalid('the secret is no base64 after its prefix');
  await holds(
    key,
    given.flatMap((text) => fromBase64(text) ?? []),
    signed,
  );
};

const bodySignature = async (body: Uint8Array, header: Header, secret: string): Promise<void> => {
  const [, hex = ''] = /^sha256=((?:[0-9a-f]{2})+)$/.exec(header('x-webhook-signature')) ?? [];
  const given = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  await holds(new TextEncoder().encode(secret), [given], body);
};

/** In constant time: WebCrypto compares. */
const holds = async (key: Uint8Array, given: readonly Uint8Array[], signed: Uint8Array): Promise<void> => {
  if (key.length === 0) throw invalid('without a secret that is not known');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', exact(key), algorithm, false, ['verify']);
  for (const signature of given)
    if (await crypto.subtle.verify('HMAC', imported, exact(signature), exact(signed))) return;
  throw invalid('none of its signatures is of this secret and this body');
};

const exact = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
};

/** Null for what is no base64. */
const fromBase64 = (text: string): Uint8Array | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
};

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value !== 'string') throw invalid(`it has no header ${name}`);
  return value;
};

const invalid = (why: string): IntakeError =>
  new IntakeError({ code: 'signature-invalid', message: `The webhook is not genuine: ${why}.` });
