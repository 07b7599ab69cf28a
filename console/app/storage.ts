/** A text that the browser keeps for this page; null for none, and in a browser that keeps nothing. */
export const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

/** Keeps a text, or forgets it (null). Where the browser keeps nothing, it lasts as long as the page. */
export const keep = (name: string, text: string | null): void => {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // The person has forbidden it.
  }
};
