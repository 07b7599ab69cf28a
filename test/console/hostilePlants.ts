import * as assert from 'uvu/assert';
import type { ReceiverOptions } from '../../scripts/receiver.ts';
import { eventually } from '../harness.ts';
import { client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { PASSWORD } from '../support/people.ts';
import type { World } from './world.ts';

/**
 * Markup that runs, or becomes an element `x-planted`, wherever it is taken for markup; `name` says where it
 * came in.
 */
export const hostile = (name: string): string =>
  `${name}"'><x-planted></x-planted><img src=x onerror=ran()><script>ran()</script>javascript:ran()`;

export const plantSettings = { EXTRACTOR_SECRET: 'the secret of the extractor' };

const RECEIPT = { company: hostile('value'), date: '2018-03-12', total: 80.9 };

/**
 * Servers of others: extractors that find markup and that refuse with it, and a receiver whose error is
 * markup.
 */
export const plantReceiver: ReceiverOptions = {
  answer: ({ path }) => {
    if (path === '/finds') return { body: JSON.stringify({ fields: RECEIPT, summary: hostile('summary') }) };
    if (path === '/refuses')
      return { body: JSON.stringify({ status: 'failed', reason: hostile('failure') }) };
    return { status: 500, headers: { 'content-type': 'text/html' }, body: hostile('receiver') };
  },
};

const HTML = `<!doctype html><title>x</title>${hostile('page')}`;
const SVG = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="ran()"><script>ran()</script></svg>`;

/** A workflow each of whose texts is markup. */
const definitionOf = (slug: string, processing: object) => ({
  ...receiptDefinition,
  slug,
  name: hostile(`workflow ${slug}`),
  description: hostile('description'),
  icon: '"><x-planted>',
  upload: {
    ...receiptDefinition.upload,
    // The extractor of the service takes neither HTML nor SVG; one elsewhere may.
    acceptedFormats: [
      'application/json',
      ...('extractor' in processing ? ['text/html', 'image/svg+xml'] : []),
    ],
    fileLabels: [hostile('label')],
  },
  outputSchema: receiptDefinition.outputSchema.map((field) => ({
    ...field,
    label: hostile(`field ${field.name}`),
    description: hostile('meaning'),
  })),
  processing: { review: 'always', ...processing },
});

const extractor = (world: World, path: string) => ({
  extractor: { http: { url: `${world.service.receiver.url}${path}`, secretEnv: 'EXTRACTOR_SECRET' } },
});

/** A company, with a key and people, whose names are markup, as are the texts of its workflows. */
const plantCompany = async (world: World) => {
  const { service, people } = world;
  const chief = await people.user();
  const { body } = await chief.api.post('/api/v1/companies', { name: hostile('company') });
  const id = body.id as string;
  const fraud = { checks: ['duplicate_file', 'duplicate_data'], businessKey: ['company', 'date', 'total'] };
  const workflows = {
    plain: { fraud, fourEyes: ['rejected'] },
    finds: extractor(world, '/finds'),
    refuses: extractor(world, '/refuses'),
  };
  for (const [slug, processing] of Object.entries(workflows)) {
    await service.publish(definitionOf(slug, processing));
    await service.intake('workflow', 'assign', slug, '--company', id);
  }
  const { key } = await service.key(id);
  await client(service.url, key).post('/api/v1/webhook-endpoints', {
    url: 'https://receiver.example/hook',
    description: hostile('endpoint'),
  });
  const draft = definitionOf('plain', { review: 'auto' });
  const evaluation = await client(service.url, key).post('/api/v1/evaluations', { definition: draft });
  assert.is(evaluation.status, 202, evaluation.text);
  // Each request has markup as its identifier too.
  const headers = { 'x-request-id': hostile('request').slice(0, 128) };
  return { id, chief, api: client(service.url, { ...headers, authorization: `Bearer ${key}` }) };
};

/** A person whose name is markup. */
const plantPerson = async ({ people }: World, companyId: string, role: 'org_admin' | 'reviewer') => {
  const email = people.newEmail();
  const { token } = await people.invite(email, companyId, role);
  const completed = await people.complete(token, PASSWORD, { name: hostile(`person ${role}`) });
  assert.is(completed.status, 201, completed.text);
  return email;
};

type Company = Awaited<ReturnType<typeof plantCompany>>;

const plantSubmissions = async ({ service }: World, { api }: Company): Promise<readonly string[]> => {
  const input = (fileName: string, { mimeType, content }: ReturnType<typeof receiptText>) => ({
    clientSubmissionId: `javascript:ran()//${hostile('identifier')}`.slice(0, 128),
    batchRef: 'planted',
    metadata: { [hostile('member')]: hostile('metadata'), nested: [{ note: hostile('metadata') }] },
    webhookUrl: `${service.receiver.url}/hook?x=<x-planted>&y=javascript:ran()`,
    files: [{ fileName: hostile(fileName), mimeType, fileSize: Buffer.byteLength(String(content)) }],
  });
  const files = {
    json: receiptText(RECEIPT),
    html: { content: HTML, mimeType: 'text/html' },
    svg: { content: SVG, mimeType: 'image/svg+xml' },
  };
  const process = async (kind: keyof typeof files, slug: string): Promise<string> => {
    const { submissionId } = await api.process([files[kind]], input(`${kind}.${kind}`, files[kind]), slug);
    return submissionId;
  };
  const plain = [await process('json', 'plain'), await process('json', 'plain')];
  const read = await Promise.all((['html', 'svg'] as const).map((kind) => process(kind, 'finds')));
  return [...plain, ...read, await process('html', 'refuses')];
};

/** Decisions whose words are markup: of a key under a free name, and of a person; corrections too. */
const plantDecisions = async (
  { people, service }: World,
  { api }: Company,
  email: string,
  ids: readonly string[],
) => {
  const person = client(service.url, (await people.logIn(email)).body.token);
  const [first = '', second = '', third = '', fourth = ''] = ids;
  const at = (id: string, what: string): string => `/api/v1/submissions/${id}/${what}`;
  const matches = (await api.get(at(second, 'fraud-matches'))).body.data;
  const corrections = { company: hostile('correction') };
  const replies = [
    await person.post(at(first, 'reject'), { reason: hostile('first reason') }),
    await api.post(at(third, 'approve'), {
      ...{ actor: hostile('actor'), comment: hostile('comment'), corrections },
    }),
    await person.post(at(fourth, 'cancel'), { reason: hostile('cancel reason') }),
  ];
  // All of them: an open one is shown before those that are resolved.
  for (const { id } of matches) {
    const judged = {
      resolution: 'dismissed',
      resolvedBy: hostile('resolver'),
      comment: hostile('resolution'),
    };
    replies.push(await api.post(at(second, `fraud-matches/${id}/resolve`), judged));
  }
  assert.ok(matches.length > 0);
  for (const { status, text } of replies) assert.is(status, 200, text);
};

/**
 * A company all of whose texts are markup, wherever a client, a document, a server or a person brings one in.
 */
export const plantEverywhere = async (world: World) => {
  const company = await plantCompany(world);
  const { id, api, chief } = company;
  const [admin, reviewer] = [
    await plantPerson(world, id, 'org_admin'),
    await plantPerson(world, id, 'reviewer'),
  ];
  const ids = await plantSubmissions(world, company);
  await plantDecisions(world, company, reviewer, ids);
  const adminApi = client(world.service.url, (await world.people.logIn(admin)).body.token);
  const made = await adminApi.post('/api/v1/keys', { companyId: id, name: hostile('key') });
  assert.is(made.status, 201, made.text);
  await eventually('a delivery that failed', async () => {
    const { body } = await api.get('/api/v1/webhook-deliveries');
    return body.data?.length > 0;
  });
  return { ...company, chief: chief.email, admin, ids };
};
