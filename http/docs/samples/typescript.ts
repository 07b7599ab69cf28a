import { fileOf, type SampleCall } from './call.ts';
import { asTypeScript, literal } from './literal.ts';

/** The client that samples import. */
const PACKAGE = 'intake-client';

/** A call by TypeScript, with the package `intake-client`. */
export const typescript = (call: SampleCall, base: string): string => {
  const { method, template, path, query, body, credential, media } = call;
  const file = fileOf(call);
  const options = Object.entries({ path, query, body }).filter(
    ([, value]) => value !== undefined && Object.keys(value as object).length > 0,
  );
  const given = options.length > 0 ? `, ${literal(Object.fromEntries(options), asTypeScript, 0)}` : '';
  const called = `'${template}'${given}`;
  return `${file ? "import { writeFile } from 'node:fs/promises';\n" : ''}import { createClient } from '${PACKAGE}';

const intake = createClient({ url: '${base}'${credential ? `, key: process.env.${credential} ?? ''` : ''} });
${loop(call, called) ?? `${media === null ? '' : 'const answer = '}await intake.${method}(${called});\n${shown(media, file)}`}`;
};

/** What goes over all pages of a list; over the feed, which has no end, also what comes later. */
const loop = ({ template, isList }: SampleCall, called: string): string | null => {
  if (template === FEED) return 'for await (const { event } of intake.events()) console.log(event);\n';
  return isList ? `for await (const one of intake.list(${called})) console.log(one);\n` : null;
};

const FEED = '/api/v1/events';

const shown = (media: string | null, file: string | null): string => {
  if (media === null) return '';
  if (file) return `await writeFile('${file}', Buffer.from(await answer.arrayBuffer()));\n`;
  return media.endsWith('json') ? 'console.log(answer);\n' : 'console.log(await answer.text());\n';
};
