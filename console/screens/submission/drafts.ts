import { createOwnStore } from '../../app/session.ts';

/** What a person typed in the fields of submissions, by submission and field: it outlives the screen alone. */
type Drafts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What is typed now. */
export const drafts = createOwnStore<Drafts>({});

/** Keeps what was typed in a field; null gives it back to the machine. */
export const draft = (id: string, field: string, text: string | null): void => {
  const { [field]: _, ...others } = drafts.get()[id] ?? {};
  const own = text === null ? others : { ...others, [field]: text };
  drafts.set({ ...drafts.get(), [id]: own });
};

/** The submission was decided on, or what was typed is not wanted. */
export const dropDraft = (id: string): void => {
  const { [id]: _, ...others } = drafts.get();
  drafts.set(others);
};

// A page that is closed or loaded anew asks first.
window.addEventListener('beforeunload', (event) => {
  if (Object.values(drafts.get()).some((fields) => Object.keys(fields).length > 0)) event.preventDefault();
});
