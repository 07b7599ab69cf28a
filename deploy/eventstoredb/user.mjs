// Makes the user that Intake connects as, and lets it read $all: with that it needs no administrator's rights. Doing it again changes nothing.
// EVENTSTOREDB_ADMIN_URL: a connection string with an administrator's credentials; EVENTSTOREDB_PASSWORD: the new user's password.
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { EventStoreDBClient } from '@eventstore/db-client';

const { EVENTSTOREDB_ADMIN_URL = '', EVENTSTOREDB_PASSWORD: password } = process.env;
// The errors of URL and of the client would repeat it, password and all.
if (!/^esdb:\/\/[^@/?#,]+@[^@/?#,]+\/?(\?[^@#]*)?$/.test(EVENTSTOREDB_ADMIN_URL) || !URL.canParse(EVENTSTOREDB_ADMIN_URL))
  throw new Error('EVENTSTOREDB_ADMIN_URL must name one node: esdb://user:password@host:2113, percent-encoded');
const { hostname, port, username, password: admin, searchParams } = new URL(EVENTSTOREDB_ADMIN_URL);
const auth = [username, admin].map(decodeURIComponent).join(':');
const ca = searchParams.has('tlsCAFile') ? readFileSync(searchParams.get('tlsCAFile')) : undefined;

const status = await new Promise((resolve, reject) => {
  const headers = { 'Content-Type': 'application/json' };
  const to = { hostname, port: port || 2113, ca, path: '/users/', method: 'POST', headers, auth };
  const asked = request(to, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
  asked.end(JSON.stringify({ loginName: 'intake', fullName: 'Intake', groups: [], password }));
});
// 409: it is there already.
if (status !== 201 && status !== 409) throw new Error(`EventStoreDB answered ${status} to a new user`);

const client = EventStoreDBClient.connectionString(EVENTSTOREDB_ADMIN_URL);
await client.setStreamMetadata('$all', { acl: { readRoles: ['$admins', 'intake'] } });
await client.dispose();
