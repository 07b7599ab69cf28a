import type { Readable } from 'node:stream';
import type { Refusal } from './refusal.ts';
import { xmlDocument } from './xml.ts';

/** What is sent back; without `body` nothing but headers. */
export type Answer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body?: Readable | string;
}>;

/** An XML answer. */
export const xmlAnswer = (
  status: number,
  name: string,
  members: Readonly<Record<string, string>>,
): Answer => {
  const body = xmlDocument(name, members);
  const headers = { 'Content-Type': 'application/xml', 'Content-Length': String(Buffer.byteLength(body)) };
  return { status, headers, body };
};

/** A refusal in S3's form. A client may try again after one that is temporary. */
export const refusalAnswer = (refusal: Refusal, resource: string, requestId: string): Answer => {
  const members = { Code: refusal.code, Message: refusal.message, Resource: resource, RequestId: requestId };
  const answer = xmlAnswer(refusal.status, 'Error', members);
  return refusal.status === 503 ? { ...answer, headers: { ...answer.headers, 'Retry-After': '1' } } : answer;
};
