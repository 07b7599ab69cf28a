import * as assert from 'uvu/assert';
import { definitionProblems, type EndpointRules } from '../../schemas/definitionProblems.ts';
import { definitionOf, type WorkflowDefinition, withDefaults } from '../../schemas/workflowDefinition.ts';
import { suite } from '../harness.ts';

const test = suite('workflow definitions');

/** A definition with every member. */
const full = () => ({
  slug: 'receipt',
  name: 'Receipt',
  description: 'A receipt',
  icon: 'receipt',
  color: '#2563eb',
  upload: {
    minFiles: 1,
    maxFiles: 3,
    acceptedFormats: ['image/jpeg', 'image/png', 'application/pdf', 'text/plain', 'application/json'],
    fileLabels: ['front', 'back'],
    maxFileSizeMb: 10,
  },
  outputSchema: [
    { name: 'company', required: true, type: 'string' },
    { name: 'date', required: true, type: 'date' },
    {
      name: 'total',
      label: 'Total',
      required: true,
      description: 'amount paid',
      type: 'number',
      validation: { pattern: '^\\d', minLength: 1, maxLength: 20 },
    },
  ],
  processing: {
    extractor: 'document',
    review: 'auto',
    reviewBelow: 0.8,
    fraud: {
      checks: ['duplicate_file', 'near_duplicate_image', 'duplicate_data'],
      businessKey: ['company', 'date', 'total'],
      flagAt: 0.5,
      blockAt: 0.9,
      requireResolution: true,
    },
    sync: { url: 'https://erp.example.com/hook', secretEnv: 'ERP_SECRET' },
  },
});

const least = () => ({
  slug: 'note',
  name: 'Note',
  upload: { minFiles: 1, maxFiles: 1, acceptedFormats: ['text/plain'], fileLabels: [], maxFileSizeMb: 0.5 },
  outputSchema: [{ name: 'text', required: false, type: 'string' as const }],
});

const rules: EndpointRules = {
  address: (url) => (url.includes('private') ? 'is private' : null),
  secret: (name) => (name === 'ERP_SECRET' ? null : 'is not set'),
};
const pointersOf = (value: unknown) => definitionProblems(value, rules).map(({ pointer }) => pointer);

test('the example and the shortest one are fine', () => {
  assert.equal(definitionProblems(full(), rules), []);
  assert.equal(definitionProblems(least(), rules), []);
});

test('what was published is a definition again, which says the same [workflows-10]', () => {
  const http = { url: 'https://read.example.com/x', secretEnv: 'ERP_SECRET' };
  const processing = {
    extractor: { http },
    fourEyes: ['rejected' as const],
    quality: { cutOff: 'block' as const },
  };
  for (const definition of [
    least(),
    { ...least(), icon: 'note', processing },
    full() as unknown as WorkflowDefinition,
  ]) {
    const published = withDefaults(definition);
    const again = definitionOf(published);
    assert.equal(definitionProblems(again, rules), []);
    assert.equal(withDefaults(again), published);
    assert.equal(definitionOf(withDefaults(again)), again);
  }
  const unlabelled = withDefaults(least());
  const old = {
    ...unlabelled,
    outputSchema: unlabelled.outputSchema.map((one) => ({ ...one, label: null })),
  };
  assert.equal(definitionProblems(definitionOf(old)), []);
});

test('defaults fill what is left out, and change nothing else [definitions-2]', () => {
  assert.equal(withDefaults(least()).processing, {
    extractor: 'document',
    review: 'auto',
    reviewBelow: 0.8,
    quality: {
      minSide: 100,
      minSharpness: 0.18,
      minBrightness: 0.15,
      maxGlare: 0.35,
      legible: 0.6,
      cutOff: 'allow',
      blank: 'block',
    },
    fraud: { checks: [], businessKey: [], flagAt: 0.5, blockAt: 0.9, requireResolution: true },
    sync: null,
  });
  assert.equal(withDefaults(least()).outputSchema, [
    { name: 'text', label: 'text', required: false, description: null, type: 'string', validation: {} },
  ]);
  const { description, icon, color } = withDefaults(least());
  assert.equal([description, icon, color], [null, null, null]);
  const strict = withDefaults({ ...least(), processing: { quality: { cutOff: 'block' } } }).processing
    .quality;
  assert.equal([strict?.cutOff, strict?.minSide], ['block', 100]);
  const partly = withDefaults({ ...least(), processing: { fraud: { flagAt: 0.7 } } }).processing;
  assert.equal([partly.fraud.flagAt, partly.fraud.blockAt, partly.review], [0.7, 0.9, 'auto']);
});

type Draft = ReturnType<typeof full>;
const field = { name: 'extra', required: true, type: 'string' };

/** A change to the example, and where it is refused. */
const wrong: readonly (readonly [string, (draft: Draft) => unknown, readonly string[]])[] = [
  ['nothing at all', () => null, ['']],
  ['a list', () => [], ['']],
  ['an empty object', () => ({}), ['/slug', '/name', '/upload', '/outputSchema']],
  ['an unknown member', (draft) => ({ ...draft, extra: 1 }), ['/extra']],
  ['a bad slug', (draft) => ({ ...draft, slug: 'My Receipt' }), ['/slug']],
  ['a bad colour', (draft) => ({ ...draft, color: 'blue' }), ['/color']],
  [
    'more labels than files [definitions-3]',
    ({ upload, ...rest }) => ({ ...rest, upload: { ...upload, maxFiles: 1 } }),
    ['/upload/fileLabels'],
  ],
  [
    'minFiles above maxFiles',
    ({ upload, ...rest }) => ({ ...rest, upload: { ...upload, minFiles: 4 } }),
    ['/upload/minFiles'],
  ],
  [
    'no format',
    ({ upload, ...rest }) => ({ ...rest, upload: { ...upload, acceptedFormats: [] } }),
    ['/upload/acceptedFormats'],
  ],
  [
    'a format that is no media type',
    ({ upload, ...rest }) => ({
      ...rest,
      upload: { ...upload, acceptedFormats: ['image/png', 'png', 'image/*'] },
    }),
    ['/upload/acceptedFormats/1', '/upload/acceptedFormats/2'],
  ],
  [
    'formats that its extractor can’t read',
    ({ upload, ...rest }) => ({
      ...rest,
      upload: { ...upload, acceptedFormats: ['text/csv', 'image/jpg', 'image/gif', 'application/zip'] },
    }),
    ['/upload/acceptedFormats/2', '/upload/acceptedFormats/3'],
  ],
  [
    'the extractor json without JSON',
    ({ upload, processing, ...rest }) => ({
      ...rest,
      upload: { ...upload, acceptedFormats: ['image/png', 'text/plain'] },
      processing: { ...processing, extractor: 'json' },
    }),
    ['/upload/acceptedFormats'],
  ],
  [
    'two labels alike',
    ({ upload, ...rest }) => ({ ...rest, upload: { ...upload, fileLabels: ['a', 'a'] } }),
    ['/upload/fileLabels'],
  ],
  [
    'a label that a file without one would get too',
    ({ upload, ...rest }) => ({ ...rest, upload: { ...upload, fileLabels: ['file-1', 'file-3'] } }),
    ['/upload/fileLabels/1'],
  ],
  [
    'files of no size',
    ({ upload, ...rest }) => ({ ...rest, upload: { ...upload, maxFileSizeMb: 0 } }),
    ['/upload/maxFileSizeMb'],
  ],
  [
    'tables without columns, of tables and with a name twice; columns of others; tables as names [tables-1]',
    (draft) => ({
      ...draft,
      outputSchema: [
        ...draft.outputSchema,
        { ...field, name: 'none', type: 'table' },
        { ...field, name: 'twice', type: 'table', columns: [field, field] },
        { ...field, name: 'plain', columns: [field] },
      ],
      list: ['total', 'twice'],
      processing: {
        ...draft.processing,
        fraud: { ...draft.processing.fraud, businessKey: ['total', 'none'] },
      },
    }),
    [
      '/outputSchema/3/columns',
      '/outputSchema/4/columns/1/name',
      '/outputSchema/5/columns',
      '/list/1',
      '/processing/fraud/businessKey/1',
    ],
  ],
  [
    'a column that is a table [tables-1]',
    (draft) => ({
      ...draft,
      outputSchema: [
        ...draft.outputSchema,
        { ...field, name: 'rows', type: 'table', columns: [{ ...field, type: 'table' }] },
      ],
    }),
    ['/outputSchema/3/columns/0/type'],
  ],
  ['no field', (draft) => ({ ...draft, outputSchema: [] }), ['/outputSchema']],
  [
    'two fields of one name',
    (draft) => ({ ...draft, outputSchema: [...draft.outputSchema, { ...field, name: 'total' }] }),
    ['/outputSchema/3/name'],
  ],
  [
    'a field named __proto__',
    (draft) => ({ ...draft, outputSchema: [...draft.outputSchema, { ...field, name: '__proto__' }] }),
    ['/outputSchema/3/name'],
  ],
  [
    'an unknown type',
    (draft) => ({ ...draft, outputSchema: [...draft.outputSchema, { ...field, type: 'money' }] }),
    ['/outputSchema/3/type'],
  ],
  [
    'a bad pattern',
    (draft) => ({
      ...draft,
      outputSchema: [...draft.outputSchema, { ...field, validation: { pattern: '(' } }],
    }),
    ['/outputSchema/3/validation/pattern'],
  ],
  [
    'lengths the wrong way round',
    (draft) => ({
      ...draft,
      outputSchema: [...draft.outputSchema, { ...field, validation: { minLength: 2, maxLength: 1 } }],
    }),
    ['/outputSchema/3/validation/minLength'],
  ],
  [
    'an unknown extractor',
    ({ processing, ...rest }) => ({ ...rest, processing: { ...processing, extractor: 'magic' } }),
    ['/processing/extractor'],
  ],
  [
    'an http extractor without a secret',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: { ...processing, extractor: { http: { url: 'https://a.example' } } },
    }),
    ['/processing/extractor/http/secretEnv'],
  ],
  [
    'an http extractor that is not https, whose secret is not set',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: { ...processing, extractor: { http: { url: 'http://a.example', secretEnv: 'UNSET' } } },
    }),
    ['/processing/extractor/http/url', '/processing/extractor/http/secretEnv'],
  ],
  [
    'a sync address with a password',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: { ...processing, sync: { url: 'https://u:p@a.example', secretEnv: 'ERP_SECRET' } },
    }),
    ['/processing/sync/url'],
  ],
  [
    'an address that the service does not connect to',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: { ...processing, sync: { url: 'https://private.example', secretEnv: 'ERP_SECRET' } },
    }),
    ['/processing/sync/url'],
  ],
  [
    'a share above 1',
    ({ processing, ...rest }) => ({ ...rest, processing: { ...processing, reviewBelow: 1.1 } }),
    ['/processing/reviewBelow'],
  ],
  [
    'outcomes for two people',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: { ...processing, fourEyes: ['approved', 'cancelled'] },
    }),
    ['/processing/fourEyes/1'],
  ],
  [
    'an outcome twice',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: { ...processing, fourEyes: ['approved', 'approved'] },
    }),
    ['/processing/fourEyes'],
  ],
  [
    'flagAt above blockAt',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: { ...processing, fraud: { ...processing.fraud, flagAt: 0.95 } },
    }),
    ['/processing/fraud/flagAt'],
  ],
  [
    'flagAt above the default blockAt',
    ({ processing, ...rest }) => ({ ...rest, processing: { ...processing, fraud: { flagAt: 0.95 } } }),
    ['/processing/fraud/flagAt'],
  ],
  [
    'a policy for a check that is not made',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: {
        ...processing,
        fraud: { checks: ['duplicate_file'], policy: { duplicate_data: 'flag' } },
      },
    }),
    ['/processing/fraud/policy/duplicate_data'],
  ],
  [
    'a policy that there is not',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: { ...processing, fraud: { checks: ['duplicate_file'], policy: { duplicate_file: 'ask' } } },
    }),
    ['/processing/fraud/policy/duplicate_file'],
  ],
  [
    'duplicate_data without a business key',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: { ...processing, fraud: { checks: ['duplicate_data'] } },
    }),
    ['/processing/fraud/businessKey'],
  ],
  [
    'a business key of no field',
    ({ processing, ...rest }) => ({
      ...rest,
      processing: { ...processing, fraud: { ...processing.fraud, businessKey: ['total', 'colour'] } },
    }),
    ['/processing/fraud/businessKey/1'],
  ],
  ['a list of no field', (rest) => ({ ...rest, list: ['total', 'colour'] }), ['/list/1']],
  [
    'an unknown check',
    ({ processing, ...rest }) => ({ ...rest, processing: { ...processing, fraud: { checks: ['vibes'] } } }),
    ['/processing/fraud/checks/0'],
  ],
  [
    'faults of shape and of rules at once: each is named',
    ({ upload, ...rest }) => ({ ...rest, color: 'blue', upload: { ...upload, minFiles: 9 } }),
    ['/color', '/upload/minFiles'],
  ],
];

for (const [what, change, pointers] of wrong)
  test(`refused: ${what} [definitions-1]`, () => {
    assert.equal(pointersOf(change(full())), pointers);
  });

test('a server elsewhere may read files of any format', () => {
  const { upload, processing, ...rest } = full();
  const http = { url: 'https://a.example', secretEnv: 'ERP_SECRET' };
  const formats = { ...upload, acceptedFormats: ['image/heic', 'application/zip'] };
  assert.equal(
    pointersOf({ ...rest, upload: formats, processing: { ...processing, extractor: { http } } }),
    [],
  );
});

test('the rules of the service are asked of each endpoint, and of no address that is not valid', () => {
  const asked: string[] = [];
  const ask = (what: string): null => {
    asked.push(what);
    return null;
  };
  const { processing, ...rest } = full();
  const http = { url: 'http://a.example', secretEnv: 'READER_SECRET' };
  definitionProblems(
    { ...rest, color: 1, processing: { ...processing, extractor: { http } } },
    { address: ask, secret: ask },
  );
  assert.equal(asked, ['READER_SECRET', 'https://erp.example.com/hook', 'ERP_SECRET']);
});
