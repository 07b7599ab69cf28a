import { documentReads, isRead } from '../domain/formats.ts';
import { businessKeyChecks } from '../domain/fraud/checks.ts';
import { labelsOf } from '../domain/slots.ts';
import { type Fault, faultIf } from '../kernel/fault.ts';
import { compile } from './ajv.ts';
import { type WorkflowDefinition as Definition, defaults, WorkflowDefinition } from './workflowDefinition.ts';

/** The faults of a definition's endpoints by the service's settings; null where there is none. */
export type EndpointRules = Readonly<{
  /** Of an absolute https address without credentials. */
  address(url: string): string | null;
  /** Of the name of the setting with its secret. */
  secret(name: string): string | null;
}>;

/** For drafts: the settings are checked at publication only, since an answer would reveal which exist. */
const NO_RULES: EndpointRules = { address: () => null, secret: () => null };

const schemaFaults = compile(WorkflowDefinition);

/** Whether a member of the definition matches the schema, so that its rules can be checked. */
type IsValid = (pointer: string) => boolean;

/**
 * Every fault of a workflow definition, by its schema and by the rules between members (definitions-1); empty
 * when it may be published. A rule is checked only where its members match the schema.
 */
export const definitionProblems = (value: unknown, rules = NO_RULES): readonly Fault[] => {
  const faults = schemaFaults(value);
  const isValid: IsValid = (pointer) => !faults.some((found) => overlap(found.pointer, pointer));
  return [...faults, ...ruleFaults(value as Definition, rules, isValid)];
};

const overlap = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

const ruleFaults = (definition: Definition, rules: EndpointRules, isValid: IsValid): readonly Fault[] => [
  ...(isValid('/upload') ? uploadFaults(definition) : []),
  ...(isValid('/upload') && isValid('/processing/extractor') ? formatFaults(definition) : []),
  ...(isValid('/outputSchema') ? fieldFaults(definition) : []),
  ...(isValid('/outputSchema') && isValid('/list') ? listFaults(definition) : []),
  ...(isValid('/outputSchema') && isValid('/processing/fraud') ? fraudFaults(definition) : []),
  ...(isValid('/processing/extractor') && isValid('/processing/sync')
    ? endpointFaults(definition, rules)
    : []),
  ...(isValid('/processing/extractor') && isValid(GATE) ? gateFaults(definition) : []),
];

const gateFaults = ({ processing = {} }: Definition): readonly Fault[] => {
  const detail = 'must not be there: a version that reads elsewhere is not evaluated';
  return faultIf(processing.gate !== undefined && typeof processing.extractor === 'object', GATE, detail);
};
const GATE = '/processing/gate';

const uploadFaults = ({ upload }: Definition): readonly Fault[] => {
  const { minFiles, maxFiles, fileLabels } = upload;
  const generated = labelsOf(upload).slice(fileLabels.length);
  const at = '/upload/fileLabels';
  return [
    ...faultIf(minFiles > maxFiles, '/upload/minFiles', 'must not be more than maxFiles'),
    ...faultIf(fileLabels.length > maxFiles, at, 'must not have more labels than maxFiles'),
    ...fileLabels.flatMap((label, index) => {
      const detail = `is the label that a later file gets by itself: ${label}`;
      return faultIf(generated.includes(label), `${at}/${index}`, detail);
    }),
  ];
};

/** Formats that the version's built-in extractor can't read: all files of them would fail. */
const formatFaults = ({ upload, processing }: Definition): readonly Fault[] => {
  const extractor = processing?.extractor ?? defaults.processing.extractor;
  const { acceptedFormats } = upload;
  const at = '/upload/acceptedFormats';
  if (extractor === 'json') {
    const detail = 'must have application/json, all that the extractor "json" reads';
    return faultIf(!acceptedFormats.includes('application/json'), at, detail);
  }
  if (extractor !== 'document') return [];
  const detail = `can't be read by the extractor "document": it takes ${documentReads}`;
  return acceptedFormats.flatMap((format, index) => faultIf(!isRead(format), `${at}/${index}`, detail));
};

type Fields = Definition['outputSchema'];

const fieldFaults = ({ outputSchema }: Definition): readonly Fault[] => [
  ...namedFaults('/outputSchema', outputSchema, 'is the name of another field'),
  ...outputSchema.flatMap(({ type, columns, validation = {} }, index) => {
    const at = `/outputSchema/${index}`;
    if (type !== 'table')
      return faultIf(columns !== undefined, `${at}/columns`, 'is of tables only: the type is another');
    return [
      ...faultIf(columns === undefined, `${at}/columns`, 'must be given: a table has columns'),
      ...faultIf(Object.keys(validation).length > 0, `${at}/validation`, 'is of its columns'),
      ...namedFaults(`${at}/columns`, columns ?? [], 'is the name of another column'),
    ];
  }),
];

const namedFaults = (
  within: string,
  fields: readonly Omit<Fields[number], 'type'>[],
  taken: string,
): readonly Fault[] => {
  const names = fields.map((field) => field.name);
  return fields.flatMap(({ name, validation }, index) => {
    const at = `${within}/${index}`;
    const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = validation ?? {};
    return [
      ...faultIf(names.indexOf(name) < index, `${at}/name`, `${taken}: ${name}`),
      ...faultIf(minLength > maxLength, `${at}/validation/minLength`, 'must not be more than maxLength'),
      ...(pattern === undefined ? [] : patternFaults(`${at}/validation/pattern`, pattern)),
    ];
  });
};

const listFaults = ({ outputSchema, list = [] }: Definition): readonly Fault[] =>
  nameFaults('/list', list, outputSchema);

/** The faults of names of fields with a single value. */
const nameFaults = (at: string, names: readonly string[], fields: Fields): readonly Fault[] =>
  names.flatMap((name, index) => {
    const named = fields.find((field) => field.name === name);
    return [
      ...faultIf(named === undefined, `${at}/${index}`, `is no field of outputSchema: ${name}`),
      ...faultIf(named?.type === 'table', `${at}/${index}`, `is a table, not a single value: ${name}`),
    ];
  });

const patternFaults = (pointer: string, pattern: string): readonly Fault[] => {
  try {
    new RegExp(pattern, 'u');
    return [];
  } catch (error) {
    return [{ pointer, detail: `is not a regular expression: ${(error as Error).message}` }];
  }
};

const fraudFaults = (definition: Definition): readonly Fault[] => {
  const fraud = { ...defaults.fraud, ...definition.processing?.fraud };
  const { checks, businessKey, flagAt, blockAt, policy = {} } = fraud;
  const keyed = checks.find((type) => businessKeyChecks.includes(type));
  const at = '/processing/fraud';
  return [
    ...faultIf(flagAt > blockAt, `${at}/flagAt`, `must not be more than blockAt (${blockAt})`),
    ...faultIf(
      keyed !== undefined && businessKey.length === 0,
      `${at}/businessKey`,
      `must name at least one field, since ${keyed} is among the checks`,
    ),
    ...Object.keys(policy).flatMap((check) =>
      faultIf(!checks.some((named) => named === check), `${at}/policy/${check}`, 'is not among the checks'),
    ),
    ...nameFaults(`${at}/businessKey`, businessKey, definition.outputSchema),
  ];
};

const endpointFaults = ({ processing }: Definition, rules: EndpointRules): readonly Fault[] => {
  const extractor = processing?.extractor;
  const endpoints = [
    ['/processing/extractor/http', typeof extractor === 'object' ? extractor.http : undefined],
    ['/processing/sync', processing?.sync],
  ] as const;
  return endpoints.flatMap(([at, endpoint]) => {
    if (!endpoint) return [];
    const address = isHttpsAddress(endpoint.url) ? rules.address(endpoint.url) : NO_ADDRESS;
    const secret = rules.secret(endpoint.secretEnv);
    return [
      ...(address === null ? [] : [{ pointer: `${at}/url`, detail: address }]),
      ...(secret === null ? [] : [{ pointer: `${at}/secretEnv`, detail: secret }]),
    ];
  });
};

const NO_ADDRESS = 'must be an absolute https address without credentials';

const isHttpsAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
};
