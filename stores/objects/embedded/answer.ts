import type { Readable } from 'node:stream';
import { escapeMarkup } from '../../../kernel/escape.ts';

/** S3's error codes that this endpoint uses, and the status of each. */
const STATUS = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  EntityTooLarge: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidDigest: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  RequestTimeTooSkewed: 403,
  RequestTimeout: 400,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  XAmzContentSHA256Mismatch: 400,
} as const;

export type Code = keyof typeof STATUS;

/** A request that is not done, with the reason as S3 would name it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: Code;
  readonly status: number;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
    this.status = STATUS[code];
  }
}

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

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Text for an XML element: markup escaped, what XML 1.0 can't hold replaced. */
const escapeXml = (text: string): string =>
  escapeMarkup(text).replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?');

const xmlElement = (name: string, members: Members): string => {
  const children = Object.entries(members).map(([tag, value]) =>
    typeof value === 'string'
      ? `<${tag}>${escapeXml(value)}</${tag}>`
      : value.map((one) => xmlElement(tag, one)).join(''),
  );
  return `<${name}>${children.join('')}</${name}>`;
};

const ALLOWED = [
  ...['content-type', 'content-length', 'content-md5', 'range', 'if-match', 'if-none-match'],
  ...['x-amz-checksum-sha256', 'x-amz-checksum-sha1', 'x-amz-checksum-crc32', 'x-amz-content-sha256'],
];

/** The answer to a preflight request of CORS. */
export const PREFLIGHT: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': 'GET, HEAD, PUT',
    'Access-Control-Allow-Headers': ALLOWED.join(', '),
    'Access-Control-Max-Age': '3600',
  },
};
