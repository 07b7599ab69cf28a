import type { WorkflowDefinition } from '../../../../schemas/workflowDefinition.ts';
import { texts } from '../../../texts.ts';
import type { Unchecked } from '../faults.tsx';
import { textsAt, valueAt } from './definition.ts';
import { fieldsOf, nameOf } from './fields.ts';

const own = texts.workflows.editor;

type Processing = NonNullable<WorkflowDefinition['processing']>;
type Fraud = NonNullable<Processing['fraud']>;

/** What the extractor of documents reads; others are typed as JSON. */
export const FORMATS: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/tiff',
  'application/pdf',
  'application/json',
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'text/markdown',
];
const CHECKS = [
  'duplicate_file',
  'near_duplicate_image',
  'duplicate_data',
] as const satisfies Fraud['checks'] & object;
const OUTCOMES = ['approved', 'rejected'] as const satisfies Processing['fourEyes'] & object;
const APPROVERS: readonly string[] = ['anybody', 'person'];
const POLICIES: readonly string[] = ['flag', 'block', 'allow'];

/**
 * A setting: `key` is its place, with dots. `text` and `number` are typed, of `lines` each is one text, of a
 * `choice` one is chosen and of `many` some. `isRequired`: it stays, also without a text.
 */
export type Setting = Readonly<{ key: string; isRequired?: true }> &
  (
    | Readonly<{ control: 'text' | 'number' | 'lines' | 'yesNo' }>
    | Readonly<{ control: 'choice' | 'many'; options: readonly string[] }>
  );
type Group = Readonly<{ name: keyof typeof own.groups; settings: readonly Setting[] }>;

const texted = (...keys: readonly string[]): readonly Setting[] =>
  keys.map((key) => ({ key, control: 'text' }));
const numbers = (...keys: readonly string[]): readonly Setting[] =>
  keys.map((key) => ({ key, control: 'number' }));
const allowOrBlock = (...keys: readonly string[]): readonly Setting[] =>
  keys.map((key) => ({ key, control: 'choice', options: ['allow', 'block'] }));

const QUALITY = 'processing.quality';
const FRAUD = 'processing.fraud';
const GATE = 'processing.gate';
const SERVER = 'processing.extractor.http';

/** What reads the files: a server of the company's has an address. */
const reading = (definition: Unchecked): readonly Setting[] =>
  valueAt(definition, '/processing/extractor/http') === undefined
    ? [{ key: 'processing.extractor', control: 'choice', options: ['document', 'json'] }]
    : texted(`${SERVER}.url`, `${SERVER}.secretEnv`);

const policies = (definition: Unchecked): readonly Setting[] =>
  textsAt(definition, '/processing/fraud/checks').map((check) => ({
    key: `${FRAUD}.policy.${check}`,
    control: 'choice',
    options: POLICIES,
  }));

/** The settings of a definition, in groups; `isNew`: its name in addresses can still be chosen. */
export const groupsOf = (definition: Unchecked, isNew: boolean): readonly Group[] => [
  {
    name: 'about',
    settings: [
      ...(isNew ? [{ key: 'slug', control: 'text', isRequired: true } as const] : []),
      { key: 'name', control: 'text', isRequired: true },
      ...texted('description', 'icon', 'color'),
    ],
  },
  {
    name: 'files',
    settings: [
      { key: 'upload.acceptedFormats', control: 'many', options: FORMATS },
      ...numbers('upload.minFiles', 'upload.maxFiles', 'upload.maxFileSizeMb'),
      { key: 'upload.fileLabels', control: 'lines' },
    ],
  },
  {
    name: 'reading',
    settings: [
      ...reading(definition),
      ...numbers(...['minSide', 'minSharpness', 'minBrightness', 'maxGlare', 'legible'].map(inQuality)),
      ...allowOrBlock(...['cutOff', 'blank'].map(inQuality)),
    ],
  },
  {
    name: 'review',
    settings: [
      { key: 'processing.review', control: 'choice', options: ['auto', 'always'] },
      ...numbers('processing.reviewBelow'),
      { key: 'processing.requireComplete', control: 'yesNo' },
      { key: 'processing.fourEyes', control: 'many', options: OUTCOMES },
    ],
  },
  {
    name: 'gate',
    settings: [
      ...numbers(`${GATE}.set.size`, `${GATE}.maxWrong`),
      { key: `${GATE}.set.approvedBy`, control: 'choice', options: APPROVERS },
    ],
  },
  {
    name: 'fraud',
    settings: [
      { key: `${FRAUD}.checks`, control: 'many', options: CHECKS },
      { key: `${FRAUD}.businessKey`, control: 'many', options: fieldsOf(definition).map(nameOf) },
      ...numbers(`${FRAUD}.flagAt`, `${FRAUD}.blockAt`),
      { key: `${FRAUD}.requireResolution`, control: 'yesNo' },
      ...policies(definition),
    ],
  },
  { name: 'sync', settings: texted('processing.sync.url', 'processing.sync.secretEnv') },
];

const inQuality = (name: string): string => `${QUALITY}.${name}`;

/** The place of a setting, as a JSON Pointer. */
export const pointerOf = ({ key }: Setting): string => `/${key.replaceAll('.', '/')}`;
