import type { Me } from '../../schemas/identity.ts';
import { keep, kept } from './storage.ts';
import { createStore, type Store } from './store.ts';

/** Whether somebody is logged in; `expired`: the session has ended, and what the page shows stays. */
export type Session =
  | Readonly<{ state: 'unknown' }>
  | Readonly<{ state: 'out' }>
  | Readonly<{ state: 'in'; me: Me; expired: boolean }>;

/** The session of this page; `unknown` until it is read. */
export const session = createStore<Session>({ state: 'unknown' });

/**
 * What was asked under a session that another person's log-in followed: it is not done in that person's name.
 */
export class AnotherPerson extends Error {}

type Waiting = Readonly<{ go: () => void; fail: (error: Error) => void }>;
let waiting: readonly Waiting[] = [];

/** The person of the session; null without one. */
export const me = (): Me | null => {
  const current = session.get();
  return current.state === 'in' ? current.me : null;
};

/** Whether the person of the session has a permission. */
export const may = (permission: Me['permissions'][number]): boolean =>
  me()?.permissions.includes(permission) ?? false;

/** Whether the session has ended, and what is asked waits for the log-in. */
export const hasExpired = (): boolean => {
  const current = session.get();
  return current.state === 'in' && current.expired;
};

/**
 * The session under which `asked` was logged in has ended: shows the log-in, and resolves once the same
 * person has logged in again. Rejects with `AnotherPerson` once that person has left, or another has come.
 */
export const loggedInAgain = async (asked: Me | null): Promise<void> => {
  const current = session.get();
  if (current.state !== 'in' || current.me.userId !== asked?.userId) throw new AnotherPerson();
  // The log-in was faster than this answer.
  if (current.me !== asked && !current.expired) return;
  session.set({ ...current, expired: true });
  await new Promise<void>((go, fail) => {
    waiting = [...waiting, { go, fail }];
  });
};

const ownStores: (() => void)[] = [];

/**
 * A store of what is one person's, such as what was typed: it begins anew for another, and when the person
 * leaves.
 */
export const createOwnStore = <T>(initial: T): Store<T> => {
  const store = createStore(initial);
  ownStores.push(() => store.set(initial));
  return store;
};

/**
 * Where the tab keeps what was typed, and decisions that are not sent yet, each after the identifier of the
 * session in which they were made.
 */
const KEPT = { typed: 'intake.typed', taken: 'intake.taken', decided: 'intake.decided' } as const;
type Kept = keyof typeof KEPT;

/** What `keepWork` was given in this session before the page was loaded again; null for nothing. */
export const keptWork = (name: Kept, sessionId = me()?.sessionId): string | null => {
  const text = kept(KEPT[name], 'session');
  return sessionId && text?.startsWith(sessionId) ? text.slice(sessionId.length) : null;
};

/** Keeps a text for when the page is loaded again in this session; null for nothing. */
export const keepWork = (name: Kept, text: string | null): void => {
  const person = me();
  // Before it is known whose session it is, there is nothing to keep, and what was kept stays.
  if (person) keep(KEPT[name], text === null ? null : person.sessionId + text, 'session');
};

const forget = (next?: Me): void => {
  for (const empty of ownStores) empty();
  for (const name of ['typed', 'taken', 'decided'] as const)
    if (keptWork(name, next?.sessionId ?? '') === null) keep(KEPT[name], null, 'session');
};

/** What must end while its person is still logged in, such as a claim. */
export const endings = new Set<() => Promise<unknown>>();

/** Somebody has logged in. What waits goes on if it is the same person. */
export const entered = (person: Me): void => {
  const isSame = me()?.userId === person.userId;
  const ended = waiting;
  waiting = [];
  if (!isSame) forget(person);
  session.set({ state: 'in', me: person, expired: false });
  for (const { go, fail } of ended) isSame ? go() : fail(new AnotherPerson());
};

/** Nobody is logged in any more: what the page showed goes. */
export const left = (): void => {
  const ended = waiting;
  waiting = [];
  forget();
  session.set({ state: 'out' });
  for (const { fail } of ended) fail(new AnotherPerson());
};
