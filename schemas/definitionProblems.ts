import type { Fault } from '../domain/fault.ts';
import { labelOf } from '../domain/slots.ts';
import { compile } from './ajv.ts';
import { type WorkflowDefinition as Definition, defaults, WorkflowDefinition } from './workflowDefinition.ts';

/** Gives the value of a named setting, undefined when it is not set. */
export type Settings = (name: string) => string | undefined;

const shapeFaults = compile(WorkflowDefinition);

/** Tells whether a member of the definition has the right shape, so that its rules can be judged. */
type Sound = (pointer: string) => boolean;

/**
 * Every fault of a workflow definition, in its shape and in the rules between members (decisions, section 8); empty when it
 * may be published. `settings` tells whether the secrets that it names are set. A rule waits for its members' shape.
 */
export const definitionProblems = (value: unknown, settings: Settings): readonly Fault[] => {
  const faults = shapeFaults(value);
  const sound: Sound = (pointer) => !faults.some((found) => overlap(found.pointer, pointer));
  return [...faults, ...ruleFaults(value as Definition, settings, sound)];
};

const overlap = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

const ruleFaults = (definition: Definition, settings: Settings, sound: Sound): readonly Fault[] => [
  ...(sound('/upload') ? uploadFaults(definition) : []),
  ...(sound('/outputSchema') ? fieldFaults(definition) : []),
  ...(sound('/outputSchema') && sound('/processing/fraud') ? fraudFaults(definition) : []),
  ...(sound('/processing/extractor') && sound('/processing/sync')
    ? endpointFaults(definition, settings)
    : []),
];

const fault = (pointer: string, detail: string): Fault => ({ pointer, detail });

const uploadFaults = ({ upload }: Definition): readonly Fault[] => [
  ...(upload.minFiles > upload.maxFiles ? [fault('/upload/minFiles', 'must not be more than maxFiles')] : []),
  ...(upload.fileLabels.length > upload.maxFiles
    ? [fault('/upload/fileLabels', 'must not have more labels than maxFiles')]
    : []),
  ...upload.fileLabels.flatMap((label, index) =>
    generatedLabels(upload).includes(label)
      ? [fault(`/upload/fileLabels/${index}`, `is the label that a later file gets by itself: ${label}`)]
      : [],
  ),
];

/** What files beyond those with a label of the definition's own are called. */
const generatedLabels = (upload: Definition['upload']): readonly string[] =>
  Array.from({ length: upload.maxFiles }, (_, index) => labelOf(upload, index)).slice(
    upload.fileLabels.length,
  );

const fieldFaults = ({ outputSchema }: Definition): readonly Fault[] => {
  const names = outputSchema.map((field) => field.name);
  return outputSchema.flatMap(({ name, validation }, index) => {
    const at = `/outputSchema/${index}`;
    const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = validation ?? {};
    return [
      ...(names.indexOf(name) < index ? [fault(`${at}/name`, `is the name of another field: ${name}`)] : []),
      ...(minLength > maxLength
        ? [fault(`${at}/validation/minLength`, 'must not be more than maxLength')]
        : []),
      ...(pattern === undefined ? [] : patternFaults(`${at}/validation/pattern`, pattern)),
    ];
  });
};

const patternFaults = (pointer: string, pattern: string): readonly Fault[] => {
  try {
    new RegExp(pattern, 'u');
    return [];
  } catch (error) {
    return [fault(pointer, `is not a regular expression: ${(error as Error).message}`)];
  }
};

const fraudFaults = (definition: Definition): readonly Fault[] => {
  const fraud = { ...defaults.fraud, ...definition.processing?.fraud };
  const { checks, businessKey, flagAt, blockAt, policy = {} } = fraud;
  const at = '/processing/fraud';
  const names = new Set(definition.outputSchema.map((field) => field.name));
  return [
    ...(flagAt > blockAt ? [fault(`${at}/flagAt`, `must not be more than blockAt (${blockAt})`)] : []),
    ...(checks.includes('duplicate_data') && businessKey.length === 0
      ? [fault(`${at}/businessKey`, 'must name at least one field, since duplicate_data is among the checks')]
      : []),
    ...Object.keys(policy).flatMap((check) =>
      checks.some((named) => named === check)
        ? []
        : [fault(`${at}/policy/${check}`, 'is not among the checks')],
    ),
    ...businessKey.flatMap((name, index) =>
      names.has(name) ? [] : [fault(`${at}/businessKey/${index}`, `is no field of outputSchema: ${name}`)],
    ),
  ];
};

const endpointFaults = ({ processing }: Definition, settings: Settings): readonly Fault[] => {
  const extractor = processing?.extractor;
  const endpoints = [
    ['/processing/extractor/http', typeof extractor === 'object' ? extractor.http : undefined],
    ['/processing/sync', processing?.sync],
  ] as const;
  return endpoints.flatMap(([at, endpoint]) => {
    if (!endpoint) return [];
    return [
      ...(isHttpsAddress(endpoint.url)
        ? []
        : [fault(`${at}/url`, 'must be an absolute https address without credentials')]),
      ...(settings(endpoint.secretEnv)
        ? []
        : [
            fault(
              `${at}/secretEnv`,
              `names a setting that is not set, or is no whsec_ key in base64 of 16 bytes or more: ${endpoint.secretEnv}`,
            ),
          ]),
    ];
  });
};

const isHttpsAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
};
