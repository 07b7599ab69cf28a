import * as assert from 'uvu/assert';
import { locationsOf } from '../../../runtime/dataFolder.ts';
import {
  embeddedParts,
  InvalidSettings,
  needsDataDir,
  readConfig,
} from '../../../runtime/settings/config.ts';
import { suite } from '../../harness.ts';

const test = suite('settings of the engines');
const MASTER_KEY = Buffer.alloc(32, 1).toString('base64');
const SECRET = 'hunter2';

type Settings = Readonly<Record<string, string>>;

const refused = (settings: Settings): readonly string[] => {
  try {
    readConfig({ MASTER_KEY, ...settings });
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    assert.not.ok(error.message.includes(SECRET), error.message);
    return error.faults.map(({ name }) => name);
  }
  return [];
};
const s3Of = (settings: Settings) => readConfig({ MASTER_KEY, ...settings }).engines.s3;

const bucket = { S3_BUCKET: 'intake', S3_ENDPOINT: 'http://127.0.0.1:9000' };

test('nothing set: everything is embedded', () => {
  const { engines } = readConfig({});
  assert.equal(engines, { eventStoreDbUrl: null, mongoDbUrl: null, s3: null });
  assert.equal(embeddedParts(engines), { log: true, documents: true, files: true });
  assert.ok(needsDataDir(engines));
});

test('a bucket elsewhere: path style and a region by default, credentials of the settings or of the SDK', () => {
  const plain = { bucket: 'intake', endpoint: 'http://127.0.0.1:9000', publicEndpoint: null };
  const unset = { region: 'us-east-1', pathStyle: true, encryption: null, credentials: null };
  assert.equal(s3Of(bucket), { ...plain, ...unset });
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: SECRET };
  const credentials = { accessKeyId: 'id', secretAccessKey: SECRET };
  assert.equal(s3Of({ ...bucket, ...keys })?.credentials, credentials);
  const session = { ...bucket, ...keys, AWS_SESSION_TOKEN: 'token' };
  assert.equal(s3Of(session)?.credentials, { ...credentials, sessionToken: 'token' });
  const more = { S3_PATH_STYLE: 'false', S3_SSE: 'aws:kms', S3_PUBLIC_ENDPOINT: 'https://up.example.com/' };
  const { pathStyle, encryption, publicEndpoint } = s3Of({ ...bucket, ...more }) ?? {};
  assert.equal([pathStyle, encryption, publicEndpoint], [false, 'aws:kms', 'https://up.example.com']);
});

test('a bucket of AWS: its region is needed, its name becomes a host', () => {
  assert.equal(refused({ S3_BUCKET: 'intake' }), ['S3_REGION']);
  const { endpoint, region, pathStyle } = s3Of({ S3_BUCKET: 'intake', S3_REGION: 'eu-central-1' }) ?? {};
  assert.equal([endpoint, region, pathStyle], [null, 'eu-central-1', false]);
});

const faulty: readonly (readonly [what: string, settings: Settings, names: readonly string[]])[] = [
  ['an endpoint without a bucket', { S3_ENDPOINT: 'http://a:9000' }, ['S3_ENDPOINT']],
  [
    'all but the bucket',
    { S3_PUBLIC_ENDPOINT: 'http://a', S3_REGION: 'r', S3_PATH_STYLE: 'true', S3_SSE: 'AES256' },
    ['S3_PUBLIC_ENDPOINT', 'S3_REGION', 'S3_PATH_STYLE', 'S3_SSE'],
  ],
  ['an endpoint that is no address', { ...bucket, S3_ENDPOINT: 'minio:9000' }, ['S3_ENDPOINT']],
  ['a password in an endpoint', { ...bucket, S3_ENDPOINT: `http://id:${SECRET}@a` }, ['S3_ENDPOINT']],
  ['a password in an address for others', { PUBLIC_URL: `https://id:${SECRET}@a` }, ['PUBLIC_URL']],
  ['a path style of another word', { ...bucket, S3_PATH_STYLE: '1' }, ['S3_PATH_STYLE']],
  ['an encryption that is not valid', { ...bucket, S3_SSE: 'aes256' }, ['S3_SSE']],
  ['a bucket that is an address', { ...bucket, S3_BUCKET: 's3://intake' }, ['S3_BUCKET']],
  ['half of the credentials', { ...bucket, AWS_SECRET_ACCESS_KEY: SECRET }, ['AWS_ACCESS_KEY_ID']],
  ['the other half', { ...bucket, AWS_ACCESS_KEY_ID: 'id' }, ['AWS_SECRET_ACCESS_KEY']],
  ['no master key beside an engine', { ...bucket, MASTER_KEY: '' }, ['MASTER_KEY']],
  ['a log of another scheme', { EVENTSTOREDB_URL: `http://admin:${SECRET}@a:2113` }, ['EVENTSTOREDB_URL']],
  ['a log without a host', { EVENTSTOREDB_URL: 'esdb://?tls=false' }, ['EVENTSTOREDB_URL']],
  ['a password that is not encoded', { EVENTSTOREDB_URL: `esdb://u:${SECRET}@/x@a` }, ['EVENTSTOREDB_URL']],
  [
    'a password that looks like port and option',
    { EVENTSTOREDB_URL: `esdb://u:12?${SECRET}@a` },
    ['EVENTSTOREDB_URL'],
  ],
  [
    'a password that looks like port and path',
    { MONGODB_URL: `mongodb://u:12/${SECRET}@a` },
    ['MONGODB_URL'],
  ],
  ['documents of another scheme', { MONGODB_URL: `postgres://u:${SECRET}@a/intake` }, ['MONGODB_URL']],
  ['documents with a port that is not valid', { MONGODB_URL: 'mongodb://a:port/intake' }, ['MONGODB_URL']],
];
for (const [what, settings, names] of faulty)
  test(`${what} is refused`, () => assert.equal(refused(settings), names));

for (const [name, text] of [
  ['EVENTSTOREDB_URL', 'esdb://localhost:2113?tls=false'],
  [
    'EVENTSTOREDB_URL',
    `esdb+discover://admin:${SECRET}@a.example:2113,b.example,[::1]:2113?nodePreference=leader`,
  ],
  ['EVENTSTOREDB_URL', 'kurrentdb://localhost'],
  ['EVENTSTOREDB_URL', 'kurrentdb+discover://a,b'],
  ['EVENTSTOREDB_URL', 'kurrent://localhost?tls=false'],
  ['EVENTSTOREDB_URL', `kurrent+discover://admin:${SECRET}@a`],
  ['MONGODB_URL', 'mongodb://localhost'],
  ['MONGODB_URL', `mongodb://u%40x:${SECRET}@a:27017,b:27017/intake?replicaSet=rs0&tls=true`],
  ['MONGODB_URL', 'mongodb+srv://cluster.example/intake'],
] as const)
  test(`${name}=${text} is fine`, () => {
    assert.equal(refused({ [name]: text }), []);
    const { eventStoreDbUrl, mongoDbUrl } = readConfig({ MASTER_KEY, [name]: text }).engines;
    assert.is(eventStoreDbUrl ?? mongoDbUrl, text);
  });

test('half of some credentials is nobody’s business without a bucket', () => {
  assert.equal(refused({ AWS_ACCESS_KEY_ID: 'id' }), []);
});

test('locations are named without the secrets of their addresses', () => {
  const eventStoreDbUrl = `esdb://admin:${SECRET}@a.example:2113,b.example:2113?tls=false&token=${SECRET}`;
  const mongoDbUrl = `mongodb+srv://user:${SECRET}@cluster.example/intake?authSource=${SECRET}`;
  const s3 = s3Of({ ...bucket, AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: SECRET });
  const all = locationsOf({ engines: { eventStoreDbUrl, mongoDbUrl, s3 }, dataDir: './data' });
  assert.equal(all, {
    all: 'EventStoreDB at a.example:2113,b.example:2113, MongoDB at cluster.example, the bucket intake at 127.0.0.1:9000',
    log: 'EventStoreDB at a.example:2113,b.example:2113',
    models: 'MongoDB at cluster.example',
  });
  const half = locationsOf({ engines: { eventStoreDbUrl: null, mongoDbUrl, s3: null }, dataDir: '/data' });
  assert.equal(half, {
    all: 'MongoDB at cluster.example, /data',
    log: 'log.db',
    models: 'MongoDB at cluster.example',
  });
});
