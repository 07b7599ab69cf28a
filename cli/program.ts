import { version } from '../kernel/version.ts';
import { addServiceCommands } from './api/commands.ts';
import { addAuditCommand } from './audit.ts';
import { AnsweredNo, type Command, CommanderError, createProgram } from './commandLine.ts';
import { addCompanyCommands } from './company.ts';
import { addCompletionCommand } from './completion.ts';
import { CommandFailed, problemOf, textOf } from './failure.ts';
import { addInviteCommands } from './invite.ts';
import { addKeyCommands } from './key.ts';
import { addSealingKeyCommands } from './keys.ts';
import { addProjectionCommands } from './projections.ts';
import { addReaderCommands } from './reader.ts';
import { addRestoreCommands } from './restoreCheck.ts';
import { addRetentionCommands } from './retention.ts';
import type { Runtime } from './runtime.ts';
import { addServeCommand } from './serve.ts';
import { addSubmissionCommands } from './submissions.ts';
import { addUserCommands } from './user.ts';
import { addWebhookCommands } from './webhooks.ts';
import { addWorkflowCommands } from './workflow.ts';

const ABOUT = `
Examples:
  $ intake serve
  $ intake company create --name "Acme Ltd"
  $ intake login http://127.0.0.1:3000
  $ intake submit receipt receipt.jpg --wait

Commands over HTTP use INTAKE_URL and INTAKE_KEY, or what intake login stored.
Those for operators read settings from the environment (DATA_DIR, PORT, ...) and
work beside a running server or without one.

Exit codes: 0 done, 1 failed, 2 the command line or the settings are wrong.
With --json a failure leaves standard output empty, and is one line of JSON on
standard error:
{ "code", "detail", "hint", "exitCode", "errors": [{ "pointer", "detail" }] }`;

/**
 * Runs a command line, the words after `intake`, and gives its exit code once it has ended. Answers go to
 * standard output, faults to standard error.
 */
export const runCommandLine = async (runtime: Runtime, words: readonly string[]): Promise<number> => {
  try {
    await programOf(runtime, isJson(words)).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof AnsweredNo) return 1;
    return error instanceof CommanderError ? 0 : reportFailure(error, words);
  }
};

/**
 * A process that has answered, and does not end by itself within this time, waits for a server that hangs.
 */
const LINGER_MS = 500;

/**
 * Runs the command line of this process: sets its exit code, and ends it when standard output can't be
 * written to, or when it has answered.
 */
export const run = async (runtime: Runtime): Promise<void> => {
  const words = process.argv.slice(2);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe (`… | head`) is no failure.
    if (error.code === 'EPIPE') process.exit(0);
    const hint = 'The command itself may have succeeded.';
    const detail = `The answer can’t be written to standard output: ${error.message}.`;
    process.exit(reportFailure(new CommandFailed('answer-not-written', detail, hint), words));
  });
  process.exitCode = await runCommandLine(runtime, words);
  process.stdout.write('', () => {
    process.stderr.write('', () => void setTimeout(() => process.exit(), LINGER_MS).unref());
  });
};

/** Says on standard error why a command line failed, and gives its exit code. */
const reportFailure = (error: unknown, words: readonly string[]): number => {
  const problem = problemOf(error);
  process.stderr.write(isJson(words) ? `${JSON.stringify(problem)}\n` : textOf(problem));
  return problem.exitCode;
};

const isJson = (words: readonly string[]): boolean => words.includes('--json');

const programOf = (runtime: Runtime, json: boolean): Command => {
  const description =
    'takes submissions of documents, processes them, and reports the outcome by signed webhooks';
  const program = createProgram({ version, description, about: ABOUT }, json);
  program.commandsGroup('Over HTTP, with a key (intake login):');
  const submissions = addServiceCommands(program);
  program.commandsGroup('On the data folder or engines, for operators:');
  addServeCommand(program, runtime);
  addCompanyCommands(program, runtime);
  addWorkflowCommands(program, runtime);
  addKeyCommands(program, runtime);
  addInviteCommands(program, runtime);
  addUserCommands(program, runtime);
  addAuditCommand(program, runtime);
  addSubmissionCommands(submissions, runtime);
  addSealingKeyCommands(program, runtime);
  addRestoreCommands(program, runtime);
  addRetentionCommands(program, runtime);
  addProjectionCommands(program, runtime);
  addWebhookCommands(program, runtime);
  addReaderCommands(program, runtime);
  program.commandsGroup('Other:');
  addCompletionCommand(program);
  return program.helpCommand(true);
};
