import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { createEgress, type EgressOptions } from '../../outbound/egress.ts';
import { createSender } from '../../outbound/send.ts';
import { type Receiver, startReceiver } from '../../scripts/receiver.ts';
import { insideHosts } from '../controls/insideHosts.ts';
import { suite } from '../harness.ts';

const test = suite('the egress guard');
const REFUSED = 'the host has an address that is not public';

// A listener on every address of this machine that can be had: whatever gets past the guard is counted here.
let inside: Server;
let port = 0;
let connections = 0;
let receiver: Receiver;

test.before(async () => {
  inside = createServer((_request, response) => response.end()).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => inside.listen(0, '0.0.0.0', resolve));
  port = (inside.address() as AddressInfo).port;
  receiver = await startReceiver({ name: 'receiver.example', host: '127.0.0.2' });
});
test.after(async () => {
  await receiver.close();
  inside.closeAllConnections();
  await new Promise((resolve) => inside.close(resolve));
});

const sendTo = async (url: string, options: Partial<EgressOptions> = {}) => {
  const egress = createEgress({ egress: 'public', ...options });
  try {
    return await createSender(egress).send({ url, headers: {}, body: '{}', timeoutMs: 3_000 });
  } finally {
    await egress.close();
  }
};

const isAddress = (host: string): boolean => /^[\d[]/.test(new URL(`http://${host}`).hostname);

test('no spelling of an address inside is connected to [webhooks-32]', async () => {
  const spellings = insideHosts.filter(isAddress);
  assert.ok(spellings.length >= 120, `${spellings.length} spellings`);
  for (const host of spellings) {
    const { error, statusCode } = await sendTo(`http://${host}:${port}/`);
    assert.equal({ host, error, statusCode }, { host, error: REFUSED, statusCode: null });
  }
  assert.is(connections, 0);
});

test('nor one that only the guard refuses', async () => {
  for (const host of ['100.64.0.1', '224.0.0.1', '255.255.255.255', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'])
    assert.is((await sendTo(`http://${host}:${port}/`)).error, REFUSED);
});

test('the same listener is reached when any address is permitted', async () => {
  const before = connections;
  const { statusCode } = await sendTo(`http://127.0.0.1:${port}/`, { egress: 'any' });
  assert.is(statusCode, 200);
  assert.is((await sendTo(`http://2130706433:${port}/`, { egress: 'any' })).statusCode, 200);
  assert.is(connections, before + 2);
});

test('a public name with an address inside, alone or among public ones, is not connected to', async () => {
  const before = connections;
  for (const addresses of [
    ['127.0.0.1'],
    ['8.8.8.8', '127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['2606:4700::1', 'fd00::1'],
  ])
    for (const options of [
      { lookup: async () => addresses },
      { resolve: new Map([['a.example', addresses]]) },
    ]) {
      const { error } = await sendTo(`http://a.example:${port}/`, options);
      assert.is(error, REFUSED);
    }
  assert.is(connections, before);
});

test('a name that changes its address after the check gains nothing [webhooks-32]', async () => {
  // 127.0.0.2 stands for a public address here, 127.0.0.1 for one inside: no test may leave this machine.
  const before = connections;
  const target = `https://receiver.example:${new URL(receiver.url).port}/`;
  const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.2', '127.0.0.1'];
  let asked = 0;
  const permits = (address: string): boolean => address === '127.0.0.2';
  const egress = createEgress({
    egress: 'public',
    permits,
    ca: receiver.ca,
    lookup: async () => [answers[asked++] ?? '127.0.0.1'],
  });
  const send = (url: string) =>
    createSender(egress).send({ url, headers: { connection: 'close' }, body: '' });
  assert.is((await send(target)).statusCode, 200);
  assert.is(asked, 1, 'one look-up a connection: its answer is what the socket gets');
  assert.is((await send(target)).error, REFUSED);
  assert.is((await send(target)).statusCode, 200);
  assert.is((await send(`http://receiver.example:${port}/`)).error, REFUSED);
  assert.is(connections, before);
  assert.is(receiver.connections(), 2);
  await egress.close();
});

test('a redirect to an address inside is not followed [webhooks-22]', async () => {
  const before = connections;
  const redirecting = await startReceiver({
    answer: ({ path }) => ({
      status: Number(path.slice(1)),
      headers: { Location: `http://127.0.0.1:${port}/` },
    }),
  });
  for (const status of [300, 301, 302, 303, 307, 308]) {
    const { ca, resolve } = redirecting;
    const attempt = await sendTo(`${redirecting.url}/${status}`, { egress: 'any', ca, resolve });
    assert.is(attempt.statusCode, status);
    assert.is(attempt.error, `answered ${status}: redirects are not followed`);
  }
  assert.is(connections, before);
  assert.is(redirecting.requests.length, 6);
  await redirecting.close();
});

test('a host that has no address, or whose look-up fails, is reported without any address', async () => {
  const failing = async (): Promise<readonly string[]> => {
    throw Object.assign(new Error('queryA ECONNREFUSED 10.9.8.7'), { code: 'ECONNREFUSED' });
  };
  for (const lookup of [failing, async () => []]) {
    const attempt = await sendTo('http://nowhere.example/', { lookup });
    assert.is(attempt.error, 'the host name could not be resolved');
    assert.is(attempt.statusCode, null);
  }
});

test('a look-up that never ends is bounded by the time of the attempt', async () => {
  const egress = createEgress({ egress: 'public', lookup: () => new Promise(() => {}) });
  const url = 'http://slow.example/';
  const attempt = await createSender(egress).send({ url, headers: {}, body: '', timeoutMs: 100 });
  assert.is(attempt.error, 'no complete answer within 0.1 s');
  await egress.close();
});

test('a name in the map keeps its trailing dot out of the look-up', async () => {
  const resolve = new Map([['a.example', ['127.0.0.1']]]);
  assert.is((await sendTo(`http://a.example.:${port}/`, { egress: 'any', resolve })).statusCode, 200);
});

test('a certificate that nobody trusts is refused', async () => {
  const { error, statusCode } = await sendTo(receiver.url, { egress: 'any', resolve: receiver.resolve });
  assert.is(statusCode, null);
  assert.is(error, 'the certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)');
});

test('nor is one of another name', async () => {
  const { ca, url } = receiver;
  const resolve = new Map([['other.example', ['127.0.0.2']]]);
  const { error } = await sendTo(url.replace('receiver.example', 'other.example'), {
    egress: 'any',
    resolve,
    ca,
  });
  assert.is(error, 'the certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)');
});
