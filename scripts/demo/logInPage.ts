import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { html } from '../../http/docs/html.ts';
import type { Person, Place } from './people.ts';

/** Whom the page logs in, what they do, and the address at which somebody new accepts an invitation. */
export type Guests = Readonly<{
  people: readonly Readonly<{ person: Person; about: string }>[];
  invitation: string;
}>;

/** `url` is the secret: who has it can be any of the people. */
export type LogInPage = Readonly<{ url: string; close(): Promise<void> }>;

/**
 * A page of the demo, and of nothing else: a click logs one of its people in. It is a server beside the
 * service, on this machine alone, which logs in by the public API as everybody does and hands the cookie on:
 * browsers keep cookies by host, whatever the port. Whoever does not have its address gets a 404.
 */
export const startLogInPage = async (place: Place, guests: Guests): Promise<LogInPage> => {
  const path = `/${randomBytes(24).toString('base64url')}`;
  const server = createServer((request, response) => {
    answer(request, response, { path, place, guests }).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}${path}`, close };
};

type Serving = Readonly<{ path: string; place: Place; guests: Guests }>;

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  serving: Serving,
): Promise<void> => {
  const { method, url, headers } = request;
  // A page of elsewhere may have its name point here: it is not asked for by this one.
  if (url !== serving.path || !headers.host?.startsWith('127.0.0.1:'))
    return give(response, 404, 'Not found');
  if (method !== 'POST') return give(response, 200, pageOf(serving));
  const body = new URLSearchParams(await text(request));
  const guest = serving.guests.people[Number(body.get('person') || Number.NaN)];
  if (!guest) return give(response, 404, 'Not found');
  const cookies = await logIn(serving.place, guest.person, headers['user-agent'] ?? '');
  const { url: service, companyId } = serving.place;
  const company = guest.person.role === 'super_admin' ? `?company=${companyId}` : '';
  response.writeHead(303, { Location: `${service}/console${company}`, 'Set-Cookie': cookies }).end();
};

/** The cookie of a new session. */
const logIn = async ({ url }: Place, { email, password }: Person, agent: string): Promise<string[]> => {
  const logged = await fetch(`${url}/api/auth/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ email, password, session: 'cookie' }),
  });
  if (logged.status !== 201)
    throw new Error(`the log-in was answered ${logged.status}: ${await logged.text()}`);
  return logged.headers.getSetCookie();
};

const give = (response: ServerResponse, status: number, page: string): void => {
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'`;
  response
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
    .end(page);
};

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 8vh auto; padding: 0 1rem }
button { display: block; width: 100%; margin: .5rem 0; padding: .75rem 1rem; font: inherit; text-align: left; cursor: pointer }
button b { display: block }
`;

const pageOf = ({ guests: { people, invitation } }: Serving): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Intake demo</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Intake demo</h1>
<p>Continue to the console as one of the people of Demo Ltd. A click logs you in.</p>
<form method="post">
${people.map(
  ({ person, about }, index) =>
    html`<button name="person" value="${index}"><b>${person.name}, ${person.role}</b> ${about}</button>
`,
)}</form>
<p>Or <a href="${invitation}">accept an invitation</a> and choose a name and a password, as somebody new does.</p>
</main>
</body>
</html>
`.html;
