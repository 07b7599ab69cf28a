import type { Reader } from './parsers.ts';

/** A chat completions endpoint. */
export type Agent = Readonly<{ url: string; model: string | null; key: string | null }>;

/** Reads which endpoint drafts workflow definitions; null: the built-in rules do. */
export const agentOf = (settings: Reader): Agent | null => {
  const url = settings.url('AGENT_URL', null);
  const [model, key] = [settings.text('AGENT_MODEL', null), settings.text('AGENT_KEY', null)];
  // Without the address they would do nothing, and a slip in its name go unseen.
  if (settings.text('AGENT_URL', null) === null)
    for (const name of ['AGENT_MODEL', 'AGENT_KEY'] as const)
      if (settings.text(name, null) !== null) settings.fault(name, 'needs AGENT_URL');
  // It goes into a header.
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    settings.fault('AGENT_KEY', 'must be printable ASCII characters without spaces');
  return url === null ? null : { url, model, key };
};
