import type { Readable } from 'node:stream';
import { escapeMarkup } from '../../../kernel/escape.ts';

/** S3's error codes that this endpoint uses, and the status of each. */
const STATUS = {
  AccessDenied: 403,
  AccessForbidden: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidDigest: 400,
  InvalidPart: 400,
  InvalidPolicyDocument: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedPOSTRequest: 400,
  MaxPostPreDataLengthExceeded: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
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

/** Why nothing can be done with an upload. */
export const noSuchUpload = (): Refusal =>
  new Refusal('NoSuchUpload', 'there is no such upload in parts: it was joined, or has ended');

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
