import type { Fault } from '../../kernel/fault.ts';
import { said } from './findings.ts';
import type { Said } from './sentences.ts';

/** No text of a package is nested deeper; a deeper one could exhaust the stack of JSON.stringify. */
const MAX_DEPTH = 500;

type Check = (value: unknown) => readonly Fault[];
type Parsed<T> = Readonly<{ value: T }> | Readonly<{ fault: Said }>;

/** The value of a JSON text that passes `check`, or its fault. */
export const parsed = <T>(text: string, check: Check = () => []): Parsed<T> => {
  if (isTooDeep(text)) return { fault: said('tooDeep') };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which may be anything.
    return { fault: said('notJson') };
  }
  const [first] = check(value);
  if (!first) return { value: value as T };
  const { pointer: path, detail: why } = first;
  return { fault: path === '' ? said('wrongWhole', { why }) : said('wrongMember', { path, why }) };
};

const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === 0x22) quoted = !quoted;
    else if (quoted && character === 0x5c) index += 1;
    else if (!quoted && (character === 0x5b || character === 0x7b)) depth += 1;
    else if (!quoted && (character === 0x5d || character === 0x7d)) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
};
