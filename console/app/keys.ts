import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { keep, kept } from './storage.ts';
import { createStore } from './store.ts';

/**
 * A key, such as `a`, `Ctrl+Enter` or `Escape`, `or` another one, and what it does on this screen. `repeats`:
 * again and again while it is held down. `within`: only where the focus is on what this selects.
 */
export type Binding = Readonly<{
  key: string;
  or?: string;
  text: string;
  repeats?: true;
  within?: string;
  run(event: KeyboardEvent): void;
}>;

/** The newest last: its keys come first. */
const groups: { bindings: readonly Binding[] }[] = [];

/** Single characters can be turned off: speech input and stray fingers type them too (WCAG 2.1.4). */
export const singleKeys = createStore(kept('intake.keys') !== 'off');

/** Turns them off, or on again, also for the next time. */
export const turnSingleKeys = (): void => {
  keep('intake.keys', singleKeys.get() ? 'off' : 'on');
  singleKeys.set(!singleKeys.get());
};

/** The keys of a component, as long as it is on the page. */
export const useKeys = (bindings: readonly Binding[]): void => {
  const group = useRef({ bindings });
  group.current.bindings = bindings;
  useLayoutEffect(() => {
    groups.push(group.current);
    return () => void groups.splice(groups.indexOf(group.current), 1);
  }, []);
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select');

/** Whether an arrow already means something there. */
const hasArrows = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

const nameOf = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string =>
  `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${key}`;

/** The keys that do something now. */
export const boundKeys = (): readonly Binding[] => {
  const all = [...groups].reverse().flatMap(({ bindings }) => bindings);
  return all.filter(({ key }, index) => all.findIndex((other) => other.key === key) === index);
};

const pressed = (event: KeyboardEvent): void => {
  const name = nameOf(event);
  // The space bar does something only on what has the focus.
  const isCharacter = name.length === 1 && name !== ' ';
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
  if (isCharacter && (isTyping(event.target) || !singleKeys.get())) return;
  if (name.startsWith('Arrow') && hasArrows(event.target)) return;
  const binding = boundKeys().find(({ key, or }) => key === name || or === name);
  if (!binding || (binding.within && !(event.target as Element).matches(binding.within))) return;
  event.preventDefault();
  // Whatever a key that is still down does next, nobody has looked at.
  if (!event.repeat || binding.repeats) binding.run(event);
};

/** Listens to the keys of all components. */
export const useKeyboard = (): void =>
  useEffect(() => {
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
