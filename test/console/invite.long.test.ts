import * as assert from 'uvu/assert';
import { freePort } from '../support/freePort.ts';
import { PASSWORD } from '../support/people.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: invitations');
let world: World;
let providerWorld: World;
test.before(async () => {
  world = await startWorld();
  const port = await freePort();
  providerWorld = await startWorld({
    PORT: String(port),
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'intake',
    OIDC_CLIENT_SECRET: 'secret-of-the-client',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PASSWORD_LOGIN: 'off',
  });
});
test.after(async () => {
  assert.equal([...world.browser.faults, ...providerWorld.browser.faults], []);
  await world.close();
  await providerWorld.close();
});

test('the token of a link reaches the service as such alone, and leaves the address [invitations-12]', async () => {
  const { id } = await world.service.company();
  const { token } = await world.people.invite(world.people.newEmail(), id, 'reviewer');
  const page = await (await world.browser.context()).newPage();
  const seen: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const text = `${request.url()} ${JSON.stringify(request.headers())}`;
    if (text.includes(token)) seen.push(pathname);
  });
  await page.goto(`/invite#token=${token}`);
  await page.getByLabel('Your name').fill('Ann');
  assert.is(new URL(page.url()).hash, '');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Ann' }).waitFor();
  assert.equal(seen, ['/api/invitation/validate']);
  assert.not.ok(String(await page.evaluate('JSON.stringify({ ...localStorage })')).includes(token));
});

test(
  'a link without its token, and another one that is opened in its place',
  async () => {
    const { id } = await world.service.company();
    const page = await (await world.browser.context()).newPage();
    await page.goto('/invite');
    await page.getByText('open the whole link').waitFor();
    await accessible(page, 'no token');
    for (const role of ['auditor', 'reviewer'] as const) {
      const email = world.people.newEmail();
      const { token } = await world.people.invite(email, id, role);
      await page.evaluate(`location.hash = ${JSON.stringify(`token=${token}`)}`);
      await page.getByText(`You were invited as ${email}: ${role} at ACME.`).waitFor();
    }
    await page.getByRole('heading', { name: 'Your invitation' }).waitFor();
  },
  { timeoutMs: 240_000 },
);

test(
  'where passwords are off a person uses the company’s log-in, and a super_admin may choose [logins-16]',
  async () => {
    const { people, service, browser } = providerWorld;
    const { id } = await service.company();
    const page = await (await browser.context()).newPage();
    const opened = async (companyId: string | null, role: 'reviewer' | 'super_admin') => {
      const { token } = await people.invite(people.newEmail(), companyId, role);
      await page.goto('about:blank');
      await page.goto(`/invite#token=${token}`);
      await page.getByRole('button', { name: 'Log in with login.example.com' }).waitFor();
      await accessible(page, role);
      return page.getByLabel('Password').count();
    };
    assert.equal([await opened(id, 'reviewer'), await opened(null, 'super_admin')], [0, 1]);
  },
  { timeoutMs: 240_000 },
);
