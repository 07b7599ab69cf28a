import { type Bench, Misuse } from './measure.ts';

// `npm run bench -- NAME [options]`. Exits 1 when a goal was missed.
const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  append: () => import('./append.ts'),
  rebuild: () => import('./rebuild.ts'),
  events: () => import('./events.ts'),
  documents: () => import('./documents.ts'),
  fraud: () => import('./fraud.ts'),
  extraction: () => import('./extraction.ts'),
  responsiveness: () => import('./responsiveness.ts'),
};

const help = async (): Promise<string> => {
  const lines = await Promise.all(
    Object.entries(benches).map(async ([name, load]) => `  ${name.padEnd(16)}${(await load()).summary}`),
  );
  return `Usage: npm run bench -- NAME [options]\n\n${lines.join('\n')}\n`;
};

const [name = '--help', ...options] = process.argv.slice(2);
const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
const run = async (bench: Bench): Promise<number> => {
  try {
    return (await bench.run(options)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
};

if (load) process.exitCode = await run(await load());
else if (name === '--help') process.stdout.write(await help());
else {
  process.stderr.write(`There is no bench "${name}".\n\n${await help()}`);
  process.exitCode = 2;
}
