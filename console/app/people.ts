import { useEffect } from 'preact/hooks';
import { say, texts } from '../texts.ts';
import { api } from './api.ts';
import { createStore, useStore } from './store.ts';

/** Names of people by their identifiers; null for one that is not known. */
const names = createStore<Readonly<Record<string, string | null>>>({});
const asked = new Set<string>();

/** What the API says in place of a name or an e-mail that a redaction has removed. */
const REDACTED = '[redacted]';

/** Whether a redaction has removed a name or an e-mail. */
export const isRedacted = (shown: string | null): boolean => shown === REDACTED;

/** A person whose name a redaction has removed. */
export const redactedPerson = (id: string): string => say(texts.people.redacted, { id });

const read = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids) asked.add(id);
  const { data } = await api.get('/api/v1/people/names', { query: { ids: ids.join(',') } });
  const found = data.map(({ id, name }) => [id, isRedacted(name) ? redactedPerson(id) : name]);
  names.set({ ...names.get(), ...Object.fromEntries(found) });
};

/**
 * The names of people, as far as they are known: until then, and where nobody may know them, the identifiers.
 */
export const useNames = (ids: readonly string[]): ((id: string) => string) => {
  const known = useStore(names);
  const unknown = [...new Set(ids)].filter((id) => !asked.has(id));
  useEffect(() => {
    // An identifier says enough where the names can't be read.
    if (unknown.length > 0) void read(unknown.slice(0, 100)).catch(() => undefined);
  }, [unknown.join()]);
  return (id) => known[id] ?? id;
};
