import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { passesOf } from './passes.ts';

const test = suite('what tests run on');

const files = [
  'dist/test/contract/objects.s3.test.js',
  'dist/test/domain/batch.test.js',
  'dist/test/http/cors.test.js',
  'dist/test/http/engine/body.test.js',
  'dist/test/http/mainJob.test.js',
  'dist/test/http/sessions.test.js',
  'dist/test/stores/eventStoreDb/servers.test.js',
  'dist/test/stores/codec.test.js',
];
const bucket = { S3_ENDPOINT: 'http://a', S3_BUCKET: 'b', AWS_SECRET_ACCESS_KEY: 'secret' };
const found = (environment: Readonly<Record<string, string>>) => passesOf(files, environment);

test('drivers alone see what names the engines; everything else runs on the embedded stores', () => {
  const { passes } = found({ ...bucket, PATH: '/bin' });
  const [drivers, others] = passes;
  const ofEngines = files.filter((file) => /contract|eventStoreDb/.test(file));
  assert.equal(drivers?.files, ofEngines);
  assert.equal(drivers?.env, { ...bucket, PATH: '/bin' });
  assert.equal(
    others?.files,
    files.filter((file) => !ofEngines.includes(file)),
  );
  assert.equal(others?.env, { PATH: '/bin' });
});

test('what reaches the stores runs again on the engines that are there; what is not there is told', () => {
  const { passes, skipped } = found({ ...bucket });
  const again = passes.filter(({ name }) => name !== '');
  assert.ok(again.some(({ name, files: all }) => name.includes('S3') && all.length === 2));
  for (const { env } of again) assert.equal(Object.keys(env), ['INTAKE_TEST_ENGINES']);
  assert.not.ok(skipped.some((reason) => reason.includes('S3')));
  assert.ok(found({}).skipped.some((reason) => reason.includes('S3_ENDPOINT is not set')));
});
