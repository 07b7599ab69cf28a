import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';

/** Where Debian installs it; CHROMIUM names another. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const reason = (): string | null =>
  existsSync(CHROMIUM) ? null : `there is no Chromium at ${CHROMIUM} (apt-get install chromium, or CHROMIUM)`;

/** A suite whose tests need a browser, where there is one. */
export const browserSuite = (name: string) => {
  const inner = suite(name);
  const why = reason();
  const test: typeof inner = Object.assign(
    (...[title, body, options]: Parameters<typeof inner>) =>
      why === null ? inner(title, body, options) : inner.skip(title, why),
    inner,
  );
  return test;
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a page must not do: what its console, its policy, and its requests say. */
const watch = (page: Page, allowed: ReadonlySet<string>, faults: string[]): void => {
  const found = (text: string): void => void faults.push(`${text} (on ${page.url()})`);
  page.on('console', (message) => {
    // What the page loads before it asks for it, and then does not use.
    if (message.text().includes('preload')) found(`console: ${message.text()}`);
    // A refused request is the service's answer, which the screens show. What the policy refuses is another
    // text.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource: the server'))
      found(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => found(`error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'blob:' && protocol !== 'data:' && !allowed.has(origin))
      found(`request to ${request.url()}`);
  });
};

/** Tells the page's console of all that its policy refuses or reports. */
const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

type Violation = Readonly<{
  id: string;
  nodes: readonly Readonly<{
    html: string;
    failureSummary?: string;
    any: readonly Readonly<{ data?: Readonly<{ messageKey?: string | null }> | null }>[];
  }>[];
}>;

/**
 * A Chromium of the machine for the pages of `url`. Every page is watched: an error in its console, a script
 * that throws, anything that its policy refuses, and a request to another host is in `faults`, and makes
 * `close` throw, so that no test can overlook it. `alsoTo` names the origins that a page may ask besides,
 * such as the object store's.
 */
export const openBrowser = async (url: string, alsoTo: readonly string[] = []) => {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    // Names of `.test` are this machine, and not to the browser.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP *.test 127.0.0.1'],
  });
  const faults: string[] = [];
  const allowed = new Set([new URL(url).origin, ...alsoTo]);
  const context = async (options: Parameters<typeof browser.newContext>[0] = {}): Promise<BrowserContext> => {
    const own = await browser.newContext({ baseURL: url, ...options });
    await own.addInitScript(TELL_VIOLATIONS);
    own.on('page', (page) => watch(page, allowed, faults));
    own.setDefaultTimeout(20_000);
    return own;
  };
  /** A context in which pages of other origins may be opened: nothing watches it. */
  const unwatched = (): Promise<BrowserContext> => browser.newContext();
  const close = async (): Promise<void> => {
    await browser.close();
    assert.equal(faults, [], 'what no page may do');
  };
  return { context, unwatched, faults, close };
};

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on a page as it is now: the rules of WCAG 2.2 A and AA, and what is good practice. */
export const accessibilityFaults = async (page: Page): Promise<readonly string[]> => {
  // Through the debugger: the page's policy lets no script in.
  await page.evaluate(axe);
  const found = (await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(RULES)} })`)) as {
    violations: readonly Violation[];
    incomplete: readonly Violation[];
  };
  // Text in the colour of its ground counts as undecided there: it is a fault.
  const unseen = found.incomplete.map(({ id, nodes }) => ({
    id,
    nodes: nodes.filter(({ any }) => any.some(({ data }) => data?.messageKey === 'equalRatio')),
  }));
  return [...found.violations, ...unseen].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
};

/**
 * Holds a page, as it is now, to what axe knows of accessibility. For a state between others; see
 * `accessible`.
 */
export const assertAccessible = async (page: Page, what: string): Promise<void> =>
  assert.equal(await accessibilityFaults(page), [], what);

/** How every screen is looked at: both schemes, and as narrow as a phone. */
const LOOKS = [
  { look: 'light', colorScheme: 'light', width: 1280 },
  { look: 'dark', colorScheme: 'dark', width: 1280 },
  { look: 'narrow', colorScheme: 'light', width: 400 },
  { look: 'narrow-dark', colorScheme: 'dark', width: 400 },
] as const;

/**
 * Holds a screen, once it has its heading, to accessibility in light, dark and at 400 px, where nothing may
 * need scrolling to the side; then it is as wide as before. With SCREENSHOTS=folder each look is also written
 * to `<folder>/<what>-<look>.png`.
 */
export const accessible = async (page: Page, what: string): Promise<void> => {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.locator('h1').first().waitFor();
  for (const { look, colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await screenshot(page, `${what}-${look}`);
    await assertAccessible(page, `${what}, ${look}`);
    const across = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(Number(across) <= width, `${what}, ${look}: ${across} px wide`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
};

/** A picture of the page as it is now, in the folder that SCREENSHOTS names; without it, none. */
export const screenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name.replaceAll(/[^\w-]+/g, '-')}.png`) });
};
