import type { Me } from '../../schemas/identity.ts';

// Asks who is logged in, and what a reviewer sees first, while the modules of the console are on their way: a
// script of its own, that loads nothing.

/** `sessionId`: whose answer it is; null where it says so itself. */
type Early = Readonly<{ answer: Response; sessionId: string | null }>;

declare global {
  interface Window {
    /**
     * The answers that app/api.ts gives to whoever asks first, by path and query; null for one that was not
     * asked for.
     */
    asked?: Map<string, Promise<Early | null>>;
  }
}

const { base = '' } = document.documentElement.dataset;
const { pathname, search } = window.location;

const ask = async (path: string, sessionId: string | null = null): Promise<Early> => ({
  answer: await fetch(base + path, { cache: 'no-store' }),
  sessionId,
});

/** The queue, for who begins with it. */
const queueOf = async (path: string, me: Promise<Early>): Promise<Early | null> => {
  const { answer } = await me;
  const own = answer.clone();
  if (!own.ok) return null;
  const { company, permissions, sessionId }: Me = await own.json();
  return company && permissions.includes('submissions.claim') ? ask(path, sessionId) : null;
};

/** As app/zone.ts has it: without storage the first answer is asked for once more where it differs. */
const startOfToday = (): string => {
  const now = new Date();
  let isUtc = false;
  try {
    isUtc = localStorage.getItem('intake.zone') === 'UTC';
  } catch {
    // There is no storage: the browser's own zone.
  }
  return new Date(isUtc ? now.setUTCHours(0, 0, 0, 0) : now.setHours(0, 0, 0, 0)).toISOString();
};

const keep = (path: string, early: Promise<Early | null>): void => {
  window.asked?.set(path, early);
  // It is told where it is used.
  early.catch(() => undefined);
};

// The screens that need no log-in do not ask.
if (!/\/(invite|console\/(signed-in|verify))$/.test(pathname)) {
  window.asked = new Map();
  const me = ask('/api/auth/me');
  keep('/api/auth/me', me);
  // With filters, another company or mode, or out of view, something else comes first.
  if (/\/console(\/queue)?\/?$/.test(pathname) && !search && !document.hidden) {
    const path = `/api/v1/review-queue?limit=100&decidedSince=${encodeURIComponent(startOfToday())}`;
    keep(path, queueOf(path, me));
  }
}
