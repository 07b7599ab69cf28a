import { posix } from 'node:path';

/** A page: its path from the project's folder, and its text. */
export type Page = Readonly<{ path: string; text: string }>;

/** What the project holds: whether there is a file or folder at a path, and the text of a page. */
export type Project = Readonly<{ exists(path: string): boolean; textOf(path: string): string }>;

/** The project's folders, of which a path in a text begins with one. */
const PATH =
  /^(kernel|domain|schemas|commands|projections|reactors|processing|outbound|stores|http|agent|evidence|telemetry|cli|runtime|test|bench|docs|scripts|deploy)\/[\w./-]+$/;

/** Every link to a page or heading that is not there, and every path in backticks that is not there. */
export const deadReferences = (pages: readonly Page[], project: Project): readonly string[] =>
  pages.flatMap((page) => [...deadLinks(page, project), ...deadPaths(page, project)]);

const deadLinks = ({ path, text }: Page, { exists, textOf }: Project): readonly string[] =>
  linksIn(text)
    .filter((target) => {
      const [file = '', heading] = target.split('#');
      const found = file === '' ? path : posix.join(posix.dirname(path), file);
      return !exists(found) || (heading !== undefined && !headingsOf(textOf(found)).has(heading));
    })
    .map((target) => `${path} links to ${target}`);

const deadPaths = ({ path, text }: Page, { exists }: Project): readonly string[] =>
  [...withoutFences(text).matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => PATH.test(code) && !exists(code))
    .map((code) => `${path} names ${code}`);

/** Targets within the project. */
const linksIn = (text: string): readonly string[] =>
  [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

const withoutFences = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '');

/** Headings as GitHub addresses them. */
const headingsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
