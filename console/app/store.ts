import { useLayoutEffect, useState } from 'preact/hooks';

/** A value that components follow. */
export type Store<T> = Readonly<{
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}>;

/** A store with its first value: each `set` calls all who subscribed. */
export const createStore = <T>(initial: T): Store<T> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The value of a store; the component is rendered again with each new one. */
export const useStore = <T>(store: Store<T>): T => {
  const [rendered, render] = useState({ value: store.get() });
  useLayoutEffect(() => {
    const follow = () => render({ value: store.get() });
    // It may have changed since the component was rendered.
    if (store.get() !== rendered.value) follow();
    return store.subscribe(follow);
  }, [store]);
  return store.get();
};
