import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('the pages at /docs');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

const open = async (
  path: string,
  options: Parameters<World['browser']['context']>[0] = {},
): Promise<Page> => {
  const page = await (await world.browser.context(options)).newPage();
  await page.goto(path);
  return page;
};

for (const path of [
  '/docs/guides/webhooks',
  '/docs/guides/console',
  '/docs/search?q=webhook',
  '/problems/not-found',
])
  test(`${path} is accessible in both schemes and at 400 px [pages-3]`, async () =>
    accessible(await open(path), path));

/** Leaves few operations: all are built alike, and axe looks at each element. */
const trimmed = async (page: Page): Promise<Page> => {
  await page.locator('.languages').first().waitFor();
  await page.evaluate(
    `for (const one of document.querySelectorAll('article')) if (!/^(createSession|listSubmissions|getWorkflow|schema-Job)$/.test(one.id)) one.remove()`,
  );
  return page;
};

test('/docs is accessible in both schemes and at 400 px [pages-3]', async () =>
  accessible(await trimmed(await open('/docs')), '/docs'));

test('without a script all samples are shown, and nothing that needs one [pages-8]', async () => {
  const page = await open('/docs', { javaScriptEnabled: false });
  const article = page.locator('#approveSubmission');
  assert.is(await article.locator('figure:visible').count(), 3);
  assert.is(await page.locator('main button').count(), 0);
  await page.locator('nav input').fill('approve');
  await page.locator('nav input').press('Enter');
  await page.locator('#found a').first().waitFor();
  assert.match(page.url(), '/docs/search?q=approve');
});

test('the language of samples is chosen once, and remembered [pages-8]', async () => {
  const page = await open('/docs');
  const shown = () =>
    page
      .locator('#getJob figure:visible')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-language')));
  assert.equal(await shown(), ['curl']);
  await page.locator('#approveSubmission').getByRole('button', { name: 'Python' }).click();
  assert.equal(await shown(), ['Python']);
  await page.reload();
  await page.locator('.languages').first().waitFor();
  assert.equal(await shown(), ['Python']);
});

test('a sample is copied as it is shown, with the address at which the reader is [pages-8]', async () => {
  const page = await open('/docs', { permissions: ['clipboard-read', 'clipboard-write'] });
  const sample = page.locator('#listWorkflows figure:visible');
  await sample.getByRole('button', { name: 'Copy' }).click();
  await sample.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  assert.is(
    copied,
    `curl '${world.service.url}/api/v1/workflows?limit=20' \\\n  -H "Authorization: Bearer $INTAKE_KEY"`,
  );
  // Another name of this machine.
  const elsewhere = world.service.url.replace('127.0.0.1', 'intake.test');
  const other = await (await world.browser.unwatched()).newPage();
  await other.goto(`${elsewhere}/docs`);
  await other.locator('.languages').first().waitFor();
  assert.match(
    (await other.locator('#listWorkflows figure code').first().textContent()) ?? '',
    `curl '${elsewhere}/api`,
  );
});

test('a key tries an operation, stays in the page, and is not mixed with the cookie of a person [pages-8]', async () => {
  const { id, key } = await world.service.company();
  const { page, context } = await world.pageOf(id, 'reviewer', '/docs');
  const sent: string[] = [];
  page.on('request', (request) => void sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  const article = page.locator('#createSession');
  await article.getByRole('button', { name: 'Try it' }).click();
  await accessible(await trimmed(page), 'a trial');
  await article.getByLabel('API key').fill(key);
  await article.getByLabel('body').fill('{ "clientSubmissionId": "tried" }');
  await article.getByRole('button', { name: 'Send' }).click();
  await article.locator('[role=status] b', { hasText: '201' }).waitFor();
  assert.match(
    (await article.locator('[role=status] pre').textContent()) ?? '',
    '"clientSubmissionId": "tried"',
  );
  const [call = ''] = sent.filter((one) => one.includes('/sessions '));
  assert.match(call, `Bearer ${key}`);
  assert.not.match(call, 'cookie');
  // Nothing of the key is left: not in what the browser keeps, and not in any address.
  assert.not.match(JSON.stringify(await context.storageState({ indexedDB: true })), key);
  assert.not.match(
    String(
      await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie])',
      ),
    ),
    key,
  );
  assert.equal(
    sent.filter((one) => one.split(' ')[0]?.includes(key)),
    [],
  );
  const other = page.locator('#getWorkflow');
  await other.getByRole('button', { name: 'Try it' }).click();
  assert.is(await other.getByLabel('API key').inputValue(), key);
  await other.getByLabel('slug').fill('nothing');
  await other.getByRole('button', { name: 'Send' }).click();
  await other.locator('[role=status] b', { hasText: '404' }).waitFor();
  await page.reload();
  await other.getByRole('button', { name: 'Try it' }).click();
  assert.is(await other.getByLabel('API key').inputValue(), '');
});

test('only what a key may call is tried [pages-8]', async () => {
  const page = await open('/docs');
  assert.is(await page.locator('#createKey').getByRole('button', { name: 'Try it' }).count(), 0);
  assert.is(await page.locator('#listEvents').getByRole('button', { name: 'Try it' }).count(), 1);
});

test('a search is led by the keyboard, and shows what is found as one types [pages-9]', async () => {
  const page = await open('/docs/guides/people', { viewport: { width: 400, height: 800 } });
  await page.locator('.found').waitFor({ state: 'attached' });
  await page.keyboard.press('/');
  await page.keyboard.type('webhook retr');
  const first = page.locator('.found a').first();
  await first.waitFor();
  await accessible(page, 'a search');
  await page.keyboard.press('ArrowDown');
  const title = await first.textContent();
  await eventually(
    'the first is focused',
    async () => (await page.evaluate('document.activeElement.textContent')) === title,
  );
  await page.keyboard.press('Enter');
  await eventually('it is shown', () => !page.url().includes('people'));
});
