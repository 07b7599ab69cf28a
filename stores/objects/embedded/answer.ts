import type { Readable } from 'node:stream';
import type { Refusal } from './refusal.ts';

/** What is sent back; without `body` nothing but headers. */
export type Answer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body?: Readable | string;
}>;

/** The children of an element: texts, or the children of several elements of one name. */
type Members = Readonly<{ [tag: string]: string | readonly Members[] }>;

/** An XML answer. */
export const xmlAnswer = (status: number, name: string, members: Members): Answer => {
  const body = PROLOGUE + xmlElement(name, members);
  const headers = { 'Content-Type': 'application/xml', 'Content-Length': String(Buffer.byteLength(body)) };
  return { status, headers, body };
};

/** A refusal in S3's form. A client may try again after one that is temporary. */
export const refusalAnswer = (refusal: Refusal, resource: string, requestId: string): Answer => {
  const members = { Code: refusal.code, Message: refusal.message, Resource: resource, RequestId: requestId };
  const answer = xmlAnswer(refusal.status, 'Error', members);
  return refusal.status === 503 ? { ...answer, headers: { ...answer.headers, 'Retry-After': '1' } } : answer;
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Text for an XML element: markup escaped, what XML 1.0 can't hold replaced. */
const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?');

const xmlElement = (name: string, members: Members): string => {
  const children = Object.entries(members).map(([tag, value]) =>
    typeof value === 'string'
      ? `<${tag}>${escapeXml(value)}</${tag}>`
      : value.map((one) => xmlElement(tag, one)).join(''),
  );
  return `<${name}>${children.join('')}</${name}>`;
};

/** Sent with every answer. Any origin may ask: what counts is the signature in the URL, never a cookie. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Content-Range, Content-Disposition, x-amz-request-id',
} as const;

const ALLOWED = [
  ...['content-type', 'content-length', 'content-md5', 'range', 'if-match', 'if-none-match'],
  ...['x-amz-checksum-sha256', 'x-amz-checksum-sha1', 'x-amz-checksum-crc32', 'x-amz-content-sha256'],
];

/** The answer to a browser that asks whether a page may send a signed request. */
export const PREFLIGHT: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': 'GET, HEAD, PUT',
    'Access-Control-Allow-Headers': ALLOWED.join(', '),
    'Access-Control-Max-Age': '3600',
  },
};
