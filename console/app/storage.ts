type Area = 'local' | 'session';

/** A text that the browser keeps for this page, or tab (`session`); null for none, and in one that keeps nothing. */
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
