/**
 * A text in which strangers' characters that would turn the rest of their line are seen, and turn nothing.
 */
export const shown = (text: string): string =>
  text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (turn) => `\\u${turn.charCodeAt(0).toString(16)}`);
