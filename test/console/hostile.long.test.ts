import * as assert from 'uvu/assert';
import { browserSuite } from './browser.ts';
import { hostile, plantEverywhere, plantReceiver, plantSettings } from './hostilePlants.ts';
import { plantFaults, screensFor, settled, walkScreens, watchPlants } from './hostileWalk.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: markup in every text');
let world: World;
let planted: Awaited<ReturnType<typeof plantEverywhere>>;
test.before(async () => {
  world = await startWorld(plantSettings, plantReceiver);
  planted = await plantEverywhere(world);
});
test.after(async () => {
  await world.close();
});

test('what is looked for is found where it is markup', async () => {
  const context = await world.browser.context();
  await watchPlants(context);
  const page = await context.newPage();
  await page.goto('about:blank');
  await page.setContent(`<p>${hostile('x')}</p><a href="javascript:ran()">x</a>`);
  const faults = await plantFaults(page);
  for (const sign of ['it ran', '<x-planted>', '<img src="x"', '<script>', '<a href="javascript:'])
    assert.ok(
      faults.some((fault) => fault.startsWith(sign)),
      `${sign} in ${faults}`,
    );
  await page.close();
});

/** What the screens show; more is planted, for screens to come. */
const SHOWN = [
  ...['company', 'workflow plain', 'field company', 'label', 'person org_admin', 'person reviewer'],
  ...['value', 'json.json', 'html.html', 'page', 'identifier', 'summary', 'failure', 'request', 'key'],
  ...['first reason', 'resolver', 'resolution', 'comment', 'correction', 'cancel reason'],
];

for (const [who, role] of [
  ['admin', 'org_admin'],
  ['chief', 'super_admin'],
] as const)
  test(
    `no text that a client, a document, a server or a person brings becomes markup on any screen of an ${role}`,
    async () => {
      const { page, context } = await world.logInAs(planted[who]);
      await watchPlants(context);
      const query = who === 'chief' ? `?company=${planted.id}` : '';
      const faults: string[] = [];
      const { missed, text } = await walkScreens(page, query, async (address) => {
        for (const fault of await plantFaults(page)) faults.push(`${address}: ${fault}`);
      });
      assert.equal(faults, []);
      assert.equal(missed, [], 'every screen is reached');
      // Some have room for the start of it only.
      const hidden = SHOWN.filter((name) => !text.includes(hostile(name).slice(0, 20)));
      assert.equal(hidden, []);
    },
    { timeoutMs: 300_000 },
  );

test('nothing that an address says becomes markup, on any screen', async () => {
  const { page, context } = await world.logInAs(planted.admin);
  await watchPlants(context);
  const text = encodeURIComponent(hostile('address'));
  const names =
    'q mode company view at status fraudStatus workflow clientSubmissionId batchRef cursor close token';
  const query = names.split(' ').map((name) => `${name}=${text}`);
  const screens = await screensFor(page);
  const paths = [...screens, `/${text}`, '/signed-in', '/..%2f..', '/%', '/%ff', '//evil.example'];
  const addresses = paths.map((path) => `/console${path.replaceAll(/\{\w+\}/g, text)}?${query.join('&')}`);
  const sent = ['code', 'state', 'iss', 'error', 'error_description'].map((name) => `${name}=${text}`);
  addresses.push(`/console/signed-in?${sent.join('&')}`, `/invite?${query.join('&')}#token=${text}`);
  for (const address of addresses) {
    await page.goto(address);
    await settled(page);
    assert.equal(await plantFaults(page), [], address);
    assert.is(new URL(page.url()).origin, world.service.url);
  }
});

for (const [kind, index] of [
  ['HTML', 2],
  ['SVG', 3],
] as const)
  test(`an upload of ${kind} is saved and never shown: by its link, at its address, in a frame, as another type`, async () => {
    const id = planted.ids[index];
    const [file] = (await planted.api.get(`/api/v1/submissions/${id}`)).body.files;
    const context = await world.browser.unwatched();
    await watchPlants(context);
    const { page } = await world.logInAs(planted.admin, {}, context);
    await page.goto(`${world.service.url}/console/submissions/${id}`);
    const link = page.getByRole('link', { name: 'Download' });
    const [download] = await Promise.all([context.waitForEvent('download'), link.click()]);
    assert.match(download.suggestedFilename(), new RegExp(`^${kind.toLowerCase()}\\.`));
    const opened = await context.newPage();
    const refusal = await opened.goto(file.downloadUrl).catch((error: Error) => error.message);
    assert.match(String(refusal), /Download is starting/);
    for (const name of ['iframe', 'embed', 'object']) {
      const member = name === 'object' ? 'data' : 'src';
      const settled = name === 'iframe' ? opened.waitForEvent('download') : opened.waitForTimeout(500);
      await opened.evaluate(
        `{ const one = document.createElement('${name}'); one.${member} = ${JSON.stringify(file.downloadUrl)}; document.body.append(one); }`,
      );
      await settled;
    }
    assert.equal(await opened.evaluate('noted'), []);
    for (const frame of opened.frames()) assert.equal(await frame.evaluate('document.scripts.length'), 0);
    const { headers } = await fetch(file.downloadUrl);
    assert.match(headers.get('content-disposition') ?? '', /^attachment;/);
    for (const [name, value] of [
      ['response-content-disposition', 'inline'],
      ['response-content-type', 'text/html'],
    ] as const) {
      const url = new URL(file.downloadUrl);
      url.searchParams.set(name, value);
      assert.is((await fetch(url)).status, 403, name);
      url.searchParams.delete(name);
      assert.is((await fetch(url)).status, 403, `without ${name}`);
    }
    await context.close();
  });

test('the text of an upload is text, also for who opens its address', async () => {
  const id = planted.ids[2];
  const [file] = (await planted.api.get(`/api/v1/submissions/${id}`)).body.files;
  const { page, context } = await world.logInAs(planted.admin);
  await watchPlants(context);
  await page.goto(`/api/v1/submissions/${id}/files/${file.id}/pages/1`);
  assert.ok((await page.locator('body').innerText()).includes(hostile('page')));
  assert.equal(await plantFaults(page), []);
});
