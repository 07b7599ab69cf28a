#!/usr/bin/env node
import { version } from '../runtime/version.ts';
import { addAuditCommand } from './audit.ts';
import { CommanderError, createProgram } from './commandLine.ts';
import { addCompanyCommands } from './company.ts';
import { problemOf, textOf } from './failure.ts';
import { addInviteCommands } from './invite.ts';
import { addKeyCommands } from './key.ts';
import { addServeCommand } from './serve.ts';
import { addSubmissionCommands } from './submissions.ts';
import { addUserCommands } from './user.ts';
import { addWebhookCommands } from './webhooks.ts';
import { addWorkflowCommands } from './workflow.ts';

const ABOUT = `
Examples:
  $ intake serve
  $ intake company create --name "Acme Ltd"
  $ intake workflow publish receipt.json

Settings come from the environment (PORT, DATA_DIR, …), see docs/settings.md.
Every command works on the data in DATA_DIR, beside a running server or without one.

Exit codes: 0 done, 1 failed, 2 the command line or the settings are wrong.
With --json a failure leaves standard output empty and is one JSON line on standard error:
{ "code", "detail", "hint", "exitCode", "errors": [{ "pointer", "detail" }] }`;

const json = process.argv.includes('--json');
const program = createProgram(
  {
    version,
    description: 'takes submissions of documents, processes them, and tells the outcome by signed webhooks',
    about: ABOUT,
  },
  json,
);
addServeCommand(program);
addCompanyCommands(program);
addWorkflowCommands(program);
addKeyCommands(program);
addInviteCommands(program);
addUserCommands(program);
addAuditCommand(program);
addSubmissionCommands(program);
addWebhookCommands(program);

// A reader that has seen enough (`… | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) {
    const problem = problemOf(error);
    process.stderr.write(json ? `${JSON.stringify(problem)}\n` : textOf(problem));
    process.exitCode = problem.exitCode;
  }
}
