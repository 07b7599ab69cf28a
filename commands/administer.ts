import {
  type Company,
  type CompanyWorkflowSettings,
  company,
  companyStream,
  type RoleMap,
} from '../domain/company.ts';
import type { Retention } from '../domain/retention.ts';
import { type WorkflowDefinition, workflow, workflowStream } from '../domain/workflow.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { CommandPorts, Context, Handled } from './handle.ts';
import { load } from './load.ts';

type AdministerPorts = Omit<CommandPorts, 'clock'> & Readonly<{ log: EventLog }>;

/** A company as the log has it. Throws `CompanyNotFound`. */
export const requireCompany = async (log: EventLog, companyId: string): Promise<Company> => {
  const found = await load(log, company, companyStream(companyId));
  if (found) return found;
  throw new DomainError('CompanyNotFound', `There is no company ${companyId}.`);
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
     * `version` is the next one. `ulid` names a new workflow.
     */
    publishWorkflow: async (
      definition: WorkflowDefinition,
      context: Context,
      { version, ulid = ids.ulid() }: Readonly<{ version?: number; ulid?: string }> = {},
    ) => {
      const expected = version === undefined ? {} : { version };
      const command = { type: 'PublishWorkflow', workflowId: `wf_${ulid}`, definition, ...expected } as const;
      const { state, position } = await handle(workflow, workflowStream(definition.slug), command, context);
      return { version: state?.version ?? 0, position };
    },

    /** Lets a company open sessions. Throws `WorkflowNotFound`, `CompanyNotFound`. */
    assignWorkflow: changeAssignment('AssignWorkflow'),

    /** Stops new sessions of a company. Throws `WorkflowNotFound`, `CompanyNotFound`. */
    unassignWorkflow: changeAssignment('UnassignWorkflow'),
  };
};
