import { createOwnStore, keepWork, keptWork, me, session } from '../../app/session.ts';

/**
 * What a person typed in the fields of submissions, by submission and field: it outlives the screen alone.
 */
type Drafts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What is typed now. */
export const drafts = createOwnStore<Drafts>({});

/** The submissions of which something was typed before the page was loaded again. */
const restored = createOwnStore<readonly string[]>([]);

let isRead = false;
/** The session is known after this module is loaded. */
const restore = (): void => {
  if (isRead || !me()) return;
  isRead = true;
  drafts.set(JSON.parse(keptWork('typed') ?? '{}'));
  restored.set(Object.keys(drafts.get()));
};
restore();

/** Whether what is typed of a submission was there before the page was loaded again. */
export const isRestored = (id: string): boolean => restored.get().includes(id);

const isTyped = (): boolean => Object.values(drafts.get()).some((fields) => Object.keys(fields).length > 0);

const keepAll = (): void => keepWork('typed', isTyped() ? JSON.stringify(drafts.get()) : null);
drafts.subscribe(keepAll);
session.subscribe(() => {
  restore();
  // The same person may have logged in again.
  keepAll();
});

/** Keeps what was typed in a field; null gives it back to the machine. */
export const draft = (id: string, field: string, text: string | null): void => {
  const { [field]: _, ...others } = drafts.get()[id] ?? {};
  const own = text === null ? others : { ...others, [field]: text };
  drafts.set({ ...drafts.get(), [id]: own });
};

/** What was typed before a decision that was taken back; what was typed since then stays. */
export const restoreDraft = (id: string, typed: Readonly<Record<string, string>>): void => {
  if (Object.keys(typed).length > 0) drafts.set({ ...drafts.get(), [id]: { ...typed, ...drafts.get()[id] } });
};

/** The submission was decided on, or what was typed is not wanted. */
export const dropDraft = (id: string): void => {
  const { [id]: _, ...others } = drafts.get();
  restored.set(restored.get().filter((other) => other !== id));
  drafts.set(others);
};

// A page that is closed or loaded anew asks first.
window.addEventListener('beforeunload', (event) => {
  if (isTyped()) event.preventDefault();
});
