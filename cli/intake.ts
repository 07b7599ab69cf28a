#!/usr/bin/env node
import { CommandFailed } from './failure.ts';
import { runCommandLine, tellFailure } from './program.ts';

const words = process.argv.slice(2);

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`… | head`) is no failure.
  if (error.code === 'EPIPE') process.exit(0);
  const hint = 'What was asked for may be done all the same.';
  const detail = `The answer can’t be written to standard output: ${error.message}.`;
  process.exit(tellFailure(new CommandFailed('answer-not-written', detail, hint), words));
});

process.exitCode = await runCommandLine(words);
