import { queryOf } from '../../client/request.ts';
import { createStore } from './store.ts';

/** Where the person is: a path below /console (`/` at its start) or `/invite`, and the query. */
export type Place = Readonly<{ path: string; query: URLSearchParams }>;

/** Values of a query; an empty one is left out. */
export type Query = Readonly<Record<string, string | number | null | undefined>>;

/** The path under which browsers reach the service. */
export const base = document.documentElement.dataset.base ?? '';

const ROOT = `${base}/console`;

/** What every address of the console keeps, so that each tab and each link has its own. */
const KEPT = ['company', 'mode'] as const;

const read = ({ pathname, search }: Readonly<{ pathname: string; search: string }>): Place => {
  const path = pathname === `${base}/invite` ? '/invite' : pathname.slice(ROOT.length).replace(/\/+$/, '');
  return { path: path || '/', query: new URLSearchParams(search) };
};

/** Where the person is. */
export const place = createStore(read(window.location));

let question: string | null = null;

/** Has the person asked before the screen is left. Gives what ends that. */
export const askBeforeLeaving = (text: string): (() => void) => {
  question = text;
  window.addEventListener('beforeunload', refuse);
  return () => {
    question = null;
    window.removeEventListener('beforeunload', refuse);
  };
};

const refuse = (event: Event): void => event.preventDefault();

/** Whether the person stays on this screen after all. */
const stays = (next: Place): boolean => {
  const now = place.get();
  const isSame = next.path === now.path && KEPT.every((name) => next.query.get(name) === now.query.get(name));
  return question !== null && !isSame && !window.confirm(question);
};

let moved = false;

/** Whether the person came to this screen from another: then its heading gets the focus. */
export const hasMoved = (): boolean => moved;

/** The address of a screen, with the company and mode of the current one unless the query names others. */
export const hrefOf = (path: string, query: Query = {}): string => {
  const kept = Object.fromEntries(KEPT.map((name) => [name, place.get().query.get(name)]));
  const text = queryOf(given({ ...kept, ...query }));
  return `${ROOT}${path === '/' ? '' : path}${text}`;
};

/** The members that have a value, and not an empty one. */
export const given = <V>(members: Readonly<Record<string, V>>): Readonly<Record<string, V>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => (value ?? '') !== ''));

/** A path in which each value is one part, whatever characters it has. */
export const encoded = (parts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  String.raw({ raw: parts }, ...values.map(encodeURIComponent));

/** Goes to an address that `hrefOf` gave. `replace`: the current one is no place to come back to. */
export const navigate = (href: string, { replace = false } = {}): void => {
  const { path } = place.get();
  const next = read(new URL(href, window.location.href));
  if (stays(next)) return;
  window.history[replace ? 'replaceState' : 'pushState'](null, '', href);
  if (next.path !== path) {
    moved = true;
    window.scrollTo(0, 0);
  }
  place.set(next);
};

/** Changes values of the query of this screen, which stays what it is. */
export const changeQuery = (query: Query): void => {
  const now = Object.fromEntries(place.get().query);
  navigate(hrefOf(place.get().path, { ...now, ...query }), { replace: true });
};

/** Follows links of the console without a new page, and the browser's back and forward. */
export const startRouter = (): void => {
  window.addEventListener('popstate', () => {
    const next = read(window.location);
    if (stays(next)) {
      const { path, query } = place.get();
      return window.history.pushState(null, '', hrefOf(path, Object.fromEntries(query)));
    }
    moved = true;
    place.set(next);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || !isOurs(link) || event.defaultPrevented || event.button !== 0 || hasModifier(event)) return;
    event.preventDefault();
    navigate(link.href);
  });
};

const hasModifier = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  ctrlKey || metaKey || shiftKey || altKey;

const isOurs = ({ href, target, origin, pathname }: HTMLAnchorElement): boolean =>
  href !== '' &&
  target === '' &&
  origin === window.location.origin &&
  (pathname === ROOT || pathname.startsWith(`${ROOT}/`));

/** The parameters of a path such as `/submissions/{id}`; null where it is another. */
export const matchPath = (template: string, path: string): Readonly<Record<string, string>> | null => {
  const [names, parts] = [template.split('/'), path.split('/')];
  if (names.length !== parts.length) return null;
  const found: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? '';
    if (name.startsWith('{')) found[name.slice(1, -1)] = decoded(part);
    else if (name !== part) return null;
  }
  return found;
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // not what any link of ours says: the service is asked for it, and knows it not
  }
};
