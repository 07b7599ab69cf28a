import * as assert from 'uvu/assert';
import { clientAddress } from '../../../http/engine/access/clientAddress.ts';
import { suite } from '../../harness.ts';
import { json, startFixture } from './fixture.ts';

const test = suite("a client's address");

const from = (remoteAddress: string, forwarded: string | undefined, hops: number): string =>
  clientAddress({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }, hops);

test('it is the socket’s, whatever a header says, unless proxies are trusted', () => {
  assert.is(from('192.0.2.1', '203.0.113.9', 0), '192.0.2.1');
});

test('behind N proxies it is the N-th entry from the right [limits-5]', () => {
  const told = '198.51.100.66, 203.0.113.9,  203.0.113.8';
  assert.is(from('192.0.2.1', told, 1), '203.0.113.8');
  assert.is(from('192.0.2.1', told, 2), '203.0.113.9');
  assert.is(from('192.0.2.1', '203.0.113.9:55001', 1), '203.0.113.9');
  assert.is(from('192.0.2.1', '[2001:db8::1]:443', 1), '2001:db8:0:0::/64');
});

test('where that entry is missing or no address, it is the socket’s', () => {
  for (const told of [undefined, '', '203.0.113.9', 'unknown, 203.0.113.9', '_hidden, 203.0.113.9'])
    assert.is(from('192.0.2.1', told, 2), '192.0.2.1', told);
});

test('an IPv4 address that IPv6 wraps is that address; other IPv6 addresses count by their /64', () => {
  assert.is(from('::ffff:192.0.2.1', undefined, 0), '192.0.2.1');
  assert.is(from('2001:db8:1:2:3:4:5:6', undefined, 0), '2001:db8:1:2::/64');
  assert.is(from('2001:db8:1:2:ffff::1', undefined, 0), '2001:db8:1:2::/64');
  assert.is(from('2001:db8:1:3::1', undefined, 0), '2001:db8:1:3::/64');
  assert.is(from('fe80::1%eth0', undefined, 0), 'fe80:0:0:0::/64');
});

test('handlers learn it', async () => {
  const fixture = await startFixture({ proxies: 2 });
  try {
    const headers = { 'x-forwarded-for': '203.0.113.9, 192.0.2.1' };
    const { body } = await fixture.call('/anything', json('{}', { key: null, headers }));
    assert.is(body.address, '203.0.113.9');
  } finally {
    await fixture.close();
  }
});
