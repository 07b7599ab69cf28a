import { isDeepStrictEqual } from 'node:util';
import {
  type Company,
  type CompanyWorkflowSettings,
  company,
  companyStream,
  type RoleMap,
} from '../domain/company.ts';
import { evaluation, evaluationStream, triedBy } from '../domain/evaluation/evaluation.ts';
import type { Tried } from '../domain/evaluation/gate.ts';
import type { Retention } from '../domain/retention.ts';
import { type WorkflowDefinition, workflow, workflowStream } from '../domain/workflow.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { CommandPorts, Context, Handled } from './handle.ts';
import { load } from './load.ts';

type AdministerPorts = Omit<CommandPorts, 'clock'> & Readonly<{ log: EventLog }>;

/** `version`: what the definition shall become; `force`: why, although a gate refuses it (evaluations-15). */
type Publication = Readonly<{
  version?: number | undefined;
  ulid?: string;
  evaluationId?: string | undefined;
  force?: string | undefined;
}>;

/** A company as the log has it. Throws `CompanyNotFound`. */
export const requireCompany = async (log: EventLog, companyId: string): Promise<Company> => {
  const found = await load(log, company, companyStream(companyId));
  if (found) return found;
  throw new DomainError('CompanyNotFound', `There is no company ${companyId}.`);
};

/** What a gate wants to know of an evaluation; null where there is none. */
const triedOf = async (
  log: EventLog,
  evaluationId: string,
  definition: WorkflowDefinition,
): Promise<Tried | null> => {
  const found = await load(log, evaluation, evaluationStream(evaluationId));
  return found && triedBy(found, (tried) => isDeepStrictEqual(tried, JSON.parse(JSON.stringify(definition))));
};

/** The administrators' commands on companies and workflows. Each gives the position of its last event. */
export const administer = (ports: AdministerPorts) => {
  const { handle, log, ids } = ports;

  const changeAssignment =
    (type: 'AssignWorkflow' | 'UnassignWorkflow') =>
    async (slug: string, companyId: string, context: Context): Promise<Position> => {
      await requireCompany(log, companyId);
      const { position } = await handle(workflow, workflowStream(slug), { type, companyId }, context);
      return position;
    };

  return {
    /** `ulid` names the company: a new one, unless it was reserved for the request. */
    createCompany: async (
      name: string,
      context: Context,
      ulid = ids.ulid(),
    ): Promise<{ id: string; position: Position }> => {
      const id = `cmp_${ulid}`;
      const command = { type: 'CreateCompany', companyId: id, name } as const;
      const { position } = await handle(company, companyStream(id), command, context);
      return { id, position };
    },

    /** Changes which claim gives the company's people their roles (logins-14). Throws `CompanyNotFound`. */
    changeLogIn: (
      companyId: string,
      roleMap: RoleMap | null,
      context: Context,
      guard?: (revision: number) => void,
    ): Promise<Pick<Handled<unknown, never>, 'position' | 'revision'>> => {
      const command = { type: 'ChangeLogIn', roleMap } as const;
      return handle(company, companyStream(companyId), command, context, { guard });
    },

    /** Changes how long what the company sent is kept (retention-1). Throws `CompanyNotFound`. */
    changeRetention: (
      companyId: string,
      retention: Retention,
      context: Context,
      guard?: (revision: number) => void,
    ): Promise<Pick<Handled<unknown, never>, 'position' | 'revision'>> => {
      const command = { type: 'ChangeRetention', retention } as const;
      return handle(company, companyStream(companyId), command, context, { guard });
    },

    /** Changes what the company has set of a workflow for itself (workflows-20). Throws `CompanyNotFound`. */
    changeWorkflow: (
      companyId: string,
      change: CompanyWorkflowSettings,
      context: Context,
      guard?: (revision: number) => void,
    ): Promise<Pick<Handled<unknown, never>, 'position' | 'revision'>> => {
      const command = { type: 'ChangeWorkflow', ...change } as const;
      return handle(company, companyStream(companyId), command, context, { guard });
    },

    /**
     * Publishes the next version of a valid definition. Throws `WorkflowVersionTaken` where another than
     * `version` is the next one, and `PublishGateClosed` where what the evaluation has shown does not pass
     * the gate of the newest version and no reason is given to `force` it. `ulid` names a new workflow.
     */
    publishWorkflow: async (
      definition: WorkflowDefinition,
      context: Context,
      { ulid = ids.ulid(), evaluationId, ...given }: Publication = {},
    ) => {
      const tried = evaluationId ? await triedOf(log, evaluationId, definition) : null;
      const named = { workflowId: `wf_${ulid}`, definition, tried };
      const command = { type: 'PublishWorkflow', ...named, ...given } as const;
      const { state, position } = await handle(workflow, workflowStream(definition.slug), command, context);
      return { version: state?.version ?? 0, position };
    },

    /** Lets a company open sessions. Throws `WorkflowNotFound`, `CompanyNotFound`. */
    assignWorkflow: changeAssignment('AssignWorkflow'),

    /** Stops new sessions of a company. Throws `WorkflowNotFound`, `CompanyNotFound`. */
    unassignWorkflow: changeAssignment('UnassignWorkflow'),
  };
};
