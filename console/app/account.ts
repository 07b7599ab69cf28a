import type { CompleteLogIn, LogInMethods } from '../../client/api.ts';
import { IntakeError } from '../../client/error.ts';
import { open, renewBy } from './api.ts';
import { base } from './router.ts';
import { endings, entered, left, session } from './session.ts';
import { keptOn } from './storage.ts';

/** What the tabs of one browser tell each other: they share the cookie. */
const tabs = new BroadcastChannel('intake');

/** Who is logged in; `left` where nobody is. Throws `IntakeError` for any other refusal. */
const read = async (): Promise<void> => {
  try {
    entered(await open.get('/api/auth/me'));
  } catch (error) {
    if (!(error instanceof IntakeError && error.status === 401)) throw error;
    const current = session.get();
    if (current.state === 'in') session.set({ ...current, expired: true });
    else left();
  }
};

/** Another tab has logged in, or out: then nothing stays on the screen of who has left. */
const follow = ({ data }: MessageEvent): void => {
  if (data === 'out') left();
  else void read().catch(() => undefined); // the next call says what is wrong
};

/** Finds out who is logged in, and follows what other tabs of the browser do. Throws `IntakeError`. */
export const startSession = async (): Promise<void> => {
  renewBy(read);
  tabs.addEventListener('message', follow);
  await read();
};

/** A session has begun, by whatever log-in. */
export const hasLoggedIn = async (): Promise<void> => {
  await read();
  tabs.postMessage('in');
};

/** Logs in with a password. Throws `IntakeError`. */
export const logIn = async (email: string, password: string): Promise<void> => {
  await open.post('/api/auth/sessions', { body: { email, password, session: 'cookie' } });
  await hasLoggedIn();
};

/** Ends this session, or all of the person's. */
export const logOut = async (which: 'this' | 'all'): Promise<void> => {
  await Promise.all([...endings].map((end) => end()));
  const keepAgain = keptOn();
  try {
    await (which === 'all' ? open.post('/api/auth/sessions/end-all') : open.delete('/api/auth/sessions'));
  } catch (error) {
    // It has ended already.
    if (!(error instanceof IntakeError && error.status === 401)) throw error;
  }
  keepAgain();
  left();
  tabs.postMessage('out');
};

/** How people log in here. Throws `IntakeError`. */
export const methods = (): Promise<LogInMethods> => open.get('/api/auth/methods');

/**
 * Begins a log-in at the company's own service, and gives the address to go to. `href`: where the person
 * wants to be then; `invitation`: the token of the one that the log-in accepts.
 */
export const beginCompanyLogIn = async (href: string, invitation?: string): Promise<string> => {
  // The service knows its own paths, without what stands before them for browsers.
  const body = { returnTo: href.slice(base.length), ...(invitation !== undefined && { invitation }) };
  return (await open.post('/api/auth/oidc', { body })).location;
};

/** Ends such a log-in with what that service said, and gives where the person wanted to go. */
export const completeCompanyLogIn = async (said: CompleteLogIn): Promise<string> => {
  const { returnTo } = await open.post('/api/auth/oidc/complete', { body: said });
  await hasLoggedIn();
  return `${base}${returnTo}`;
};
