/**
 * What a command of several (`npm run bench`, `npm run trial`) does: a line for the help, and its body;
 * `run` gives false when a goal was missed.
 */
export type Named = Readonly<{ summary: string; run(options: readonly string[]): Promise<boolean> }>;

/** Prints a line on standard output. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** A wrong command line, or a missing prerequisite; the message names the remedy. */
export class Misuse extends Error {}

type Modules = Readonly<Record<string, () => Promise<Named>>>;

const help = async (command: string, modules: Modules): Promise<string> => {
  const lines = await Promise.all(
    Object.entries(modules).map(async ([name, load]) => `  ${name.padEnd(16)}${(await load()).summary}`),
  );
  return `Usage: npm run ${command} -- NAME [options]\n\n${lines.join('\n')}\n`;
};

const outcome = async (named: Named, options: readonly string[]): Promise<number> => {
  try {
    return (await named.run(options)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
};

/**
 * Runs the module that the command line names with the options after its name. Sets the exit code: 1 when a
 * goal was missed, 2 for a wrong command line.
 */
export const runNamed = async (command: string, modules: Modules): Promise<void> => {
  const [name = '--help', ...options] = process.argv.slice(2);
  const load = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (load) process.exitCode = await outcome(await load(), options);
  else if (name === '--help') process.stdout.write(await help(command, modules));
  else {
    process.stderr.write(`There is no ${command} "${name}".\n\n${await help(command, modules)}`);
    process.exitCode = 2;
  }
};
