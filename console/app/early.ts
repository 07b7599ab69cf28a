// Asks who is logged in while the modules of the console are on their way: a script of its own, that imports
// nothing.

declare global {
  interface Window {
    /** The answer that app/api.ts gives to whoever asks first. */
    asked?: Promise<Response> | undefined;
  }
}

const { base = '' } = document.documentElement.dataset;

// The screens that need no log-in do not ask.
if (!/\/(invite|console\/(signed-in|verify))$/.test(window.location.pathname)) {
  window.asked = fetch(`${base}/api/auth/me`, { cache: 'no-store' });
  // It is told where it is used.
  window.asked.catch(() => undefined);
}

export {};
