import { createOwnStore } from '../../app/session.ts';

/** What was typed of definitions, by the workflow (empty: of a new one): it outlives the screen alone. */
export const drafts = createOwnStore<Readonly<Record<string, string>>>({});

/** Keeps what was typed; null: it was published, or is not wanted. */
export const keep = (slug: string, text: string | null): void => {
  const { [slug]: _, ...others } = drafts.get();
  drafts.set(text === null ? others : { ...others, [slug]: text });
};

// A page that is closed or loaded anew asks first.
window.addEventListener('beforeunload', (event) => {
  if (Object.keys(drafts.get()).length > 0) event.preventDefault();
});
