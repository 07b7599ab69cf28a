import { type Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';

export type { Argument, Command };
export { CommanderError, InvalidArgumentError, Option };

/** The command line was wrong: nothing was tried. `command` is the one whose help says more. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
  readonly command: string;

  constructor(message: string, command: string) {
    super(message);
    this.command = command;
  }
}

/** The command ran and printed its answer, which is negative: the exit code is 1. */
export class AnsweredNo extends Error {
  override readonly name = 'AnsweredNo';
}

/** What a command was called with, beside its own options. */
export type Common = Readonly<{ json?: boolean }>;

/**
 * The program without its commands. It throws instead of ending the process: `WrongUsage`, or a
 * `CommanderError` after a requested help text. `about` is printed below its help; `quiet` keeps the
 * help text of a missing command to itself.
 */
export const createProgram = (
  { version, description, about }: Readonly<Record<'version' | 'description' | 'about', string>>,
  quiet: boolean,
): Command => {
  const program = new Command('intake')
    .description(description)
    .version(version, '-V, --version', 'show the version')
    // What follows a command's name is that command's, also where the one above it knows an option of
    // that name.
    .enablePositionalOptions()
    // Their arguments are in their own help: here they would take the room of the descriptions.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', about);
  // cli/failure.ts reports faults, in text or in JSON.
  program.configureOutput({ outputError: () => undefined });
  if (quiet) program.configureOutput({ writeErr: () => undefined });
  return refusing(program);
};

/** A group of commands, such as `intake company …`. */
export const group = (parent: Command, name: string, description: string): Command =>
  refusing(parent.command(name).description(description));

/** A command with `--json` and examples in its help. */
export const leaf = (
  parent: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command =>
  refusing(
    parent
      .command(name)
      .description(description)
      .enablePositionalOptions()
      .option('--json', 'answer with JSON on standard output, and nothing else there')
      .addHelpText('after', ['', 'Examples:', ...examples.map((example) => `  $ ${example}`)].join('\n')),
  );

const refusing = (command: Command): Command =>
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw error;
    if (error.code === 'commander.help') throw new WrongUsage('a command is missing.', pathOf(command));
    throw new WrongUsage(error.message.replace(/^error: /, ''), pathOf(command));
  });

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
