import { Ajv2020 } from 'ajv/dist/2020.js';
import * as assert from 'uvu/assert';
import { aggregates } from '../../domain/aggregates.ts';
import type { EventDefinition } from '../../kernel/eventDefinition.ts';
import { compile } from '../../schemas/ajv.ts';
import { exampleOf } from '../../schemas/examples.ts';
import * as schemaModules from '../../schemas/modules.ts';
import { suite } from '../harness.ts';

const test = suite('schemas');
const { batch, fraud, identity, problem, review, session, submission, webhook, webhookEvent, workflow } =
  schemaModules;

type Objectish = Readonly<{
  type?: unknown;
  required?: readonly string[];
  properties?: Record<string, Objectish>;
  items?: Objectish;
}>;

const isSchema = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value || 'enum' in value);
const all = Object.entries(schemaModules).flatMap(([module, exports]) =>
  Object.entries(exports).flatMap(([name, value]) =>
    isSchema(value) ? [{ name: `${module}.${name}`, schema: value }] : [],
  ),
);

test('every schema is one, and compiles, strictly', () => {
  assert.ok(all.length > 40, `${all.length}`);
  const ofSchemas = new Ajv2020();
  const events = aggregates.flatMap((aggregate) => Object.entries<EventDefinition>(aggregate.events));
  const versions = events.flatMap(([name, { data, earlier = [] }]) =>
    [...earlier, { data }].map((version) => ({ name, schema: version.data })),
  );
  for (const { name, schema } of [...all, ...versions])
    assert.ok(ofSchemas.validateSchema(schema), `${name}: ${ofSchemas.errorsText()}`);
  for (const { name, schema } of all) assert.not.throws(() => compile(schema)(null), name);
});

/** The schemas in a schema, itself included, that have examples of their own. */
const illustrated = (node: unknown): readonly (object & { examples: readonly unknown[] })[] => {
  if (typeof node !== 'object' || node === null) return [];
  const { examples, ...parts } = node as Readonly<Record<string, unknown>>;
  const inner = Object.values(parts).flatMap(illustrated);
  return Array.isArray(examples) ? [{ ...node, examples }, ...inner] : inner;
};

test('every example that was written is a value of its schema, and so is what is composed of them', () => {
  const written = all.flatMap(({ name, schema }) =>
    illustrated(schema).flatMap((part) => part.examples.map((value) => ({ name, part, value }))),
  );
  assert.ok(written.length > 500, `${written.length}`);
  const wrong = written.filter(({ part, value }) => compile(part)(value).length > 0);
  assert.equal(wrong, []);
  const refused = all.filter(({ schema }) => compile(schema)(exampleOf(schema)).length > 0);
  assert.equal(
    refused.map(({ name }) => name),
    [],
  );
});

type Named = readonly [name: string, schema: object, members: string, rules: string];

/** What the contract names, member by member. */
const named: readonly Named[] = [
  [
    'SubmissionSummary',
    submission.SubmissionSummary,
    'id submissionStatus fraudStatus fraudScore workflow.slug workflow.name workflow.version extractedData confidence createdAt clientSubmissionId',
    'submissions-1',
  ],
  [
    'SubmissionDetail',
    submission.SubmissionDetail,
    'id submissionStatus fraudStatus fraudScore extractedData confidence fieldConfidences certainty aiSummary failedReason rejectReason cancelReason workflow.id workflow.slug workflow.name workflow.version files.id files.fileIndex files.label files.fileName files.mimeType files.fileSize files.downloadUrl fraudMatches.id fraudMatches.checkType fraudMatches.status fraudMatches.resolution fraudMatches.resolvedBy fraudMatches.score fraudMatches.similarity fraudMatches.resolvedAt events.type events.occurredAt events.details clientSubmissionId metadata createdAt reviewReasons corrections batchRef updatedAt sync',
    'submissions-2, submissions-8',
  ],
  [
    'Job',
    session.Job,
    'sessionId submissionId workflow.slug workflow.version companyId state submissionStatus result failedReason clientSubmissionId metadata processedAt webhookDeliveryStatus',
    'jobs-1',
  ],
  [
    'WorkflowContract',
    workflow.WorkflowContract,
    'workflow.id workflow.slug workflow.name workflow.description workflow.icon workflow.color version upload.minFiles upload.maxFiles upload.acceptedFormats upload.fileLabels upload.maxFileSizeMb outputSchema.name outputSchema.label outputSchema.required outputSchema.description outputSchema.type outputSchema.validation outputJsonSchema fourEyes',
    'workflows-5',
  ],
  [
    'WorkflowItem',
    workflow.WorkflowItem,
    'id slug name description icon color version publishedAt',
    'workflows-2',
  ],
  [
    'WorkflowSummary',
    workflow.WorkflowSummary,
    'id slug name description icon color version publishedAt upload.minFiles',
    'workflows-3',
  ],
  [
    'Batch',
    batch.Batch,
    'batchRef status counts.total counts.processed counts.review counts.failed counts.approved createdAt completedAt',
    'batches-2',
  ],
  ['Company', identity.Company, 'id name', 'companies-2'],
  ['Companies', identity.Companies, 'data.id pagination.hasMore pagination.nextCursor', 'companies-1'],
  ['WebhookTestResult', webhook.WebhookTestResult, 'success statusCode error checkedAt', 'webhook-tests-8'],
  ...Object.entries(webhookEvent.webhookEvents).map(
    ([name, schema]): Named => [
      name,
      schema,
      'eventId eventType occurredAt sessionId submissionId workflow state submissionStatus result clientSubmissionId metadata batchRef',
      'webhooks-5',
    ],
  ),
  [
    'SessionCreated',
    session.SessionCreated,
    'sessionId submissionId workflow.slug workflow.version state submissionStatus uploads.fileId uploads.fileIndex uploads.label uploads.method uploads.url uploads.headers uploads.expiresAt expiresAt clientSubmissionId metadata batchRef createdAt',
    'sessions-1',
  ],
  ['Decision', review.Decision, 'submissionId workflow.slug workflow.version submissionStatus', 'review-1'],
  [
    'FraudMatch',
    fraud.FraudMatch,
    'id checkType status resolution resolvedBy resolvedAt score similarity matchedSubmissionId details',
    'fraud-13',
  ],
  ['InvitationState', identity.InvitationState, 'valid reason', 'invitations-2'],
  ['UserCreated', identity.UserCreated, 'userId email role', 'invitations-5'],
  ['LoggedIn', identity.LoggedIn, 'token expiresAt', 'logins-1'],
  ['AgentAnswer', identity.AgentAnswer, 'draft notes', 'agent-4'],
  ['Problem', problem.Problem, 'type title status detail instance code requestId retryable', 'problems-8'],
];

const isRequired = (schema: Objectish, path: readonly string[]): boolean => {
  const [first, ...rest] = path;
  if (first === undefined) return true;
  const here = schema.items ?? schema;
  const inner = here.properties?.[first];
  return inner !== undefined && (here.required ?? []).includes(first) && isRequired(inner, rest);
};

for (const [name, schema, paths, rules] of named)
  test(`${name} always has every member that the contract names [${rules}, formats-3]`, () => {
    const missing = paths.split(' ').filter((path) => !isRequired(schema as Objectish, path.split('.')));
    assert.equal(missing, []);
  });

test('an unknown fact may be null', () => {
  const unknown = {
    failedReason: null,
    clientSubmissionId: null,
    metadata: null,
    processedAt: null,
    webhookDeliveryStatus: null,
    result: null,
  };
  const ulid = '01hv6x3m8q2r5t7w9y0a1b2c3d';
  const job = {
    sessionId: `ses_${ulid}`,
    submissionId: `sub_${ulid}`,
    workflow: { slug: 'receipt', version: 1 },
    companyId: `cmp_${ulid}`,
    state: 'pending',
    submissionStatus: 'created',
  };
  const faults = compile(session.Job);
  assert.equal(faults({ ...job, ...unknown }), []);
  assert.equal(faults({ ...job, ...unknown, more: 'additive members may appear' }), []);
  assert.equal(faults(job).length, Object.keys(unknown).length);
  assert.equal(
    faults({ ...job, ...unknown, state: 'weird' }).map(({ pointer }) => pointer),
    ['/state'],
  );
});

const text = (length: number): string => 'x'.repeat(length);
const file = { mimeType: 'image/png', fileSize: 1 };

/** A body, and where it is refused: nothing when it is fine. */
const bodies: readonly (readonly [object, unknown, readonly string[]])[] = [
  [session.SessionRequest, {}, []],
  [
    session.SessionRequest,
    {
      webhookUrl: 'https://a.example/x',
      clientSubmissionId: text(128),
      metadata: { any: [1] },
      batchRef: 'A.b_c-1',
      version: 1,
      files: [{ ...file, label: 'front', fileName: 'a b.png', sha256: '0a'.repeat(32) }],
    },
    [],
  ],
  [session.SessionRequest, { metadata: null }, []],
  [session.SessionRequest, { metadata: [] }, ['/metadata']],
  [session.SessionRequest, { metadata: 'x' }, ['/metadata']],
  [session.SessionRequest, { clientSubmissionId: '', batchRef: '', version: null }, []],
  [session.SessionRequest, { clientSubmissionId: text(129) }, ['/clientSubmissionId']],
  [session.SessionRequest, { clientSubmissionId: 5 }, ['/clientSubmissionId']],
  [session.SessionRequest, { batchRef: 'a b' }, ['/batchRef']],
  [session.SessionRequest, { batchRef: text(129) }, ['/batchRef']],
  [session.SessionRequest, { batchRef: 'a\n' }, ['/batchRef']],
  [session.SessionRequest, { version: 0 }, ['/version']],
  [session.SessionRequest, { version: '1' }, ['/version']],
  [session.SessionRequest, { version: 1.5 }, ['/version']],
  [session.SessionRequest, { files: [] }, ['/files']],
  [session.SessionRequest, { files: [{}] }, ['/files/0/mimeType', '/files/0/fileSize']],
  [session.SessionRequest, { files: [{ ...file, sha256: '0A'.repeat(32) }] }, ['/files/0/sha256']],
  [session.SessionRequest, { files: [{ ...file, mimeType: 'png' }] }, ['/files/0/mimeType']],
  [session.SessionRequest, { files: [{ ...file, fileSize: 0 }] }, ['/files/0/fileSize']],
  [session.SessionRequest, { files: [{ ...file, size: 1 }] }, ['/files/0/size']],
  [session.SessionRequest, { webhookURL: 'x' }, ['/webhookURL']],
  [session.SessionRequest, [], ['']],
  [session.SessionRequest, null, ['']],
  [session.NoMembers, {}, []],
  [session.NoMembers, { a: 1 }, ['/a']],
  [
    review.ApproveRequest,
    { comment: 'ok', actor: 'a', corrections: { total: 1, date: null, ok: true, name: 'x' } },
    [],
  ],
  [review.ApproveRequest, { corrections: { total: { a: 1 } } }, ['/corrections/total']],
  [review.ApproveRequest, { actor: text(129) }, ['/actor']],
  [review.ApproveRequest, { reason: 'x' }, ['/reason']],
  [review.ReasonRequest, { reason: text(1000), actor: text(128) }, []],
  [review.ReasonRequest, { reason: text(1001) }, ['/reason']],
  [review.ReasonRequest, { reason: '', actor: null }, []],
  [review.EnterRequest, { reason: text(1000), actor: text(128) }, []],
  [review.EnterRequest, { actor: null }, ['/reason']],
  [review.EnterRequest, { reason: ' ' }, ['/reason']],
  [review.EnterRequest, { reason: text(1001) }, ['/reason']],
  [fraud.ResolveRequest, { resolution: 'confirmed' }, []],
  [fraud.ResolveRequest, {}, ['/resolution']],
  [fraud.ResolveRequest, { resolution: 'open' }, ['/resolution']],
  [webhook.WebhookTestRequest, {}, ['/webhookUrl']],
  [identity.CompleteInvitation, { token: 't', password: '12345678' }, []],
  [identity.CompleteInvitation, { token: 't', password: '1234567' }, ['/password']],
  [identity.CompleteInvitation, { token: 't', password: text(257) }, ['/password']],
  [identity.AgentRequest, { instruction: text(8001) }, ['/instruction']],
];

/** The rule that refuses a member; by default that of bodies as a whole. */
const rules: Readonly<Record<string, string>> = {
  '/clientSubmissionId': 'sessions-2',
  '/metadata': 'sessions-4',
  '/batchRef': 'sessions-5',
  '/password': 'invitations-7',
  '/reason': 'review-4',
  '/actor': 'review-4',
};

bodies.forEach(([schema, body, pointers], index) => {
  test(`body ${index} is ${pointers.length ? `refused at ${pointers.join()}` : 'fine'}: ${JSON.stringify(body).slice(0, 60)} [${rules[pointers[0] ?? ''] ?? 'requests-10'}]`, () => {
    assert.equal(
      compile(schema)(body).map(({ pointer }) => pointer),
      pointers,
    );
  });
});
