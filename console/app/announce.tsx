import type { ComponentChildren } from 'preact';
import { problemIn } from './resource.ts';
import { createStore, useStore } from './store.ts';

type Said = Readonly<{ text: string; urgent: boolean; times: number }>;

const said = createStore<Said>({ text: '', urgent: false, times: 0 });
const SHOWN_MS = 6_000;
let timer = 0;

/** Shows a message for some seconds, which screen readers read out; an urgent one at once. */
export const announce = (text: string, urgent = false): void => {
  said.set({ text, urgent, times: said.get().times + 1 });
  clearTimeout(timer);
  timer = setTimeout(() => said.set({ ...said.get(), text: '' }), SHOWN_MS);
};

/** Says why something failed that a person began, where nothing else on the page would. */
export const announceProblem = (error: unknown): void => announce(problemIn(error)?.detail ?? '', true);

/**
 * Where messages appear, below `children`: both regions are there before their first message, as screen
 * readers need it.
 */
export const Announcements = ({ children }: Readonly<{ children: ComponentChildren }>) => {
  const { text, urgent, times } = useStore(said);
  return (
    <div class="announcements">
      {children}
      <div role="status">{urgent || text === '' ? null : <p key={times}>{text}</p>}</div>
      <div role="alert">{urgent && text !== '' ? <p key={times}>{text}</p> : null}</div>
    </div>
  );
};
