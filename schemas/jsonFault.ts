const SPACE = /[ \t\r\n]*/y;
const TOKEN =
  /([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b)/y;

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or }' | ', or ]' | 'the end';

/** Where a text stops being JSON: line and column from 1, and what is expected there; null for valid JSON. */
export const jsonFault = (
  text: string,
): Readonly<{ line: number; column: number; expected: string }> | null => {
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = endOf(SPACE, text, 0);
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    const next: Expected | null = found && step(expected, tokenOf(found), open);
    if (!next) return fault(text, at, expected);
    expected = next;
    at = endOf(SPACE, text, TOKEN.lastIndex);
  }
  return expected === 'the end' ? null : fault(text, at, expected);
};

const endOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from;
  pattern.exec(text);
  return pattern.lastIndex;
};

const tokenOf = ([, mark, string]: RegExpExecArray): string =>
  mark ?? (string === undefined ? 'plain' : 'string');

/** What is expected after `token`; null where it may not occur. */
const step = (expected: Expected, token: string, open: string[]): Expected | null => {
  switch (token) {
    case '{':
    case '[':
      if (!expected.startsWith('value')) return null;
      open.push(token);
      return token === '{' ? 'name or }' : 'value or ]';
    case '}':
    case ']':
      if (!expected.endsWith(token)) return null;
      open.pop();
      return afterValue(open);
    case ':':
      return expected === ':' ? 'value' : null;
    case ',':
      if (expected === ', or }') return 'name';
      return expected === ', or ]' ? 'value' : null;
    case 'string':
      if (expected.startsWith('name')) return ':';
      return expected.startsWith('value') ? afterValue(open) : null;
    default:
      return expected.startsWith('value') ? afterValue(open) : null;
  }
};

const afterValue = (open: readonly string[]): Expected => {
  const container = open.at(-1);
  if (container === undefined) return 'the end';
  return container === '{' ? ', or }' : ', or ]';
};

const fault = (text: string, at: number, expected: Expected) => {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, expected };
};
