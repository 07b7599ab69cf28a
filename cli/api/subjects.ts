import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_SUBJECT_SUBMISSIONS } from '../../domain/subjectRedaction.ts';
import { type Sink, zipSink } from '../../evidence/package/sink.ts';
import { counted } from '../../kernel/counted.ts';
import { pick } from '../../kernel/pick.ts';
import type { SubjectRedaction } from '../../schemas/subjectRedaction.ts';
import { createBar, createCounter } from '../bar.ts';
import { AnsweredNo, type Command, group, WrongUsage } from '../commandLine.ts';
import { CommandFailed } from '../failure.ts';
import { filtersOf, withFilters } from '../listFilters.ts';
import { given, onService, overHttp, type Service } from '../overHttp.ts';
import { type GivenBasis, withBasis } from '../redactionBasis.ts';
import { filters, redactionOf } from './submissions.ts';

/** `intake subjects …`: all submissions of a person, as the client names the person in them. */
export const addSubjectCommands = (program: Command): void => {
  const subjects = group(program, 'subjects', 'what belongs to a person: export it, or redact it');
  of(subjects, 'export', 'save all that is known of a person, for a request of access', [
    'intake subjects export --metadata customer=4711 --out customer-4711.zip',
  ])
    .requiredOption('--out <file>', 'the zip file to make')
    .action(onService(exportAll));
  const redaction = of(
    subjects,
    'redact',
    'remove what is private of all submissions of a person, for ever',
    ['intake subjects redact --metadata customer=4711 --reason "article 17" --legal-basis erasure_request'],
  );
  withBasis(redaction).action(onService(redactAll));
};

/** Whose submissions: both narrow. */
const subject = pick(filters, 'metadata', 'clientSubmissionId');

const of = (...command: Parameters<typeof overHttp>): Command => withFilters(overHttp(...command), subject);

type Subject = Readonly<{ metadata?: string; clientId?: string }>;

const namedBy = (options: Subject, name: string) => {
  const named = filtersOf(subject, options);
  if (named.metadata === undefined && named.clientSubmissionId === undefined)
    throw new WrongUsage('say whose: --metadata or --client-id.', `intake subjects ${name}`);
  return named;
};

/** The identifiers of the submissions of a person, newest first. */
const submissionsOf = async (
  { intake }: Service,
  options: Subject,
  name: string,
): Promise<readonly string[]> => {
  const query = { ...namedBy(options, name), limit: 100 };
  const ids: string[] = [];
  for await (const { id } of intake.list('/api/v1/submissions', { query })) ids.push(id);
  return ids;
};

/** Does the work for each, with a bar where people look. */
const forEach = async (
  { output }: Service,
  ids: readonly string[],
  work: (id: string) => Promise<void>,
): Promise<void> => {
  const isShown = !output.json && process.stderr.isTTY;
  const bar = isShown ? createBar('{bar} {value} of {total} submissions', process.stderr) : null;
  try {
    for (const [index, id] of ids.entries()) {
      bar?.show(ids.length, index, {});
      await work(id);
    }
  } finally {
    bar?.stop();
  }
};

const POLL_MS = 500;

/** Requests the redaction of all, and waits for its end: it goes on by itself where this command is ended. */
const redactAll = async (service: Service, options: Subject & GivenBasis): Promise<void> => {
  const { intake, output } = service;
  const { metadata, clientSubmissionId } = namedBy(options, 'redact');
  const body = { ...given({ metadata, clientSubmissionId }), ...redactionOf(options) };
  let job = await intake.post('/api/v1/redactions', { body });
  const path = { redactionId: job.redactionId };
  const counter = createCounter(output, 'submissions without anything private');
  try {
    for (;;) {
      counter.show(job.done, job.total - job.held.length - job.failed.length);
      if (job.status === 'done') break;
      await sleep(POLL_MS);
      job = await intake.get('/api/v1/redactions/{redactionId}', { path });
    }
  } finally {
    counter.stop();
  }
  await output.answer(job, () => redacted(job));
  if (job.held.length + job.failed.length > 0) throw new AnsweredNo('some are kept');
};

const redacted = ({ done, total, held, failed }: SubjectRedaction): string =>
  [
    `${counted(done, 'submission')} redacted.`,
    ...held.map((id) => `${id} is kept: it is under a legal hold.`),
    ...failed.map((id) => `${id} could not be redacted: run the command again.`),
    ...(total < MAX_SUBJECT_SUBMISSIONS ? [] : ['There may be more: run the command again.']),
  ].join('\n');

/** Saves a folder for each submission: what the service answers of it, its events, and its files. */
const exportAll = async (service: Service, options: Subject & Readonly<{ out: string }>): Promise<void> => {
  const { output } = service;
  const ids = await submissionsOf(service, options, 'export');
  if (ids.length === 0)
    throw new CommandFailed('not-found', 'Nothing is known: there is no such submission.');
  const sink = zipSink(options.out);
  try {
    await forEach(service, ids, (id) => exportOne(service, id, sink));
    await sink.finish();
  } catch (error) {
    await sink.discard();
    throw error;
  }
  await output.answer(
    { path: options.out, submissions: ids },
    () => `${options.out} holds ${counted(ids.length, 'submission')}.`,
  );
};

const exportOne = async ({ intake }: Service, submissionId: string, sink: Sink): Promise<void> => {
  const path = { submissionId };
  const add = (name: string, document: object) =>
    sink.add(`${submissionId}/${name}`, Readable.from([JSON.stringify(document, null, 2)]), true);
  const detail = await intake.get('/api/v1/submissions/{submissionId}', { path });
  await add('submission.json', detail);
  const events: object[] = [];
  for await (const event of intake.list('/api/v1/submissions/{submissionId}/events', { path }))
    events.push(event);
  await add('events.json', events);
  for (const { id, downloadUrl } of detail.files) {
    if (downloadUrl === null) continue;
    const answer = await fetch(downloadUrl);
    if (!answer.ok || !answer.body)
      throw new CommandFailed(
        'unavailable',
        `The file ${id} of ${submissionId} was answered ${answer.status}.`,
      );
    await sink.add(`${submissionId}/files/${id}`, answer.body, false);
  }
};
