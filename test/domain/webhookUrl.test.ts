import * as assert from 'uvu/assert';
import { deliveryLane, MAX_WEBHOOK_URL, webhookUrlProblem } from '../../domain/webhookUrl.ts';
import { insideHosts } from '../controls/insideHosts.ts';
import { suite } from '../harness.ts';

const test = suite('webhook URL rules');

test('there are at least 120 spellings of hosts inside', () =>
  assert.ok(new Set(insideHosts).size >= 120, `${new Set(insideHosts).size} spellings`));

for (const host of insideHosts)
  test(`refuses ${JSON.stringify(host)} [webhooks-28, webhooks-29]`, () => {
    for (const url of [`https://${host}/hooks`, `https://${host}:8443/hooks`, `HTTPS://${host}?a=1#b`])
      assert.match(webhookUrlProblem(url) ?? `passes: ${url}`, /^must name a public host/);
  });

const fine = [
  'https://example.com',
  'https://example.com:8443/hooks?token=a%20b#part',
  'https://example.com./hooks',
  'HTTPS://EXAMPLE.COM/',
  'https://münchen.example/hooks',
  'https://receiver.example/%2e%2e/localhost',
  'https://example.com/127.0.0.1',
  'https://example.com/?to=http://localhost',
  'https://example.com/#@localhost',
  // Public-looking names pass, wherever they point.
  'https://127.0.0.1.nip.io/hooks',
  'https://10.example.com/',
  'https://10.0.0.example/',
  'https://192.168.example.com/',
  'https://172.16.example.com/',
  'https://169.254.example.com/',
  'https://localhost.example.com/',
  'https://mylocalhost/',
  'https://internal.example.com/',
  'https://internal/',
  'https://example.internals/',
  'https://xinternal/',
  'https://local/',
  'https://dislocal/',
  'https://metadata/',
  // Public addresses, and the neighbours of refused ranges.
  'https://8.8.8.8/',
  'https://9.255.255.255/',
  'https://11.0.0.0/',
  'https://126.255.255.255/',
  'https://128.0.0.0/',
  'https://172.15.255.255/',
  'https://172.32.0.0/',
  'https://192.167.255.255/',
  'https://192.169.0.0/',
  'https://169.253.255.255/',
  'https://169.255.0.0/',
  'https://0.0.0.1/',
  'https://134744072/',
  'https://0x8.010.8/',
  // Left to the egress guard: "all else passes the syntax check".
  'https://100.64.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2606:4700:4700::1111]/',
  'https://[2606:4700:4700::1111]:8443/',
  'https://[::ffff:8.8.8.8]/',
  'https://[fbff::1]/',
  'https://[fe00::1]/',
  'https://[fec0::1]/',
  'https://[1::1]/',
  'https://[0:0:0:0:0:1::1]/',
];

for (const url of fine) test(`accepts ${url} [webhooks-31]`, () => assert.is(webhookUrlProblem(url), null));

const notAbsolute = [
  '',
  ' ',
  'example.com',
  'example.com/hooks',
  '/hooks',
  '//example.com/hooks',
  'https',
  'https:',
  'https://',
  'https:///',
  'https:///example.com',
  'https:example.com',
  'https:/example.com',
  'https:\\\\example.com',
  'https://\\example.com',
  'https://example.com\\hooks',
  ' https://example.com',
  'https://example.com ',
  'https://exa mple.com',
  'https://example.com/a b',
  'ht\ntps://example.com',
  'https://exam\tple.com',
  'https://example.com/\u0000',
  'https://example.com:99999',
  'https://example.com:port',
  'https://256.1.1.1',
  'https://1.2.3.4.5',
  'https://[::1',
  'https://[::1%25lo]',
  'https://[fe80::1%eth0]',
  'https://[127.0.0.1]',
  'https://%zz',
  'https://exa%00mple.com',
  'https://exa<mple.com',
  'https://example..com/',
  'https://.example.com/',
];

test('refuses port 0 [webhooks-27]', () =>
  assert.is(webhookUrlProblem('https://example.com:0/x'), 'must not name port 0'));

for (const url of notAbsolute)
  test(`refuses ${JSON.stringify(url)} as no absolute URL [webhooks-27]`, () =>
    assert.match(webhookUrlProblem(url) ?? 'passes', /valid absolute URL/));

for (const url of [
  'http://example.com',
  'ftp://example.com',
  'ws://example.com',
  'file://host/x',
  'data://x,y',
])
  test(`refuses ${url} for its scheme [webhooks-27]`, () =>
    assert.is(webhookUrlProblem(url), 'must use https://'));

for (const url of ['https://user@example.com', 'https://user:pw@example.com', 'https://:pw@example.com'])
  test(`refuses the credentials in ${url} [webhooks-30]`, () =>
    assert.match(webhookUrlProblem(url) ?? 'passes', /user name or password/));

test('limits the length', () => {
  const long = 'https://example.com/'.padEnd(MAX_WEBHOOK_URL, 'a');
  assert.is(webhookUrlProblem(long), null);
  assert.match(webhookUrlProblem(`${long}a`) ?? 'passes', /at most 2048 characters/);
});

test('a lane is a company, a mode and an origin', () => {
  const lane = deliveryLane('cmp_1', 'live', 'https://example.com/a?b');
  assert.is(lane, 'cmp_1 live https://example.com');
  assert.is(deliveryLane('cmp_1', 'live', 'https://EXAMPLE.com:443/c'), lane);
  assert.is.not(deliveryLane('cmp_1', 'live', 'https://example.com:444/a'), lane);
  assert.is.not(deliveryLane('cmp_2', 'live', 'https://example.com/a'), lane);
  assert.is.not(deliveryLane('cmp_1', 'test', 'https://example.com/a'), lane);
});
