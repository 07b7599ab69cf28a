import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { draftByRules } from '../../agent/byRules.ts';
import { definitionProblems } from '../../schemas/definitionProblems.ts';
import type { WorkflowDefinition } from '../../schemas/workflowDefinition.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('the workflow agent by rules');

const draft = (instruction: string, given: WorkflowDefinition | null = null) => {
  const made = draftByRules({ instruction, draft: given });
  assert.equal(definitionProblems(made.draft), [], instruction);
  return made;
};
const fields = ({ outputSchema }: WorkflowDefinition) =>
  outputSchema.map(({ name, type, required }) => `${name} ${type}${required ? '' : '?'}`);
const receipt = draft('A receipt with company, date and total.').draft;
const invoice = draft(
  'A workflow for supplier invoices with vendor, invoice number, date and total. Flag the same vendor and invoice number.',
).draft;

const lists: readonly (readonly [string, readonly string[]])[] = [
  ['A receipt with company, date and total.', ['company string', 'date date', 'total number']],
  [
    'Extract the vendor name, the invoice number, a due date (optional), number of items and VAT as a number.',
    ['vendorName string', 'invoiceNumber string', 'dueDate date?', 'numberOfItems integer', 'vat number'],
  ],
  [
    'Fields:\n- shop: text\n- paid on (date)\n- amount: number, required\n- is refund: yes/no, optional',
    ['shop string', 'paidOn date', 'amount number', 'isRefund boolean?'],
  ],
  ['Fields:\n1. Total\n2. Date of birth\n', ['total number', 'dateOfBirth date']],
  [
    'Capture code (integer), optional note, and has warranty',
    ['code integer', 'note string?', 'hasWarranty boolean'],
  ],
  [
    'A slip with vendor, total, comment. Only vendor and total are required.',
    ['vendor string', 'total number', 'comment string?'],
  ],
  [
    'A slip with vendor, total, comment. Vendor is required, the rest optional.',
    ['vendor string', 'total number?', 'comment string?'],
  ],
  ['Parking fines: plate and amount.', ['plate string', 'amount number']],
  ['We need the name and the date of birth.', ['name string', 'dateOfBirth date']],
  ['A slip with vendor, total. All fields are optional.', ['vendor string?', 'total number?']],
  ['A slip with vendor and total. Make the vendor optional.', ['vendor string?', 'total number']],
  [
    'An invoice.',
    ['vendor string', 'invoiceNumber string', 'date date', 'dueDate date?', 'total number', 'vat number?'],
  ],
];
for (const [instruction, expected] of lists) {
  test(`fields of: ${instruction.replaceAll('\n', ' ')}`, () =>
    assert.equal(fields(draft(instruction).draft), expected));
}

const uploads: readonly (readonly [string, Partial<WorkflowDefinition['upload']>])[] = [
  [
    'Accept PDFs or photos, between 1 and 3 files, 5 MB each.',
    { minFiles: 1, maxFiles: 3, maxFileSizeMb: 5 },
  ],
  ['PDFs only.', { acceptedFormats: ['application/pdf'], maxFiles: 1 }],
  ['Up to three photos.', { minFiles: 1, maxFiles: 3, acceptedFormats: ['image/jpeg', 'image/png'] }],
  ['Exactly two scans labelled front and back.', { minFiles: 2, maxFiles: 2, fileLabels: ['front', 'back'] }],
  ['Two photos (front and back).', { minFiles: 2, maxFiles: 2, fileLabels: ['front', 'back'] }],
  ['At least 2 pages.', { minFiles: 2, maxFiles: 2 }],
  ['A JSON file.', { acceptedFormats: ['application/json'], maxFiles: 1 }],
  ['Files up to 512 KB.', { maxFileSizeMb: 0.5 }],
  [
    'Nothing on files here.',
    { acceptedFormats: ['application/pdf', 'image/jpeg', 'image/png'], maxFileSizeMb: 10 },
  ],
];
for (const [instruction, expected] of uploads) {
  test(`files of: ${instruction}`, () => {
    const { upload } = draft(`A receipt with total. ${instruction}`).draft;
    const members = Object.keys(expected) as (keyof typeof expected)[];
    assert.equal(Object.fromEntries(members.map((name) => [name, upload[name]])), expected);
  });
}

const judged: readonly (readonly [string, WorkflowDefinition['processing']])[] = [
  ['Review everything.', { review: 'always' }],
  ['A person must look at every one.', { review: 'always' }],
  ['Send to review below 85% confidence.', { review: 'auto', reviewBelow: 0.85 }],
  ['Review when the confidence is under 0.7.', { review: 'auto', reviewBelow: 0.7 }],
  ['Never review.', { review: 'auto', reviewBelow: 0 }],
  ['Two people must approve.', { fourEyes: ['approved'] }],
  ['Four eyes on approvals and rejections.', { fourEyes: ['approved', 'rejected'] }],
  ['A second person must confirm what is rejected.', { fourEyes: ['rejected'] }],
  ['The four-eyes principle holds.', { fourEyes: ['approved'] }],
  ['No four eyes.', { fourEyes: [] }],
  ['Check for duplicates.', { fraud: { checks: ['duplicate_file'] } }],
  [
    'Check for duplicates and similar images.',
    { fraud: { checks: ['near_duplicate_image', 'duplicate_file'] } },
  ],
  [
    'Fraud checks; flag at 40% and block at 0.95.',
    { fraud: { checks: ['duplicate_file'], flagAt: 0.4, blockAt: 0.95 } },
  ],
  [
    'The business key is company and date.',
    { fraud: { checks: ['duplicate_data'], businessKey: ['company', 'date'] } },
  ],
  [
    'Flag the same company, date and total.',
    { fraud: { checks: ['duplicate_data'], businessKey: ['company', 'date', 'total'] } },
  ],
];
for (const [instruction, expected] of judged) {
  test(`processing of: ${instruction}`, () =>
    assert.equal(draft(instruction, receipt).draft.processing, expected));
}

const names: readonly (readonly [string, string, string])[] = [
  ['A workflow for delivery notes with sender and date', 'delivery-note', 'Delivery note'],
  ['A workflow called "Petty cash" with total', 'petty-cash', 'Petty cash'],
  ['Please draft an expense report with total and date.', 'expense-report', 'Expense report'],
  ['Passports', 'passport', 'Passport'],
  ['Parking fines: plate and amount.', 'parking-fine', 'Parking fine'],
  [
    'We want to process driving licences. We need the name, date and number.',
    'driving-licence',
    'Driving licence',
  ],
  ['We need the name and the date of birth.', 'document', 'Document'],
  ['???', 'document', 'Document'],
];
for (const [instruction, slug, name] of names) {
  test(`name of: ${instruction}`, () => {
    const made = draft(instruction).draft;
    assert.equal([made.slug, made.name], [slug, name]);
  });
}

test('a draft is revised: fields are added, removed, renamed and changed, and nothing else [agent-7]', () => {
  const { draft: revised, notes } = draft(
    'Add a field tax (number, optional) and note. Remove the company. Rename total to amount due. Make date optional.',
    receipt,
  );
  assert.equal(fields(revised), ['date date?', 'amountDue number', 'tax number?', 'note string']);
  assert.equal({ ...revised, outputSchema: [] }, { ...receipt, outputSchema: [] });
  assert.equal(notes, []);
  assert.equal(fields(draft('Change total to text.', receipt).draft)[2], 'total string');
});

test('a revised draft keeps its slug, its limits are changed, its formats added and taken away', () => {
  const { draft: revised } = draft(
    'Rename the workflow to Till slip. At most 4 files. Also accept text files. No longer accept PDF.',
    receipt,
  );
  assert.equal([revised.slug, revised.name, revised.upload.maxFiles], ['receipt', 'Till slip', 4]);
  assert.equal(revised.upload.acceptedFormats, ['image/jpeg', 'image/png', 'text/plain']);
});

test('a business key follows a renamed field, and goes with the last of its fields', () => {
  const renamed = draft('Rename vendor to seller.', invoice).draft;
  assert.equal(renamed.processing?.fraud?.businessKey, ['seller', 'invoiceNumber']);
  const gone = draft('Remove vendor and invoice number.', invoice).draft;
  assert.equal(gone.processing?.fraud, { checks: [], businessKey: [] });
  assert.equal(draft('No fraud checks.', invoice).draft.processing?.fraud, { checks: [], businessKey: [] });
});

test('what is not understood, or would be no valid definition, is left out and named', () => {
  const { draft: same, notes } = draft(
    'Sing a song. At most 0 files. Remove company, date and total.',
    receipt,
  );
  assert.equal(same, receipt);
  assert.is(notes[0], 'Nothing was changed.');
  assert.is(notes.length, 4);
  assert.match(notes.join(), /Sing a song.*At most 0 files.*Remove company/);
  const flags = draft('Fraud checks; flag at 0.95 and block at 0.5.', receipt);
  assert.match(flags.notes.join(), /flagAt must not be more than blockAt/);
  assert.match(draft('检查发票').notes.join(), /Not understood, and left out: "检查发票"/);
});

test('the example in docs/agent.md is what comes of it', () => {
  const [request = '', answer = ''] = [
    ...readFileSync('docs/agent.md', 'utf8').matchAll(/```json\n([\s\S]*?)```/g),
  ].map(([, json]) => json ?? '');
  assert.equal(draft(JSON.parse(request).instruction), JSON.parse(answer));
});

const words = fc.constantFrom(
  ...'a an the add remove rename to field fields with and , : ( ) . ; \n - required optional number date text total vendor receipt workflow for called up at most least exactly two 3 0 200 files photos (front back) MB 5 review everything below 80% confidence fraud duplicates same business key flag block at 0.9 make change all only not " __proto__ constructor é 日本'.split(
    ' ',
  ),
);

test('whatever is said, the draft is valid [agent-6]', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 40 }), fc.boolean(), (said, revise) => {
      draft(said.join(' '), revise ? invoice : null);
    }),
    { numRuns: rounds(100, 20_000) },
  );
});

test('of an instruction of very many parts the first hundred are read, and a note says so', () => {
  const parts = Array.from({ length: 600 }, (_, index) => `add field b${index}`);
  const started = process.cpuUsage();
  const { draft: made, notes } = draftByRules({ instruction: parts.join(';'), draft: null });
  assert.is(made.outputSchema.length, 100);
  assert.ok(notes[0]?.startsWith('Only the first 100 parts of 600 were read'), notes[0]);
  assert.ok(process.cpuUsage(started).user < 1_000_000);
});

test.long('no instruction of 8000 characters takes long', () => {
  const hostile = [
    'a',
    'a ',
    ' ',
    'make a ',
    'rename a to ',
    'same a ',
    'flag at ',
    '(',
    'add field ',
    'x, ',
    'fields: ',
    'workflow for ',
    '1 to ',
    'and ',
  ];
  for (const piece of hostile) {
    const instruction = piece.repeat(8000).slice(0, 8000);
    const started = process.cpuUsage();
    draftByRules({ instruction, draft: null });
    draftByRules({ instruction, draft: invoice });
    // Shorter, since what goes back over such a text may need its length cubed.
    draftByRules({ instruction: `${instruction.slice(0, 3000)}(`, draft: null });
    const { user } = process.cpuUsage(started);
    assert.ok(user < 2_000_000, `${JSON.stringify(piece)}: ${user / 1000} ms`);
  }
});
