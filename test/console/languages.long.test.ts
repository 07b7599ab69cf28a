import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { accessible, browserSuite } from './browser.ts';
import { startWorld, type World } from './world.ts';

const test = browserSuite('console: in other languages');
let world: World;
test.before(async () => {
  world = await startWorld();
});
test.after(() => world.close());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const languageOf = (page: Page) => page.evaluate('document.documentElement.lang');

/** The texts that a page asks for. */
const textsOf = (page: Page): readonly string[] => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, language = ''] = /\/texts\.(\w+)-\w{8}\.json$/.exec(request.url()) ?? [];
    if (language) asked.push(language);
  });
  return asked;
};

const cases = [
  {
    ...{ locale: 'de-AT', logIn: 'Anmelden', queue: 'Warteschlange', figures: 'Kennzahlen' },
    ...{ approve: /^Freigeben/, counted: '3 Vorgänge.', hour: /vor \d+/ },
  },
  {
    ...{ locale: 'fr-CA', logIn: 'Connexion', queue: 'File d’attente', figures: 'Chiffres' },
    ...{ approve: /^Approuver/, counted: '3 dossiers.', hour: /il y a \d+/ },
  },
];

for (const { locale, logIn, queue, figures, approve, counted, hour } of cases)
  test(`the console is in the language of the browser: ${locale}`, async () => {
    const language = locale.slice(0, 2);
    const definition = { ...receiptDefinition, processing: { review: 'always' as const } };
    const { id, api } = await world.service.company(definition);
    for (let n = 0; n < 3; n += 1) await api.process([receiptText({ company: `ACME ${n}` })]);
    const outside = await (await world.browser.context({ locale })).newPage();
    const asked = textsOf(outside);
    await outside.goto('/console');
    await heading(outside, logIn);
    assert.equal([await languageOf(outside), asked], [language, [language]]);
    await accessible(outside, `log-in in ${language}`);
    await outside.goto('/console/verify');
    await accessible(outside, `verify in ${language}`);
    await outside.goto('/invite?token=none');
    await accessible(outside, `invitation in ${language}`);
    const { page } = await world.pageOf(id, 'org_admin', '/console/queue', { locale });
    await heading(page, queue);
    await page.getByText(hour).first().waitFor();
    await accessible(page, `queue in ${language}`);
    await page.getByRole('link', { name: figures }).click();
    await page.getByText(counted).waitFor();
    await accessible(page, `figures in ${language}`);
    await page.goto('/console/queue');
    await page
      .getByRole('main')
      .getByRole('link', { name: /ACME|Receipt/ })
      .first()
      .click();
    await page.getByRole('button', { name: approve }).first().waitFor();
    await accessible(page, `submission in ${language}`);
  });

test('a language is chosen under the person’s name, and remembered beyond the log-out', async () => {
  const { id } = await world.service.company();
  const { page, email, context } = await world.pageOf(id, 'reviewer', '/console/queue');
  await heading(page, 'Queue');
  await page.getByRole('button', { name: email }).click();
  const own = page.getByRole('group', { name: 'Language' }).getByRole('button');
  assert.equal(await own.allTextContents(), ['Deutsch', 'English', 'Français']);
  assert.equal(
    await own.evaluateAll((all) =>
      all.map((one) => `${one.getAttribute('lang')} ${one.getAttribute('aria-pressed')}`),
    ),
    ['de false', 'en true', 'fr false'],
  );
  await accessible(page, 'languages');
  await own.filter({ hasText: 'Français' }).click();
  await heading(page, 'File d’attente');
  const other = await context.newPage();
  const asked = textsOf(other);
  await other.goto('/console/queue');
  await heading(other, 'File d’attente');
  assert.equal([await languageOf(other), asked], ['fr', ['fr']]);
  await other.getByRole('button', { name: email }).click();
  await other.getByRole('button', { name: 'Se déconnecter' }).click();
  await heading(other, 'Connexion');
  await other.reload();
  await heading(other, 'Connexion');
  await eventually('the cookie stays', async () =>
    (await context.cookies()).some(({ name, value }) => name === 'intake-language' && value === 'fr'),
  );
});
