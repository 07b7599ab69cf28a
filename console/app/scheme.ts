import { keep, kept } from './storage.ts';
import { createStore } from './store.ts';

const SCHEMES = ['system', 'light', 'dark'] as const;
/** `system`: as the operating system has it. */
export type Scheme = (typeof SCHEMES)[number];

const KEY = 'intake.scheme';

const stored = (): Scheme => SCHEMES.find((scheme) => scheme === kept(KEY)) ?? 'system';

/** The colours that the person has chosen for this browser. */
export const scheme = createStore<Scheme>(stored());

const apply = (): void => {
  document.documentElement.dataset.scheme = scheme.get();
};
apply();
scheme.subscribe(() => {
  keep(KEY, scheme.get());
  apply();
});

/** The next of the choices. */
export const nextScheme = (): void =>
  scheme.set(SCHEMES[(SCHEMES.indexOf(scheme.get()) + 1) % SCHEMES.length] ?? 'system');
