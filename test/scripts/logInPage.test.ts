import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { createClient } from '../../client/index.ts';
import { startLogInPage } from '../../scripts/demo/logInPage.ts';
import type { Person } from '../../scripts/demo/people.ts';
import { suite } from '../harness.ts';

const test = suite('log-in page of the demo');

const person = (name: string, role: Person['role']): Person => ({
  ...{ name, role, email: `${name}@example.com`, userId: 'usr_1', password: `${name}'s password` },
  api: createClient({ url: 'http://127.0.0.1:1', key: 'none' }),
});

/** The page before a stand-in for the service, which keeps what it was sent. */
const start = async () => {
  const logIns: unknown[] = [];
  const service = createServer(async (incoming, response) => {
    logIns.push([incoming.url, incoming.headers['user-agent'], await json(incoming)]);
    response.writeHead(201, { 'Set-Cookie': '__Host-intake=ast_1; Path=/; HttpOnly; Secure' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const people = [
    { person: person('ann', 'reviewer'), about: '<b>reviews</b>' },
    { person: person('sam', 'super_admin'), about: 'operates' },
  ];
  const guests = { people, invitation: `${url}/invite#token=t` };
  const page = await startLogInPage({ url, companyId: 'cmp_1' }, guests);
  const close = async () => {
    await page.close();
    service.close();
    service.closeAllConnections();
  };
  return { address: new URL(page.url), url, logIns, close };
};

/** What a server answers; `fetch` sends no Host of one's own. */
const ask = async (address: URL, path: string, headers = {}, body: string | null = null) => {
  const { hostname, port } = address;
  const sent = request({ hostname, port, path, headers, method: body === null ? 'GET' : 'POST' });
  sent.end(body ?? undefined);
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
};

test('a click logs the chosen person in by the public API, and the cookie goes to the browser alone', async () => {
  const { address, url, logIns, close } = await start();
  try {
    const page = await ask(address, address.pathname);
    assert.is(page.status, 200);
    assert.match(page.body, '&lt;b&gt;reviews&lt;/b&gt;');
    assert.not.match(page.body, /s password|@example/);
    assert.is(page.headers['referrer-policy'], 'no-referrer');
    assert.is(page.headers['cache-control'], 'no-store');
    const clicked = await ask(address, address.pathname, { 'user-agent': 'Mozilla/5.0' }, 'person=1');
    assert.is(clicked.status, 303);
    assert.is(clicked.headers.location, `${url}/console?company=cmp_1`);
    assert.equal(clicked.headers['set-cookie'], ['__Host-intake=ast_1; Path=/; HttpOnly; Secure']);
    const body = { email: 'sam@example.com', password: "sam's password", session: 'cookie' };
    assert.equal(logIns, [['/api/auth/sessions', 'Mozilla/5.0', body]]);
  } finally {
    await close();
  }
});

test('nobody is logged in without its address, under another name, or as somebody who is not there', async () => {
  const { address, logIns, close } = await start();
  const { pathname } = address;
  try {
    for (const path of ['/', pathname.slice(0, -1), `${pathname}?x`, `${pathname}/`])
      for (const body of [null, 'person=0'])
        assert.is((await ask(address, path, {}, body)).status, 404, `${path} ${body}`);
    for (const host of ['attacker.example', `localhost:${address.port}`, '127.0.0.1.attacker.example:80'])
      assert.is((await ask(address, pathname, { host }, 'person=0')).status, 404, host);
    for (const body of ['', 'person=2', 'person=-1', 'person=length', 'person='])
      assert.is((await ask(address, pathname, {}, body)).status, 404, body);
    assert.equal(logIns, []);
  } finally {
    await close();
  }
});
