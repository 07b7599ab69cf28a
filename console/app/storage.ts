type Area = 'local' | 'session';

/**
 * A text that the browser keeps for this page, or tab (`session`); null for none, and in one that keeps
 * nothing.
 */
export const kept = (name: string, area: Area = 'local'): string | null => {
  try {
    return window[`${area}Storage`].getItem(name);
  } catch {
    return null;
  }
};

/** Keeps a text, or forgets it (null). Where the browser keeps nothing, it lasts as long as the page. */
export const keep = (name: string, text: string | null, area: Area = 'local'): void => {
  try {
    const storage = window[`${area}Storage`];
    if (text === null) storage.removeItem(name);
    else storage.setItem(name, text);
  } catch {
    // The person has forbidden it.
  }
};

/**
 * Notes what the browser keeps for the console, beyond a log-out; gives what keeps it again once that has
 * cleared all.
 */
export const keptOn = (): (() => void) => {
  const names = ['scheme', 'keys', 'evidence-key', 'zone', 'divider'].map((name) => `intake.${name}`);
  const texts = names.map((name) => kept(name));
  return () => names.forEach((name, index) => void keep(name, texts[index] ?? null));
};
