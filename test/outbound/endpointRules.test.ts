import * as assert from 'uvu/assert';

import { endpointRules } from '../../outbound/endpointRules.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { isOwnSetting, settingNames } from '../../runtime/settings/table.ts';
import { suite } from '../harness.ts';

const test = suite('endpoints that workflows name');
const rulesWith = (environment: Readonly<Record<string, string>> = {}) => {
  const { webhook, secretOf } = readConfig(environment);
  return endpointRules({ ...webhook, secretOf, isReserved: isOwnSetting });
};

/** Each of them leads inside, or nowhere. */
const inside = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '0.0.0.0', '%31%32%37.1'],
  ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '192.0.2.1', '224.0.0.1'],
  ...['[::1]', '[::]', '[fd00::1]', '[fe80::1]', '[::ffff:10.0.0.1]', '[64:ff9b::a00:1]', '[2002:a00:1::]'],
  ...['localhost', 'a.localhost', 'LOCALHOST.', 'erp.internal', 'printer.local'],
];

test('addresses that the egress guard never lets pass are told before anything is sent [definitions-7]', () => {
  const { address } = rulesWith();
  for (const host of inside) assert.match(address(`https://${host}:8443/read`) ?? 'fine', /public/, host);
  for (const host of ['reader.example.com', '8.8.8.8', '[2606:4700::1111]', 'reader.example.com.'])
    assert.is(address(`https://${host}/read`), null, host);
});

test('a name whose addresses are set is judged by them', () => {
  const { address } = rulesWith({ WEBHOOK_RESOLVE: 'in.example=10.0.0.1,out.example=8.8.8.8' });
  assert.match(address('https://IN.example./read') ?? 'fine', /not public/);
  assert.is(address('https://out.example/read'), null);
});

test('where the egress guard lets everything pass, every address may be named', () => {
  const { address } = rulesWith({ WEBHOOK_EGRESS: 'any' });
  for (const host of inside) assert.is(address(`https://${host}/read`), null, host);
});

test('a secret is one that is set, and in no setting of the service’s own; its value is in no fault [definitions-6]', () => {
  const own = { METRICS_TOKEN: 'x'.repeat(16), AWS_PROFILE: 'x', NODE_OPTIONS: 'y' };
  const { secret } = rulesWith({ ...own, ERP_SECRET: 's3cret', WEAK: 'whsec_weak' });
  assert.is(secret('ERP_SECRET'), null);
  for (const name of ['UNSET', 'WEAK']) assert.match(secret(name) ?? 'fine', /not set, or is no whsec_ key/);
  for (const name of [...settingNames, ...Object.keys(own)])
    assert.is(secret(name), `must not be a setting of the service itself: ${name}`);
});
