import type { LoggedIn, Me } from '../../schemas/identity.ts';
import type { BegunLogIn, CompletedLogIn, LogInMethods } from '../../schemas/logIn.ts';
import { ApiProblem, call, renewBy } from './api.ts';
import { base } from './router.ts';
import { endings, entered, left, session } from './session.ts';

/** What the tabs of one browser tell each other: they share the cookie. */
const tabs = new BroadcastChannel('intake');

/** Who is logged in; `left` where nobody is. Throws `ApiProblem` for any other refusal. */
const read = async (): Promise<void> => {
  try {
    const { body } = await call<Me>('/api/auth/me', { open: true });
    entered(body);
  } catch (error) {
    if (!(error instanceof ApiProblem && error.problem.status === 401)) throw error;
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

/** Finds out who is logged in, and follows what other tabs of the browser do. Throws `ApiProblem`. */
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

/** Logs in with a password. Throws `ApiProblem`. */
export const logIn = async (email: string, password: string): Promise<void> => {
  const body = { email, password, session: 'cookie' };
  await call<LoggedIn>('/api/auth/sessions', { body, open: true });
  await hasLoggedIn();
};

/** Ends this session, or all of the person's. */
export const logOut = async (which: 'this' | 'all'): Promise<void> => {
  const all = which === 'all';
  const path = all ? '/api/auth/sessions/end-all' : '/api/auth/sessions';
  await Promise.all([...endings].map((end) => end()));
  try {
    await call(path, { method: all ? 'POST' : 'DELETE', open: true });
  } catch (error) {
    // It has ended already.
    if (!(error instanceof ApiProblem && error.problem.status === 401)) throw error;
  }
  left();
  tabs.postMessage('out');
};

/** How people log in here. Throws `ApiProblem`. */
export const methods = async (): Promise<LogInMethods> =>
  (await call<LogInMethods>('/api/auth/methods', { open: true })).body;

/**
 * Begins a log-in at the company's own service, and gives the address to go to. `href`: where the person wants to be
 * then; `invitation`: the token of the one that the log-in accepts.
 */
export const beginCompanyLogIn = async (href: string, invitation?: string): Promise<string> => {
  // The service knows its own paths, without what stands before them for browsers.
  const body = { returnTo: href.slice(base.length), invitation };
  return (await call<BegunLogIn>('/api/auth/oidc', { body, open: true })).body.location;
};

/** Ends such a log-in with what that service said, and gives where the person wanted to go. */
export const completeCompanyLogIn = async (said: object): Promise<string> => {
  const options = { body: said, open: true } as const;
  const { body } = await call<CompletedLogIn>('/api/auth/oidc/complete', options);
  await hasLoggedIn();
  return `${base}${body.returnTo}`;
};
