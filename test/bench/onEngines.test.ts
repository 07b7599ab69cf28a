import * as assert from 'uvu/assert';
import { withoutEngines } from '../../bench/engineSettings.ts';
import { placing } from '../../bench/onEngines.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { suite } from '../harness.ts';

const test = suite('benches on engines');
const bucket = {
  ...{
    S3_BUCKET: 'files',
    S3_ENDPOINT: 'http://127.0.0.1:9',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
  },
  ...{ MASTER_KEY: Buffer.alloc(32).toString('base64'), EVIDENCE_KEY: Buffer.alloc(32).toString('base64') },
};

test('without engines every bench is as it is, and has no remark', async () => {
  const { place, isEmbedded } = await placing({});
  assert.equal(isEmbedded, true);
  const { options, remark } = place('reads', '--rounds 1');
  assert.equal({ options, remark }, { options: '--rounds 1', remark: '' });
});

test('a service is measured on the engines, what has its own stores is not, and rows say so', async () => {
  const { place, isEmbedded } = await placing(bucket);
  assert.equal(isEmbedded, false);
  assert.equal(place('sessions', ''), { options: '', env: bucket, remark: 'on S3' });
  const { env, remark } = place('rebuild', '');
  assert.equal(remark, 'on the embedded stores');
  assert.equal(readConfig(env).engines.s3, null);
});

test('a service without engines inherits none', () => {
  const { engines, masterKey, evidenceKey } = readConfig({ ...bucket, ...withoutEngines });
  assert.equal(engines, { eventStoreDbUrl: null, mongoDbUrl: null, s3: null });
  assert.equal([masterKey, evidenceKey], [null, null]);
});
