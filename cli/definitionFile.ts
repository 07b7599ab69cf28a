import type { EndpointRules } from '../schemas/definitionProblems.ts';
import type { WorkflowDefinition } from '../schemas/workflowDefinition.ts';
import { CommandFailed } from './failure.ts';
import { readJsonFile } from './jsonFile.ts';

/**
 * The workflow definition in a file. Throws `CommandFailed` with all its faults; `outcome` says what comes of
 * them.
 */
export const readDefinition = async (
  path: string,
  outcome: string,
  rules?: () => Promise<EndpointRules>,
): Promise<WorkflowDefinition> => {
  const { definitionProblems } = await import('../schemas/definitionProblems.ts');
  const value = await readJsonFile(path);
  const faults = definitionProblems(value, await rules?.());
  if (faults.length === 0) return value as WorkflowDefinition;
  const what = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
  throw new CommandFailed('invalid-definition', `${path} has ${what}; ${outcome}.`, null, faults);
};
