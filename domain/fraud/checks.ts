import type { WorkflowVersion } from '../workflow.ts';
import type { FraudCheck, Material, Trait } from './check.ts';
import { duplicateData } from './duplicateData.ts';
import { duplicateFile } from './duplicateFile.ts';
import { nearDuplicateImage } from './nearDuplicateImage.ts';

// Schemas, types, matches, docs and the workflow agent follow from this list.
const list = [duplicateFile, nearDuplicateImage, duplicateData] as const;

/** The name of a check, as a workflow definition, a match and a stored event have it. */
export type FraudCheckType = (typeof list)[number]['type'];

/** A check of the list. */
export type ListedCheck = FraudCheck<FraudCheckType>;

/** The checks that a workflow may ask for, each in a file of its own. */
export const fraudChecks: readonly ListedCheck[] = list;

/** Their names. */
export const fraudCheckTypes: readonly FraudCheckType[] = list.map(({ type }) => type);

/** The names of those that compare the business key. */
export const businessKeyChecks: readonly FraudCheckType[] = list.flatMap(({ type, needsBusinessKey }) =>
  needsBusinessKey ? type : [],
);

type Version = Pick<WorkflowVersion, 'processing'>;

/** The checks that a version names, in the order of the list. */
export const checksOf = ({ processing }: Version): readonly ListedCheck[] =>
  fraudChecks.filter(({ type }) => processing.fraud.checks.includes(type));

/** Whether a version's checks compare pages of pictures. */
export const comparesPages = (version: Version): boolean =>
  checksOf(version).some(({ match }) => match.by === 'pages');

/** What a version's checks find a submission by, in clear text: it is hidden before it is stored. */
export const traitsOf = (
  version: Version,
  material: Material,
): readonly (Trait & Readonly<{ check: ListedCheck }>)[] =>
  checksOf(version).flatMap((check) => check.traits(material).map((trait) => ({ check, ...trait })));
