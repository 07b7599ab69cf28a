import { member } from '../../app/members.ts';
import { createOwnStore, keepWork, keptWork, me, session } from '../../app/session.ts';
import { useStore } from '../../app/store.ts';
import { asText, type Field, type Place } from './fields.ts';
import { understoodAs } from './typing.ts';

/**
 * What a person typed in the fields of submissions, by submission and field: it outlives the screen alone.
 */
type Drafts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What is typed now. */
export const drafts = createOwnStore<Drafts>({});

type Taken = Readonly<{ text: string; place: Place }>;

/** What was taken from pages, by submission and field: the place of the field as long as it reads so. */
const taken = createOwnStore<Readonly<Record<string, Readonly<Record<string, Taken>>>>>({});

/** The submissions of which something was typed before the page was loaded again. */
const restored = createOwnStore<readonly string[]>([]);

let isRead = false;
/** The session is known after this module is loaded. */
const restore = (): void => {
  if (isRead || !me()) return;
  isRead = true;
  // First: both are kept again with the next change of what is typed.
  taken.set(JSON.parse(keptWork('taken') ?? '{}'));
  drafts.set(JSON.parse(keptWork('typed') ?? '{}'));
  restored.set(Object.keys(drafts.get()));
};
restore();

/** Whether what is typed of a submission was there before the page was loaded again. */
export const isRestored = (id: string): boolean => restored.get().includes(id);

const isTyped = (): boolean => Object.values(drafts.get()).some((fields) => Object.keys(fields).length > 0);

const keepAll = (): void => {
  keepWork('typed', isTyped() ? JSON.stringify(drafts.get()) : null);
  keepWork('taken', isTyped() ? JSON.stringify(taken.get()) : null);
};
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

/** Keeps what was taken from a page for a field, and where it stands there. */
export const draftFrom = (id: string, field: Field, text: string, place: Place): void => {
  taken.set({ ...taken.get(), [id]: { ...taken.get()[id], [field.name]: { text, place } } });
  draft(id, field.name, text === asText(field.value) ? null : text);
};

type TakenOf = Readonly<Record<string, Taken>>;

/** What was taken from the pages of a submission. */
export const useTaken = (id: string): TakenOf => useStore(taken)[id] ?? {};

/** Where the text of a field was taken from; null where it was typed, or reads otherwise since. */
export const takenFrom = (from: TakenOf, field: Field, text: string): Place | null => {
  const found = member(from, field.name);
  return found && understoodAs(field, found.text) === understoodAs(field, text) ? found.place : null;
};

/** The fields as they read now, each with the place where its value stands. */
export const usePlaced = (id: string, fields: readonly Field[]): readonly Field[] => {
  const [typed, from] = [useStore(drafts)[id] ?? {}, useTaken(id)];
  return fields.map((field) => {
    const value = member(typed, field.name) ?? asText(field.value);
    const place = takenFrom(from, field, value);
    return place ? { ...field, value, place, isCorrected: true } : field;
  });
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
