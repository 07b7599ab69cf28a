import * as assert from 'uvu/assert';
import { type Client, receiptText } from './client.ts';
import { receiptDefinition } from './definition.ts';
import type { TestService } from './service.ts';

const all = { checks: ['duplicate_file', 'duplicate_data'], businessKey: ['company', 'date', 'total'] };
const file = { checks: ['duplicate_file'] };
const near = { checks: ['near_duplicate_image'] };
const data = { ...all, checks: ['duplicate_data'] };

/** What the receipt's workflow is to process like, by the slug that it gets. */
const processings = {
  both: { fraud: all },
  file: { fraud: file },
  data: { fraud: data },
  same: { fraud: { ...data, businessKey: ['total', 'company', 'date'] } },
  near: { fraud: near },
  'near-allowed': { fraud: { ...near, policy: { near_duplicate_image: 'allow' } } },
  'near-blocked': { fraud: { ...near, policy: { near_duplicate_image: 'block' } } },
  'near-and-file': { fraud: { checks: ['near_duplicate_image', 'duplicate_file'] } },
  strict: { fraud: { ...data, flagAt: 0.1, blockAt: 0.8 } },
  lax: { fraud: { ...file, requireResolution: false } },
  always: { fraud: file, review: 'always' },
  json: { fraud: file, extractor: 'json' },
} as const;
type Slug = keyof typeof processings;

/** A company that may use these workflows: each is the receipt's with other fraud checks. */
export const fraudCompany = async (service: TestService, slugs: readonly Slug[]) => {
  const definitions = slugs.map((slug) => {
    const processing = { ...receiptDefinition.processing, ...processings[slug] };
    return { ...receiptDefinition, slug, processing };
  });
  const [first, ...rest] = definitions;
  if (!first) throw new Error('name a workflow');
  const company = await service.company(first);
  await Promise.all(
    rest.map(async (definition) => {
      await service.publish(definition);
      await service.intake('workflow', 'assign', definition.slug, '--company', company.id);
    }),
  );
  return company;
};

/**
 * A receipt that no other test has: of the same bytes each time, in other bytes with the same data, or
 * changed.
 */
export const newReceipt = () => {
  shops += 1;
  const company = `Shop ${shops}`;
  let spaces = 0;
  return {
    company,
    copy: (members: object = {}) => receiptText({ company, ...members }),
    rewritten: (members: object = {}) => {
      const { content, mimeType } = receiptText({ company, ...members });
      spaces += 1;
      return { content: content + ' '.repeat(spaces), mimeType };
    },
  };
};
let shops = 0;

/** A submission's detail. */
export const detailOf = async (api: Client, id: string) => {
  const { status, body } = await api.get(`/api/v1/submissions/${id}`);
  assert.is(status, 200);
  return body;
};

/** Processes files by the workflow and gives the submission's detail. */
export const sent = async (
  api: Client,
  slug: Slug,
  files: Parameters<Client['process']>[0],
  input: object = {},
) => detailOf(api, (await api.process(files, input, slug)).submissionId);
