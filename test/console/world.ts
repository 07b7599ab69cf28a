import type { BrowserContext } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { ReceiverOptions } from '../../scripts/receiver.ts';
import { PASSWORD, peopleOf } from '../support/people.ts';
import { startService } from '../support/service.ts';
import { openBrowser } from './browser.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
export type World = Awaited<ReturnType<typeof startWorld>>;

/**
 * `name`: of the person; `clock`: the page's time is moved by hand; `isHolding`: its decisions can be taken
 * back until `lapse`, however slow the machine is.
 */
type PageOptions = NonNullable<Parameters<Browser['context']>[0]> &
  Readonly<{ name?: string | null; clock?: boolean; isHolding?: boolean }>;

/** Timers of five seconds end when `window.lapse` is called. The others go on: rendering needs them. */
const HOLDING = `{
  const { setTimeout: start, clearTimeout: stop } = window;
  const waiting = new Map();
  window.setTimeout = (run, ms, ...rest) => {
    if (ms !== 5000) return start(run, ms, ...rest);
    const id = start(() => undefined, 2 ** 30);
    waiting.set(id, run);
    return id;
  };
  window.clearTimeout = (id) => {
    waiting.delete(id);
    stop(id);
  };
  window.lapse = () => {
    for (const [id, run] of [...waiting]) {
      waiting.delete(id);
      run();
    }
  };
}`;

/** A service, people, and a browser. Close it in the end. */
export const startWorld = async (
  settings: Readonly<Record<string, string>> = {},
  receiving: ReceiverOptions = {},
) => {
  const service = await startService(settings, receiving);
  const people = await peopleOf(service);
  const browser = await openBrowser(service.url);
  type Options = Parameters<typeof browser.context>[0];
  /** A page of a person, logged in. */
  const logInAs = async (email: string, options: Options = {}, own?: BrowserContext) => {
    const context = own ?? (await browser.context(options));
    const page = await context.newPage();
    await page.goto(`${service.url}/console/signed-out`);
    // The browser itself takes the cookie: from elsewhere it takes none of this name without TLS.
    const body = JSON.stringify({ email, password: PASSWORD, session: 'cookie' });
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
    const status = await page.evaluate(
      `fetch('/api/auth/sessions', ${JSON.stringify(init)}).then((answer) => answer.status)`,
    );
    assert.is(status, 201);
    return { page, context };
  };
  /** A page of a person of the company, logged in, at an address of the console. */
  const pageOf = async (
    companyId: string | null,
    role: Parameters<typeof people.user>[1],
    address: string,
    { name = null, clock, isHolding, ...options }: PageOptions = {},
  ) => {
    const { email, userId, api } = await people.user(companyId, role, name);
    const { page, context } = await logInAs(email, options);
    if (clock) await page.clock.install();
    if (isHolding) await page.addInitScript(HOLDING);
    await page.goto(address);
    return { page, email, userId, context, api };
  };
  const close = async (): Promise<void> => {
    try {
      await browser.close();
    } finally {
      await people.close();
      await service.close();
    }
  };
  return { service, people, browser, logInAs, pageOf, close };
};
