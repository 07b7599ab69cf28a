import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import * as assert from 'uvu/assert';
import { certificateFor } from '../../scripts/certificate.ts';
import { suite } from '../harness.ts';
import { startStandIn } from '../standIn/standIn.ts';

const test = suite('deploy/eventstoredb/user.mjs');

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** An EventStoreDB as an administrator meets it: users over HTTP, streams over gRPC, both by TLS on one port. */
const startServer = async (status: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-test-'));
  const standIn = await startStandIn();
  const asked: Readonly<{ call: string; authorization: string | undefined; body: unknown }>[] = [];
  const users = createServer(async (request, response) => {
    const body: unknown = JSON.parse((await buffer(request)).toString());
    asked.push({
      call: `${request.method} ${request.url}`,
      authorization: request.headers.authorization,
      body,
    });
    response.writeHead(status).end();
  });
  const usersPort = await listening(users);
  const { key, cert } = await certificateFor('localhost');
  const front = createTlsServer({ key, cert, ALPNProtocols: ['h2', 'http/1.1'] }, (socket: TLSSocket) => {
    const inner = connect(socket.alpnProtocol === 'h2' ? standIn.port : usersPort, '127.0.0.1');
    for (const [from, to] of [
      [socket, inner],
      [inner, socket],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to);
  });
  const port = await listening(front);
  writeFileSync(join(folder, 'ca.crt'), cert);
  const run = async (ca = true): Promise<Readonly<{ code: number; told: string }>> => {
    const url = `esdb://admin:se%63ret@localhost:${port}?tls=true${ca ? `&tlsCAFile=${join(folder, 'ca.crt')}` : ''}`;
    const env = { EVENTSTOREDB_ADMIN_URL: url, EVENTSTOREDB_PASSWORD: 'password' };
    const child = spawn(process.execPath, ['deploy/eventstoredb/user.mjs'], { env });
    const [told, [code]] = await Promise.all([
      buffer(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ]);
    return { code, told: told.toString() };
  };
  const close = async (): Promise<void> => {
    for (const server of [front, users]) server.close();
    await standIn.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { run, asked, log: standIn.log, close };
};

for (const [status, what] of [
  [201, 'makes a user without a group and lets it read $all'],
  [409, 'gives the right to a user that is there already'],
] as const)
  test(what, async () => {
    const server = await startServer(status);
    const { code, told } = await server.run();
    assert.is(code, 0, told);
    assert.equal(server.asked, [
      {
        call: 'POST /users/',
        authorization: `Basic ${Buffer.from('admin:secret').toString('base64')}`,
        body: { loginName: 'intake', fullName: 'Intake', groups: [], password: 'password' },
      },
    ]);
    const [metadata] = server.log.stream('$$$all');
    assert.is(metadata?.type, '$metadata');
    assert.equal(JSON.parse(Buffer.from(metadata?.data ?? []).toString()), {
      $acl: { $r: ['$admins', 'intake'] },
    });
    await server.close();
  });

test('says what is wrong, and changes nothing then', async () => {
  const server = await startServer(401);
  const { code, told } = await server.run();
  assert.is(code, 1);
  assert.match(told, 'EventStoreDB answered 401 to a new user');
  assert.not.match(told, 'secret');
  assert.is((await server.run(false)).code, 1, 'an authority that nobody named');
  assert.equal(server.log.stream('$$$all'), []);
  await server.close();
});

for (const url of [
  'esdb://admin:secret@a:99999',
  'esdb://admin:secret@a:2113,b:2113',
  'esdb://admin:1?secret@a',
  '',
])
  test(`repeats nothing of ${url || 'an address that is not set'}`, async () => {
    const child = spawn(process.execPath, ['deploy/eventstoredb/user.mjs'], {
      env: { EVENTSTOREDB_ADMIN_URL: url },
    });
    const [told, [code]] = await Promise.all([buffer(child.stderr), once(child, 'exit')]);
    assert.is(code, 1);
    assert.match(told.toString(), 'EVENTSTOREDB_ADMIN_URL must name one node');
    assert.not.match(told.toString(), 'secret');
  });
