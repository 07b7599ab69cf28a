// The screens of administrators, which are loaded as one.
export { default as Activity } from './activity/activity.tsx';
export { default as Companies } from './companies/companies.tsx';
export { default as CompanyLogIn } from './companies/companyLogIn.tsx';
export { default as Endpoints } from './endpoints/endpoints.tsx';
export { default as Figures } from './figures/figures.tsx';
export { default as Keys } from './keys/keys.tsx';
export { default as Operations } from './operations/operations.tsx';
export { default as People } from './people/people.tsx';
export { default as Sessions } from './sessions.tsx';
export { default as WorkflowEditor } from './workflows/editor.tsx';
export { default as Workflow } from './workflows/workflow.tsx';
export { default as Workflows } from './workflows/workflows.tsx';
