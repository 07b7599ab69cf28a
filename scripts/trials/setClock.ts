// Loaded before a service (`--import`) by clock.ts: sets the clock of the process by the milliseconds that
// are in the file TRIAL_CLOCK, and removes the file when that is done.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { TRIAL_CLOCK: path } = process.env;
const POLL_MS = 20;

if (path && isMainThread) {
  let byMs = 0;
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given) =>
      given.length === 0 ? new target(target.now() + byMs) : Reflect.construct(target, given),
    get: (target, name) => (name === 'now' ? () => target.now() + byMs : Reflect.get(target, name)),
  });
  const poll = (): void => {
    if (!existsSync(path)) return;
    byMs = Number(readFileSync(path, 'utf8'));
    rmSync(path);
  };
  setInterval(poll, POLL_MS).unref();
}
