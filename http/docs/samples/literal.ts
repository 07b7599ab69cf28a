/** How a language writes what JSON has: names of members, and the words for true, false and null. */
type Style = Readonly<{
  indent: string;
  name(text: string): string;
  words: Readonly<Record<string, string>>;
}>;

const quoted = (text: string): string => (/['\\\p{Cc}]/u.test(text) ? JSON.stringify(text) : `'${text}'`);

/** Values as TypeScript. */
export const asTypeScript: Style = {
  indent: '  ',
  name: (text) => (/^[A-Za-z_$][\w$]*$/.test(text) ? text : quoted(text)),
  words: {},
};

/** Values as Python. */
export const asPython: Style = {
  indent: '    ',
  name: quoted,
  words: { true: 'True', false: 'False', null: 'None' },
};

/** A line that is longer is broken. */
const WIDTH = 72;

/** A JSON value as a literal of a language, whose first line stands at `depth` levels of indentation. */
export const literal = (value: unknown, style: Style, depth: number): string => {
  if (typeof value === 'string') return quoted(value);
  if (!(value instanceof Object)) return style.words[String(value)] ?? String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const items = Object.entries(value).map(
    ([name, one]) => `${isList ? '' : `${style.name(name)}: `}${literal(one, style, depth + 1)}`,
  );
  if (items.length === 0) return `${open}${close}`;
  const space = !isList && style === asTypeScript ? ' ' : '';
  const line = `${open}${space}${items.join(', ')}${space}${close}`;
  if (line.length + depth * style.indent.length <= WIDTH && !line.includes('\n')) return line;
  const inner = style.indent.repeat(depth + 1);
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${style.indent.repeat(depth)}${close}`;
};
