/**
 * What is no text for people: comments, imports, what only programs see, classes, selectors, names of what is
 * read, and commands to be typed.
 */
const NOT_SHOWN = [
  /\/\*.*?\*\//gs,
  /(?<=^|\s)\/\/.*$/gm,
  /^(import|export) [^;]*? from '[^']*';|import\('[^']*'\)/gm,
  /new \w*Error\(.*?\)/gs,
  /\bclass=(?:"[^"]*"|\{(?:[^{}]|\{[^{}]*\})*\})/g,
  /<code>[^<{]*<\/code>/g,
  /querySelector\w*(?:<\w+>)?\('[^']*'\)|\buseResource\b[^`'\n]*`[^`]*`/g,
  // Keys, and what frame/screens.ts loads by its name.
  /'(?:(?:Ctrl|Alt)\+)?(?:Escape|Enter|Arrow\w*)'|\badministration\('\w+'\)/g,
];

const WORD = /\p{L}{2,}/u;

/** Words between tags: a child that is a text. */
const CHILD = /(?:[\w"}/]>|\})([^<>{}()[\]=;|&`]+)(?=<\/|<[a-z]+[ >]|\{)/g;
const ATTRIBUTE =
  /\s(?:label|title|alt|placeholder|hint|text|act|aria-(?:label|description|roledescription))="([^"]+)"/g;
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;

/** The end of a name that a template makes, such as of a member. */
const JOINED = /(?<=\})\p{L}+/gu;

/** The words of a source of the console that a person would see and that no file of texts has. */
export const wordsOutside = (source: string): readonly string[] => {
  const code = NOT_SHOWN.reduce((rest, pattern) => rest.replaceAll(pattern, ''), source);
  const children = [...code.replaceAll(/`(?:[^`\\]|\\.)*`/g, '``').matchAll(CHILD)]
    .map(([, text = '']) => text.trim())
    .filter(isChild);
  const attributes = [...code.matchAll(ATTRIBUTE)].map(([, text = '']) => text);
  const literals = [...code.matchAll(LITERAL)].flatMap(([, plain, template = '']) =>
    plain === undefined ? template.replaceAll(JOINED, '').split(/\$\{[^}]*\}/) : [plain],
  );
  return [...children, ...attributes.filter((text) => WORD.test(text)), ...literals.filter(isSentence)];
};

/** Code between a bracket and the next has keywords or punctuation that no words between tags have. */
const isChild = (text: string): boolean =>
  WORD.test(text) &&
  !/^[,:?./]|\b(?:const|export|function|return|type|else|catch|finally)\b|["'*\\]| : /.test(text);

/** Words that begin as a sentence does, or more than one; a selector or a name of ours is none. */
const isSentence = (text: string): boolean =>
  /^\p{Lu}\p{Ll}+(?![\p{L}/-])/u.test(text) || /^\p{L}+ \p{L}{2,}(?: |$|[.:,])/u.test(text);
