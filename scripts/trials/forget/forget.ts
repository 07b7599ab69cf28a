import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { runIntake } from '../../../test/support/commandLine.ts';
import { scanOf } from '../../../test/support/receipts.ts';
import { lookIntoAnswers, lookIntoCommands, type Parameters } from './answers.ts';
import { REQUEST, redacted } from './killed.ts';
import { killWithin, notToldOnce } from './kills.ts';
import type { Finds } from './look.ts';
import { PLACES } from './places.ts';
import { createPlants, type Planted } from './planted.ts';
import { type Caller, plantControl, plantSubjects, SLUG, type Subject, until } from './subjects.ts';
import { type Admitted, foundBy, openWorld, SLOW, type World } from './world.ts';

/** What was found before a redaction, what is left at the moments after it, and what else is wrong. */
export type Outcome = Readonly<{
  before: Finds;
  left: readonly (readonly [string, Finds])[];
  faults: readonly string[];
}>;

/**
 * `whole`: a picture is sent too, and the command line is asked for everything after each step, which takes
 * minutes.
 */
type Load = Readonly<{ kills: number; whole: boolean }>;
type Say = (line: string) => void;

/**
 * Serves a folder, plants what nobody else has wherever a client or a reviewer can put it, and looks for it
 * in every byte of the folder and in every answer: before its redaction, after it, after a rebuild, after a
 * restart, after restores of a copy from before, and with kills in further redactions.
 */
export const forget = async (path: string, load: Load, say: Say): Promise<Outcome> => {
  const plants = createPlants();
  const deadHost = `${plants.text('unheard: host of webhookUrl')}.example`;
  const world = await openWorld(path, deadHost);
  try {
    await world.start(SLOW);
    const callers = await world.admit();
    const [key, administrator, , anybody] = callers;
    const { url } = world.receiver;
    await key.post('/api/v1/webhook-endpoints', { url: `${url}/endpoint` });
    const control = await plantControl(key, createPlants(), `${url}/control`);
    const addresses = { receiver: `${url}/hooks`, dead: `https://${deadHost}:${new URL(url).port}/` };
    const subjects = await plantSubjects(key, plants, addresses, load.whole ? await picture() : null);
    const look = await everywhere(world, callers, subjects, plants.all(), load);
    await until('all first attempts', () => attempted(key));
    const { finds: before, silent } = await look();
    say(`planted ${plants.all().length} values, found in ${before.size} places`);
    const harmless = await stateOf(key, control);
    const downloads = await downloadsOf(key, subjects);

    await world.stop();
    world.backUp();
    await world.start();
    for (const { submissionId } of subjects)
      await key.post(`/api/v1/submissions/${submissionId}/redact`, REQUEST);
    for (const subject of subjects) await redacted(key, subject);
    await world.forgotten(plants.all());
    const heard = subjects.filter((_, n) => n !== UNHEARD);
    // A log that is restored has forgotten that it told.
    const untold = await notToldOnce(world.receiver.requests, heard);
    const forgotten = async (): Promise<void> => {
      for (const subject of subjects) await redacted(key, subject);
      await world.forgotten(plants.all());
    };
    const { left, silent: still } = await lookAgain(
      world,
      { planted: plants.all(), look, forgotten },
      load,
      say,
    );
    const killed = await killWithin(
      world,
      { key, administrator, anybody, hooks: addresses.receiver },
      load.kills,
      say,
    );
    const faults = [
      // A certificate is there once something is redacted.
      ...silent.filter((path) => still.includes(path)).map((path) => `nobody was answered GET ${path}`),
      ...missing(before),
      ...untold,
      ...(await notToldOnce(world.receiver.requests, killed.subjects)),
      ...(await opened(downloads)),
      ...(isDeepStrictEqual(await stateOf(key, control), harmless) ? [] : ['the control has changed']),
    ];
    return { before, left: [...left, ['after kills', killed.left]], faults };
  } finally {
    await world.close();
  }
};

/** Places of the map that hold nothing, and places that the map lacks. */
const missing = (before: Finds): readonly string[] => [
  ...PLACES.filter((place) => !before.has(place)).map((place) => `${place} holds nothing`),
  ...[...before.keys()]
    .filter((place) => !PLACES.includes(place))
    .map((place) => `${place} is not on the map`),
];

/** The place of the one whose address nobody answers, in `plantSubjects`. */
const UNHEARD = 2;

/** `forgotten`: waits until the redactions of all are done, and what they leave for a while is gone. */
type Again = Readonly<{
  planted: readonly Planted[];
  look(): Promise<Look>;
  forgotten(): Promise<void>;
}>;

const lookAgain = async (world: World, { planted, look, forgotten }: Again, { whole }: Load, say: Say) => {
  const left: (readonly [string, Finds])[] = [];
  const note = async (when: string): Promise<readonly string[]> => {
    const { finds, silent } = await look();
    left.push([when, finds]);
    say(`${when}: found in ${finds.size} places`);
    return silent;
  };
  const silent = await note('after the redaction');
  await succeed(world, 'projections', 'rebuild', '--all', '--json');
  if (whole) await note('after a rebuild');
  await world.stop();
  await world.start();
  await note('after a rebuild and a restart');
  await world.stop();
  world.restore();
  if (!foundBy(world.look, planted).size) throw new Error('the copy holds nothing: it proves nothing');
  await world.start();
  await forgotten();
  await note('after a restore of the copy from before');
  await world.stop();
  world.restore('objects');
  await succeed(world, 'restore-check');
  await world.start();
  await note('after a restore of the files alone');
  return { left, silent };
};

const succeed = async ({ settings }: World, ...words: readonly string[]): Promise<void> => {
  const { code, stderr } = await runIntake(settings, ...words);
  if (code !== 0) throw new Error(`intake ${words.join(' ')}: ${stderr}`);
};

/** A person's name and number as they are printed. */
const picture = (): Promise<Buffer> =>
  scanOf([['Company: Quillfeather'], ['Reference: 930 184 772'], ['TOTAL', '80.90']], 7);

/** `silent`: paths that nobody was answered. */
type Look = Readonly<{ finds: Finds; silent: readonly string[] }>;

/** Looks everywhere for what was planted, by all that names the submissions now. */
const everywhere = async (
  { settings, exports, look }: World,
  callers: Admitted,
  subjects: readonly Subject[],
  planted: readonly Planted[],
  { whole }: Load,
): Promise<() => Promise<Look>> => {
  const [key] = callers;
  const submission = `/api/v1/submissions/${subjects[0]?.submissionId}`;
  const { batchRef } = await key.get(submission);
  const nobody = { ...REQUEST, clientSubmissionId: 'nobody' };
  const { redactionId } = await key.post('/api/v1/redactions', nobody);
  const version = { workflow: { slug: SLUG, version: 1 } };
  const { evaluationId } = await key.post('/api/v1/evaluations', version);
  return async () => {
    const finds: Finds = new Map();
    const parameters = {
      ...(await namesOf(key, subjects)),
      batchRef: [batchRef],
      redactionId: [redactionId],
      evaluationId: [evaluationId],
    };
    const silent = await lookIntoAnswers(finds, callers, parameters, planted, exports);
    await lookIntoCommands(finds, settings, whole ? parameters : sampleOf(parameters), planted, exports);
    look(finds, planted);
    return { finds, silent };
  };
};

const SAMPLE = 3;

const sampleOf = ({ submissionId = [], deliveryId = [] }: Parameters): Parameters => ({
  submissionId: submissionId.slice(0, SAMPLE),
  deliveryId: deliveryId.slice(-SAMPLE * 2),
});

type Row = Readonly<{ id: string }>;

const namesOf = async (key: Caller, subjects: readonly Subject[]) => {
  const deliveries: Row[] = (await key.get('/api/v1/webhook-deliveries?limit=100')).data;
  const endpoints: Row[] = (await key.get('/api/v1/webhook-endpoints')).data;
  const [company]: Row[] = (await key.get('/api/v1/companies')).data;
  const files: string[] = [];
  for (const { submissionId } of subjects)
    for (const { id } of (await key.get(`/api/v1/submissions/${submissionId}`)).files)
      files.push(`${submissionId}/${id}`);
  return {
    slug: [SLUG],
    version: ['1'],
    submissionId: subjects.map(({ submissionId }) => submissionId),
    sessionId: subjects.map(({ sessionId }) => sessionId),
    deliveryId: deliveries.map(({ id }) => id),
    fileId: files,
    page: ['1'],
    endpointId: endpoints.map(({ id }) => id),
    companyId: company ? [company.id] : [],
  };
};

const attempted = async (key: Caller): Promise<boolean> => {
  const deliveries: Row[] = (await key.get('/api/v1/webhook-deliveries?limit=100')).data;
  for (const { id } of deliveries) {
    const { attempts } = await key.get(`/api/v1/webhook-deliveries/${id}`);
    if (attempts.length === 0) return false;
  }
  return deliveries.length > 0;
};

type File = Readonly<{ downloadUrl: string | null }>;

const downloadsOf = async (key: Caller, subjects: readonly Subject[]): Promise<readonly string[]> => {
  const urls: string[] = [];
  for (const { submissionId } of subjects) {
    const files: File[] = (await key.get(`/api/v1/submissions/${submissionId}`)).files;
    urls.push(...files.flatMap(({ downloadUrl }) => downloadUrl ?? []));
  }
  return urls;
};

/** Addresses that were given out before, and still give something. */
const opened = async (urls: readonly string[]): Promise<readonly string[]> => {
  const answers = await Promise.all(urls.map(async (url) => (await fetch(url)).status));
  return answers.filter((status) => status !== 404).map((status) => `a download is answered ${status}`);
};

/** All that is shown of a submission, with the hash of its file in place of the address. */
const stateOf = async (key: Caller, { submissionId, sessionId }: Subject) => {
  const { files, ...detail } = await key.get(`/api/v1/submissions/${submissionId}`);
  const hashes: string[] = [];
  for (const { downloadUrl } of files) {
    const bytes = Buffer.from(await (await fetch(downloadUrl)).arrayBuffer());
    hashes.push(createHash('sha256').update(bytes).digest('hex'));
  }
  return { detail, hashes, job: await key.get(`/api/v1/jobs/${sessionId}`) };
};
