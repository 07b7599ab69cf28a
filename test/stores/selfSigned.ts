import { createHash } from 'node:crypto';
import { signature, signingKey, textSigner } from '../../stores/objects/sigv4.ts';
import { httpSend, type Received, type Sending } from '../contract/httpSend.ts';
import { BUCKET, credentials, type Fixture, REGION } from './embeddedFixture.ts';

/** What the holder of the secret signs, and how far from the usual. */
export type Terms = Readonly<{
  method: string;
  key: string;
  body?: string;
  headers?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  payloadHash?: string;
  signedHeaders?: readonly string[];
  region?: string;
}>;

const stamp = (fixture: Fixture): string =>
  new Date(Date.now() + fixture.time.ahead).toISOString().replace(/[-:]|\.\d+/g, '');
const encode = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');

/** Signs in the Authorization header, and sends. */
export const headerSigned = (
  fixture: Fixture,
  terms: Terms,
  timestamp = stamp(fixture),
): Promise<Received> => {
  const { method, body = '', query = {}, region = REGION } = terms;
  const payloadHash = terms.payloadHash ?? createHash('sha256').update(body).digest('hex');
  const headers = {
    ...(method === 'PUT' && { 'content-length': String(body.length) }),
    ...terms.headers,
    ...{ host: fixture.host, 'x-amz-date': timestamp, 'x-amz-content-sha256': payloadHash },
  };
  const signedHeaders = terms.signedHeaders ?? Object.keys(headers).sort();
  const scope = { date: timestamp.slice(0, 8), region, service: 's3' };
  const path = `/${BUCKET}/${terms.key}`;
  const signed = signature(textSigner(signingKey(credentials.secretAccessKey, scope)), scope, timestamp, {
    ...{ method, path, signedHeaders, payloadHash },
    ...{ query: new Map(Object.entries(query)), headers: new Map(Object.entries(headers)) },
  });
  const credential = `${credentials.accessKeyId}/${scope.date}/${region}/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signed}`;
  const url = `${fixture.url}${encodeURI(path)}?${encode(query)}`;
  return httpSend({ method, url, headers: { ...headers, authorization }, body });
};

/** Signs in the query, with any terms at all. */
export const querySigned = (fixture: Fixture, terms: Terms, expires = '60'): Sending => {
  const { method, body = '', headers = {}, signedHeaders = ['host'], region = REGION } = terms;
  const timestamp = stamp(fixture);
  const scope = { date: timestamp.slice(0, 8), region, service: 's3' };
  const query = {
    ...terms.query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${credentials.accessKeyId}/${scope.date}/${region}/s3/aws4_request`,
    'X-Amz-Date': timestamp,
    'X-Amz-Expires': expires,
    'X-Amz-SignedHeaders': signedHeaders.join(';'),
  };
  const path = `/${BUCKET}/${terms.key}`;
  const signed = signature(textSigner(signingKey(credentials.secretAccessKey, scope)), scope, timestamp, {
    ...{ method, path, signedHeaders, payloadHash: terms.payloadHash ?? 'UNSIGNED-PAYLOAD' },
    headers: new Map(Object.entries({ ...headers, host: fixture.host })),
    query: new Map(Object.entries(query)),
  });
  const url = `${fixture.url}${encodeURI(path)}?${encode({ ...query, 'X-Amz-Signature': signed })}`;
  return {
    method,
    url,
    headers: { ...(body && { 'content-length': String(body.length) }), ...headers },
    body,
  };
};
