import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: pages of other origins, in a browser where somebody is logged in');
const elsewhere = createServer((_request, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>elsewhere</title><body>'),
);
let world: World;
test.before(async () => {
  world = await startWorld();
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
});
test.after(async () => {
  elsewhere.closeAllConnections();
  elsewhere.close();
  await world.close();
});

/** A page of the same site, whose requests have the cookie whatever it says of sites, and one of another. */
const hosts = { 'another port': '127.0.0.1', 'another site': 'localhost' } as const;
/** What a form of such a page is told: another site's comes without the cookie (SameSite). */
const REFUSED = { '127.0.0.1': /origin-not-allowed/, localhost: /unauthorized/ };

/**
 * Somebody who is logged in, with a submission to decide on, and a page of another origin in the same
 * browser.
 */
const visited = async (host: string) => {
  const company = await world.service.company({
    ...receiptDefinition,
    slug: 'reviewed',
    processing: { review: 'always' },
  } as never);
  const { submissionId } = await company.api.process([receiptText()], {}, 'reviewed');
  const { email, api } = await world.people.user(company.id, 'reviewer');
  const context = await world.browser.unwatched();
  const { page: own } = await world.logInAs(email, {}, context);
  const page = await context.newPage();
  await page.goto(`http://${host}:${(elsewhere.address() as AddressInfo).port}/`);
  const path = `/api/v1/submissions/${submissionId}`;
  return { own, page, context, api, path, url: world.service.url };
};

const evaluate = <T>(page: Page, script: string): Promise<T> => page.evaluate(script) as Promise<T>;

for (const [where, host] of Object.entries(hosts)) {
  test(`a page at ${where} reads nothing with the cookie: by fetch, as a script, as a picture, as a style [people-3]`, async () => {
    const { page, context, path, url } = await visited(host);
    for (const target of [
      '/api/auth/me',
      '/api/auth/sessions',
      path,
      `${path}/events`,
      '/console/icon.svg',
    ]) {
      const read = `fetch('${url}${target}', { credentials: 'include' }).then((answer) => answer.text(), () => 'refused')`;
      assert.is(await evaluate(page, read), 'refused', target);
      const load = (name: string, member: string): string =>
        `new Promise((resolve) => { const one = document.createElement('${name}'); one.onload = () => resolve('loaded'); one.onerror = () => resolve('refused'); ${name === 'link' ? "one.rel = 'stylesheet';" : ''} one.${member} = '${url}${target}'; document.body.append(one); })`;
      for (const [name, member] of [
        ['script', 'src'],
        ['img', 'src'],
        ['link', 'href'],
      ] as const)
        assert.is(await evaluate(page, load(name, member)), 'refused', `${name} ${target}`);
    }
    await context.close();
  });

  test(`a page at ${where} changes nothing with the cookie: by fetch, by a form in any encoding, by a beacon [people-3]`, async () => {
    const { own, page, context, api, path, url } = await visited(host);
    const targets = [`${path}/approve`, `${path}/cancel`, '/api/auth/sessions/end-all'];
    for (const target of targets)
      for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
        const init = `{ method: 'POST', mode: '${type === 'application/json' ? 'cors' : 'no-cors'}', credentials: 'include', headers: { 'Content-Type': '${type}' }, body: '{}' }`;
        await evaluate(page, `fetch('${url}${target}', ${init}).then(() => '', () => '')`);
        await evaluate(
          page,
          `navigator.sendBeacon('${url}${target}', new Blob(['{}'], { type: '${type}' }))`,
        );
      }
    for (const target of targets)
      for (const encoding of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
        const answered = page.waitForEvent('popup');
        const form = `const form = document.createElement('form'); Object.assign(form, { method: 'post', enctype: '${encoding}', target: '_blank', action: '${url}${target}' }); const field = document.createElement('input'); field.name = '{"a":"'; field.value = '"}'; form.append(field); document.body.append(form); form.submit();`;
        await evaluate(page, `(() => { ${form} })()`);
        const popup = await answered;
        await popup.waitForLoadState();
        assert.match(await popup.locator('body').innerText(), REFUSED[host], `${target} ${encoding}`);
        await popup.close();
      }
    assert.is((await api.get(path)).body.submissionStatus, 'review');
    const me = `fetch('/api/auth/me').then(({ status }) => status)`;
    assert.is(await evaluate(own, me), 200, 'the session goes on');
    await context.close();
  });

  test(`a page at ${where} logs nobody in: neither a cookie is set nor a log-in begun [people-3]`, async () => {
    const { own, page, context, url } = await visited(host);
    const attacker = await world.people.user((await world.service.company()).id, 'reviewer');
    const before = await evaluate<{ userId: string }>(
      own,
      `fetch('/api/auth/me').then((answer) => answer.json())`,
    );
    const body = JSON.stringify({
      email: attacker.email,
      password: world.people.password,
      session: 'cookie',
    });
    for (const [target, sent] of [
      ['/api/auth/sessions', body],
      ['/api/auth/oidc', '{}'],
      ['/api/auth/oidc/complete', '{"state":"x","code":"x"}'],
    ])
      for (const [type, mode] of [
        ['text/plain', 'no-cors'],
        ['application/json', 'cors'],
      ]) {
        const init = {
          method: 'POST',
          mode,
          credentials: 'include',
          headers: { 'Content-Type': type },
          body: sent,
        };
        await evaluate(page, `fetch('${url}${target}', ${JSON.stringify(init)}).then(() => '', () => '')`);
      }
    const after = await evaluate<{ userId: string }>(
      own,
      `fetch('/api/auth/me').then((answer) => answer.json())`,
    );
    assert.equal(after, before);
    assert.equal(
      (await context.cookies()).map(({ name }) => name),
      ['__Host-intake', '__Host-intake-browser'],
    );
    await context.close();
  });

  test(`a page at ${where} frames no page of the service, and holds none that it opened [console-2]`, async () => {
    const { page, context, url } = await visited(host);
    for (const path of [
      '/console',
      '/console/submissions',
      '/invite?token=x',
      '/docs',
      '/console/icon.svg',
      '/api/auth/me',
    ]) {
      const framed = `new Promise((resolve) => { const frame = document.createElement('iframe'); frame.onload = () => resolve(0); frame.src = '${url}${path}'; document.body.append(frame); })`;
      await evaluate(page, framed);
      const frame = page.frames().at(-1);
      await eventually(`the refusal of ${path}`, async () => frame?.url().startsWith('chrome-error:'));
    }
    const opened = page.waitForEvent('popup');
    await evaluate(page, `void (window.opened = window.open('${url}/console'))`);
    const popup = await opened;
    await popup.getByRole('heading', { name: 'Queue' }).waitFor();
    assert.is(await evaluate(page, 'window.opened.closed'), true, 'it has no hold on the window');
    assert.is(await evaluate(popup, 'window.opener'), null);
    await context.close();
  });
}
