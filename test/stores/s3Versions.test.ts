import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { StoreMisconfigured } from '../../kernel/errors.ts';
import { evidenceOf } from '../../stores/objects/keys.ts';
import { s3ObjectStore } from '../../stores/objects/s3/store.ts';
import { suite } from '../harness.ts';

const test = suite('all of a submission in a bucket that keeps versions');

const prefix = evidenceOf(`sub_${'0'.repeat(26)}`);
/** A version of an object, or a delete marker. */
type Version = Readonly<{ key: string; versionId: string; isMarker: boolean }>;

/**
 * A bucket that lists versions by twos; `refusal` is the status of every removal, `back` what removals bring
 * back, one each.
 */
const bucketOf = (
  kept: Version[],
  listing: 'versions' | 'objects',
  refusal?: number,
  back: Version[] = [],
) => {
  const list = (element: string, versions: readonly Version[]): string =>
    versions
      .map(
        ({ key, versionId }) =>
          `<${element}><Key>${key}</Key><VersionId>${versionId}</VersionId></${element}>`,
      )
      .join('');
  const page = (query: URLSearchParams): string => {
    const after = `${query.get('key-marker') ?? ''} ${query.get('version-id-marker') ?? ''}`;
    const found = kept.filter(
      ({ key, versionId }) => key.startsWith(prefix) && `${key} ${versionId}` > after,
    );
    const shown = found.slice(0, 2);
    const last = shown.at(-1);
    return `<ListVersionsResult><IsTruncated>${found.length > 2}</IsTruncated>
      <NextKeyMarker>${last?.key ?? ''}</NextKeyMarker>
      <NextVersionIdMarker>${last?.versionId ?? ''}</NextVersionIdMarker>
      ${list(
        'Version',
        shown.filter(({ isMarker }) => !isMarker),
      )}${list(
        'DeleteMarker',
        shown.filter(({ isMarker }) => isMarker),
      )}</ListVersionsResult>`;
  };
  const remove = (key: string, versionId: string | null): void => {
    const index = kept.findIndex((one) => one.key === key && (versionId ?? one.versionId) === one.versionId);
    if (index >= 0) kept.splice(index, 1);
    kept.push(...back.splice(0, 1));
  };
  const answerTo = (
    method: string | undefined,
    key: string,
    query: URLSearchParams,
  ): readonly [number, string] => {
    if (method === 'DELETE') {
      if (refusal !== undefined) return [refusal, '<Error><Code>AccessDenied</Code></Error>'];
      remove(key, query.get('versionId'));
      return [204, ''];
    }
    if (query.has('uploads')) return [200, '<ListMultipartUploadsResult/>'];
    if (!query.has('versions'))
      return [200, `<ListBucketResult>${list('Contents', kept)}</ListBucketResult>`];
    if (listing === 'objects') return [501, '<Error><Code>NotImplemented</Code></Error>'];
    return [200, page(query)];
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [status, body] = answerTo(request.method, pathname.slice('/files/'.length), searchParams);
    response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
  };
};

const removedFrom = async (listener: ReturnType<typeof bucketOf>): Promise<number | Error> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'id-of-tests', secretAccessKey: 'secret-of-tests' };
  const store = s3ObjectStore({ endpoint, region: 'r', bucket: 'files', pathStyle: true, credentials });
  try {
    return await store.removeAll(prefix).catch((error) => error);
  } finally {
    await store.close();
    server.close();
  }
};

const version = (name: string, versionId: string, isMarker = false): Version => ({
  ...{ key: `${prefix}${name}`, versionId, isMarker },
});

test('a version that a removal brings back is removed as well', async () => {
  const kept = [version('a', '2'), version('a', '3')];
  assert.is(await removedFrom(bucketOf(kept, 'versions', undefined, [version('a', '1')])), 3);
  assert.equal(kept, []);
});

test('every version and every delete marker goes, over all pages', async () => {
  const kept = [
    ...[version('a', '1'), version('a', '2'), version('a', '3', true)],
    ...[version('b', '1'), version('c', '1', true), version('d', '1')],
    { key: 'evidence/of-another', versionId: '1', isMarker: false },
  ];
  assert.is(await removedFrom(bucketOf(kept, 'versions')), 4);
  assert.equal(
    kept.map(({ key }) => key),
    ['evidence/of-another'],
  );
});

test('a store that lists no versions is asked for its objects', async () => {
  const kept = [version('a', '1'), version('b', '1')];
  assert.is(await removedFrom(bucketOf(kept, 'objects')), 2);
  assert.equal(kept, []);
});

test('a version that may not be removed is an error, never a success', async () => {
  const kept = [version('a', '1')];
  assert.instance(await removedFrom(bucketOf(kept, 'versions', 403)), StoreMisconfigured);
});
