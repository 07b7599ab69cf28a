import { statSync } from 'node:fs';
import type { Job } from '../../client/index.ts';
import { seconds, session, slug } from '../arguments.ts';
import { AnsweredNo, type Command } from '../commandLine.ts';
import { CommandFailed } from '../failure.ts';
import { readJsonFile, readJsonText } from '../jsonFile.ts';
import { printable } from '../output.ts';
import { given, onService, overHttp, type Service } from '../overHttp.ts';
import { whileStoppable } from '../signals.ts';

/** They wait some ten seconds for a service that restarts; a wrong address must not take longer. */
const PATIENT = { maxRetries: 6 };

/** `intake submit` and `intake wait`. */
export const addSubmitCommands = (program: Command): void => {
  overHttp(program, 'submit', 'send files to a workflow: uploads them, and submits', [
    'intake submit receipt receipt.jpg',
    'intake submit receipt front.jpg back.jpg --client-id order-1 --wait',
    'intake submit receipt receipt.jpg --metadata \'{"order":1}\' --json | jq -r .sessionId',
  ])
    .argument('<workflow>', 'its slug', slug)
    .argument('<files...>', 'the files, in the order that the workflow names')
    .option('--webhook-url <url>', 'where the outcome is reported to')
    .option('--client-id <id>', 'your own identifier, the clientSubmissionId')
    .option('--metadata <json>', 'an object that is echoed; @FILE reads it from a file')
    .option('--batch <ref>', 'the batch that it belongs to')
    .option('--wait', 'wait until it is processed, as `intake wait` does')
    .option('--timeout <seconds>', 'how long to wait for that', seconds, TIMEOUT_S)
    .action(onService(submit, PATIENT));
  overHttp(program, 'wait', 'wait until a submission is processed', [
    'intake wait ses_01hv6x3m8q2r5t7w9y0a1b2c3d',
    'intake wait ses_01hv6x3m8q2r5t7w9y0a1b2c3d --timeout 60 --json | jq .result',
  ])
    .argument('<session>', 'the session, or its submission', session)
    .option('--timeout <seconds>', 'how long to wait', seconds, TIMEOUT_S)
    .action(onService(wait, PATIENT));
};

const TIMEOUT_S = 600;

type SubmitOptions = Readonly<{
  webhookUrl?: string;
  clientId?: string;
  metadata?: string;
  batch?: string;
  wait?: true;
  timeout: number;
}>;

const submit = async (
  service: Service,
  workflow: string,
  files: readonly string[],
  options: SubmitOptions,
): Promise<void> => {
  const { intake, output } = service;
  const { webhookUrl, clientId: clientSubmissionId, batch: batchRef } = options;
  for (const file of files) requireFile(file);
  const metadata = options.metadata === undefined ? undefined : await objectIn(options.metadata);
  const session = given({ webhookUrl, clientSubmissionId, batchRef, metadata });
  const { createUploadBar } = await import('./uploadBar.ts');
  const bar = createUploadBar(output);
  const job = await whileStoppable((signal) =>
    intake
      .submit(workflow, files, {
        ...session,
        ...{ signal, onProgress: bar.show },
      })
      .catch((error) => {
        throw signal.aborted
          ? new CommandFailed(
              'cancelled',
              'Cancelled. Unless it was submitted just then, its session expires by itself.',
            )
          : error;
      })
      .finally(bar.stop),
  );
  if (options.wait) {
    output.notice(`Submitted as ${job.submissionId}.`);
    return wait(service, job.sessionId, options);
  }
  await output.answer(job, () => `Submitted as ${job.submissionId}.\nNext: intake wait ${job.sessionId}`);
};

const requireFile = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new CommandFailed('no-file', `There is no file ${path}.`);
  if (found.isDirectory()) throw new CommandFailed('no-file', `${path} is a folder, not a file.`);
};

const objectIn = async (given: string): Promise<Readonly<Record<string, unknown>>> => {
  const value = given.startsWith('@')
    ? await readJsonFile(given.slice(1))
    : readJsonText('--metadata', given);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new CommandFailed('no-object', '--metadata is no JSON object.');
};

const wait = async (
  { intake, output }: Service,
  sessionId: string,
  { timeout }: Readonly<{ timeout: number }>,
): Promise<void> => {
  const job = await whileStoppable((signal) =>
    intake.wait(sessionId, { timeoutMs: timeout * 1_000, signal }).catch((error) => {
      const detail = `Stopped waiting for ${sessionId}, which is processed all the same.`;
      throw signal.aborted ? new CommandFailed('cancelled', detail) : error;
    }),
  );
  await output.answer(job, () => jobText(job));
  if (UNSUCCESSFUL.includes(job.submissionStatus) || job.state === 'expired') throw new AnsweredNo(job.state);
};

const UNSUCCESSFUL: readonly Job['submissionStatus'][] = ['failed', 'capture_quality_blocked', 'cancelled'];

const WORDS: Readonly<Record<string, string>> = {
  review: 'in review',
  capture_quality_blocked: 'blocked: its pictures are not good enough to be read',
};

const jobText = ({ submissionId, submissionStatus, state, failedReason }: Job): string =>
  [
    `${submissionId} is ${state === 'expired' ? state : (WORDS[submissionStatus] ?? submissionStatus)}.`,
    ...(failedReason === null ? [] : [printable(failedReason)]),
    ...(submissionStatus === 'review' ? [`Next: intake submissions show ${submissionId}`] : []),
  ].join('\n');
