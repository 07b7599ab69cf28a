import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';

/** Notes in each page of the context what runs of `hostile`, and what the policy of the page refuses. */
export const watchPlants = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`
    window.noted = [];
    window.ran = () => noted.push('it ran');
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      noted.push('refused: ' + effectiveDirective + ' ' + blockedURI));
  `);

/** What has become of `hostile` on a page as it is now, beside text. */
export const plantFaults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const made = document.querySelectorAll('x-planted, img[src="x"], script:not([src]), iframe, object, embed, base');
    const handlers = [...document.querySelectorAll('*')].filter(({ attributes }) =>
      [...attributes].some(({ name }) => name.startsWith('on')));
    const addresses = [...document.querySelectorAll('[href], [src], [action], [formaction]')].filter((element) =>
      ['href', 'src', 'action', 'formaction'].some((name) => /^\\s*(javascript|data|vbscript):/i.test(element.getAttribute(name) ?? '')));
    return [...noted, ...[...made, ...handlers, ...addresses].map(({ outerHTML }) => outerHTML.slice(0, 200))];
  })()`);

/** What a page shows: its text, what its fields hold, and what is told of its elements. */
const shownOn = (page: Page): Promise<string> =>
  page.evaluate(`[
    document.title,
    document.body.textContent,
    ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    ...[...document.querySelectorAll('[title], [aria-label], [alt]')].flatMap((element) =>
      ['title', 'aria-label', 'alt'].map((name) => element.getAttribute(name))),
  ].join('\\n')`);

const linksOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.links].map(({ href }) => href)`);

const SCREEN = /\bpath: '([^']+)',\s*permission: '([^']+)'/g;

/** The screens that the person of a page may see, as the console's own table has them. */
export const screensFor = async (page: Page): Promise<readonly string[]> => {
  const table = readFileSync('console/frame/screens.ts', 'utf8');
  const screens = [...table.matchAll(SCREEN)].map(([, path = '', permission = '']) => ({ path, permission }));
  assert.is(screens.length, table.match(/^ {4}load: /gm)?.length, 'every screen is found in the table');
  const me = `fetch('/api/auth/me').then((answer) => answer.json())`;
  const { permissions } = (await page.evaluate(me)) as { permissions: readonly string[] };
  return screens.filter(({ permission }) => permissions.includes(permission)).map(({ path }) => path);
};

/** Waits until a screen has read all it shows, and opens what is folded. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('main h1').first().waitFor();
  await eventually('what is read', async () => (await page.locator('[aria-busy=true]').count()) === 0);
  await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
};

const isOf = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** An address without what leads back to a list: the screen shows the same with another. */
const shownBy = (address: string): string => {
  const url = new URL(address);
  url.searchParams.delete('queue');
  return url.href;
};

/** Of one screen: as many of its addresses as may differ in what they show. */
const MAX_OF_A_SCREEN = 32;

type Visited = Readonly<{ screens: readonly string[]; missed: readonly string[]; text: string }>;

/**
 * Goes to every screen that the person may see, and on by their links; `look` is called on each. `missed` are
 * the screens that no link led to.
 */
export const walkScreens = async (
  page: Page,
  query: string,
  look: (address: string) => Promise<void>,
): Promise<Visited> => {
  const screens = await screensFor(page);
  const { origin } = new URL(page.url());
  const found = screens
    .filter((path) => !path.includes('{'))
    .map((path) => `${origin}/console${path}${query}`);
  const visits = new Map(screens.map((path) => [path, 0]));
  const texts: string[] = [];
  for (const address of found) {
    const path = new URL(address).pathname.slice('/console'.length);
    const screen = screens.find((template) => isOf(template, path));
    const count = screen === undefined ? MAX_OF_A_SCREEN : (visits.get(screen) ?? 0);
    if (screen === undefined || count >= MAX_OF_A_SCREEN) continue;
    visits.set(screen, count + 1);
    await page.goto(address);
    await settled(page);
    texts.push(await shownOn(page));
    await look(address);
    for (const link of (await linksOf(page)).map(shownBy)) {
      if (link.startsWith(`${origin}/console/`) && !found.includes(link)) found.push(link);
    }
  }
  return { screens, missed: screens.filter((path) => visits.get(path) === 0), text: texts.join('\n') };
};
