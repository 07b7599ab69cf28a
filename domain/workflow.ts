import { type Decider, DomainError, never } from '../kernel/decider.ts';
import type { Event } from '../kernel/event.ts';
import type { FraudCheckType } from './fraud/checks.ts';
import type { PictureQuality } from './pictureQuality.ts';

/** The stream of a workflow: `workflow-<slug>`; the slug is its name for ever. */
export const workflowStream = (slug: string): string => `workflow-${slug}`;

/** The types that a field of the output may have (definitions-5). */
export const fieldTypes = ['string', 'number', 'integer', 'boolean', 'date'] as const;
/** What a version may do about the matches of a check, whatever their score; `allow` lists them and no more. */
export const fraudAnswers = ['flag', 'block', 'allow'] as const;
export type FraudAnswers = Readonly<Partial<Record<FraudCheckType, (typeof fraudAnswers)[number]>>>;
export type OutputField = Readonly<{
  name: string;
  label: string | null;
  required: boolean;
  description: string | null;
  type: (typeof fieldTypes)[number];
  validation: Readonly<{ pattern?: string; minLength?: number; maxLength?: number }> | null;
}>;
export type Endpoint = Readonly<{ url: string; secretEnv: string }>;
export type Processing = Readonly<{
  extractor: 'document' | 'json' | Readonly<{ http: Endpoint }>;
  review: 'auto' | 'always';
  reviewBelow: number;
  /** Absent in versions that were published before there were limits: those have the usual ones. */
  quality?: PictureQuality;
  fraud: Readonly<{
    checks: readonly FraudCheckType[];
    businessKey: readonly string[];
    flagAt: number;
    blockAt: number;
    requireResolution: boolean;
    /** By check; what is not named goes by its score. Absent where none is. */
    policy?: FraudAnswers;
  }>;
  sync: Endpoint | null;
}>;
export type Upload = Readonly<{
  minFiles: number;
  maxFiles: number;
  acceptedFormats: readonly string[];
  fileLabels: readonly string[];
  maxFileSizeMb: number;
}>;

/** What a publisher writes, with every default filled in (definitions-2). */
export type WorkflowDefinition = Readonly<{
  slug: string;
  name: string;
  description: string | null;
  icon: string | null;
  color: string | null;
  upload: Upload;
  outputSchema: readonly OutputField[];
  processing: Processing;
}>;

/** A published version: it never changes. */
export type WorkflowVersion = WorkflowDefinition & Readonly<{ workflowId: string; version: number }>;

export type WorkflowPublished = Event<'WorkflowPublished', WorkflowVersion>;
type Assignment = Readonly<{ workflowId: string; slug: string; companyId: string }>;
export type WorkflowAssigned = Event<'WorkflowAssigned', Assignment>;
export type WorkflowUnassigned = Event<'WorkflowUnassigned', Assignment>;
export type WorkflowEvent = WorkflowPublished | WorkflowAssigned | WorkflowUnassigned;

export type Workflow = Readonly<{
  workflowId: string;
  slug: string;
  version: number;
  companies: readonly string[];
}>;

/** `workflowId` is used for a new workflow only. */
export type PublishWorkflow = Readonly<{
  type: 'PublishWorkflow';
  workflowId: string;
  definition: WorkflowDefinition;
}>;
export type AssignWorkflow = Readonly<{ type: 'AssignWorkflow'; companyId: string }>;
export type UnassignWorkflow = Readonly<{ type: 'UnassignWorkflow'; companyId: string }>;
export type WorkflowCommand = PublishWorkflow | AssignWorkflow | UnassignWorkflow;

const evolve = (state: Workflow | null, event: WorkflowEvent): Workflow | null => {
  switch (event.type) {
    case 'WorkflowPublished': {
      const { workflowId, slug, version } = event.data;
      return { workflowId, slug, version, companies: state?.companies ?? [] };
    }
    case 'WorkflowAssigned':
      return state && { ...state, companies: [...state.companies, event.data.companyId] };
    case 'WorkflowUnassigned':
      return state && { ...state, companies: state.companies.filter((id) => id !== event.data.companyId) };
    default:
      return never(event);
  }
};

const decide = (command: WorkflowCommand, state: Workflow | null): readonly WorkflowEvent[] => {
  if (command.type === 'PublishWorkflow') {
    const workflowId = state?.workflowId ?? command.workflowId;
    const data = { ...command.definition, workflowId, version: (state?.version ?? 0) + 1 };
    return [{ type: 'WorkflowPublished', data }];
  }
  if (!state) throw new DomainError('WorkflowNotFound', 'There is no such workflow.');
  const { workflowId, slug } = state;
  const { companyId } = command;
  const assigned = state.companies.includes(companyId);
  switch (command.type) {
    case 'AssignWorkflow':
      return assigned ? [] : [{ type: 'WorkflowAssigned', data: { workflowId, slug, companyId } }];
    case 'UnassignWorkflow':
      return assigned ? [{ type: 'WorkflowUnassigned', data: { workflowId, slug, companyId } }] : [];
    default:
      return never(command);
  }
};

/** A workflow: its published versions and the companies it is assigned to. */
export const workflow: Decider<Workflow | null, WorkflowCommand, WorkflowEvent> = {
  category: 'workflow-',
  initial: null,
  evolve,
  decide,
  subject: () => null,
};
