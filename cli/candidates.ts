import type { Argument, Command, Option } from './commandLine.ts';
import { profileNames } from './profiles.ts';

/** A word that could come next, and what it does. */
export type Candidate = Readonly<{ word: string; about: string }>;

/**
 * What could stand in place of the last word of a command line, the words after `intake`: a command, an
 * option, or the value of an option or argument that takes one of a few.
 */
export const candidates = (program: Command, words: readonly string[]): readonly Candidate[] => {
  const current = words.at(-1) ?? '';
  const place = words.slice(0, -1).reduce(next, { command: program, awaited: null, taken: 0 });
  return possible(place, current).filter(({ word }) => word.startsWith(current));
};

/** Where a word stands: after which command, as the value of which option, or after how many arguments. */
type Place = Readonly<{ command: Command; awaited: Option | null; taken: number }>;

const next = ({ command, awaited, taken }: Place, word: string): Place => {
  if (awaited) return { command, awaited: null, taken };
  if (word.startsWith('-')) {
    const option = command.options.find(({ long, short }) => word === long || word === short);
    return { command, awaited: option?.required ? option : null, taken };
  }
  if (word === 'help' && command.commands.length > 0) return { command, awaited, taken };
  const inner = command.commands.find((one) => one.name() === word);
  return inner ? { command: inner, awaited: null, taken: 0 } : { command, awaited, taken: taken + 1 };
};

const possible = ({ command, awaited, taken }: Place, current: string): readonly Candidate[] => {
  if (awaited) return awaited.long === '--profile' ? profileNames().map(plain) : wordsOf(awaited);
  const help = command.createHelp();
  if (current.startsWith('-'))
    return help
      .visibleOptions(command)
      .map(({ long, description }) => ({ word: long ?? '', about: description }));
  const argument = command.registeredArguments[taken];
  return [
    ...(taken === 0 ? help.visibleCommands(command) : []).map((one) => ({
      word: one.name(),
      about: one.description(),
    })),
    ...(argument ? wordsOf(argument) : []),
  ];
};

const plain = (word: string): Candidate => ({ word, about: '' });

/** The words that the parser of an option or argument takes (`oneOf`); none where it takes any text. */
const wordsOf = ({ parseArg: parse }: Option | Argument): readonly Candidate[] =>
  parse && 'words' in parse ? (parse.words as readonly string[]).map(plain) : [];
