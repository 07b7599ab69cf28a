import { readdirSync } from 'node:fs';
import type { Bench } from './measure.ts';

// `npm run bench -- NAME [options]`: runs bench/NAME.ts, which exports `run` and, for the help, `summary`. Exits 1 when a goal was missed.
const notBenches = new Set(['run.js', 'measure.js']);
const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.js') && !notBenches.has(file))
  .map((file) => file.slice(0, -'.js'.length))
  .sort();
const load = (name: string): Promise<Bench> => import(`./${name}.js`);

const help = async (): Promise<string> => {
  const lines = await Promise.all(
    names.map(async (name) => `  ${name.padEnd(12)}${(await load(name)).summary ?? ''}`),
  );
  return `Usage: npm run bench -- NAME [options]\n\n${lines.join('\n')}\n`;
};

const [name, ...options] = process.argv.slice(2);
if (name === undefined || name === '--help') process.stdout.write(await help());
else if (names.includes(name)) process.exitCode = (await (await load(name)).run(options)) === false ? 1 : 0;
else {
  process.stderr.write(`There is no bench "${name}".\n\n${await help()}`);
  process.exitCode = 2;
}
