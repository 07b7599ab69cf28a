import { type Role, roles } from '../kernel/scope.ts';

/**
 * `scope`: whether what it permits belongs to one company and mode. `keys`: whether API keys have it;
 * `roles`: which people.
 */
export type Permission = Readonly<{
  about: string;
  scope: 'company' | 'any';
  keys: boolean;
  roles: readonly Role[];
}>;

const deciders = ['reviewer', 'org_admin', 'super_admin'] as const;
const administrators = ['org_admin', 'super_admin'] as const;
const overseers = ['org_admin', 'auditor', 'super_admin'] as const;
const platform = ['super_admin'] as const;

/**
 * Who may do what (people-1): checks, documentation and tests are made of this. Routes name the permission
 * that they need.
 */
export const permissions = {
  'workflows.read': { about: 'see the workflows of the company', scope: 'company', keys: true, roles },
  'sessions.use': {
    about: 'open sessions, upload, submit and poll jobs: the key signs what is reported of them',
    scope: 'company',
    keys: true,
    roles: [],
  },
  'submissions.read': {
    about: 'see submissions, their files, history and fraud matches, and batches',
    scope: 'company',
    keys: true,
    roles,
  },
  'submissions.decide': {
    about:
      'approve, reject and cancel submissions, resolve fraud matches, and have failed ones processed again or their values typed',
    scope: 'company',
    keys: true,
    roles: deciders,
  },
  'submissions.claim': {
    about: 'claim submissions in review, to be the one who looks at them',
    scope: 'company',
    keys: false,
    roles: deciders,
  },
  'submissions.redact': {
    about: 'redact submissions, and place and lift legal holds',
    scope: 'company',
    keys: true,
    roles: administrators,
  },
  'figures.read': {
    about: 'see figures of reviews: what became of submissions, and what people corrected',
    scope: 'company',
    keys: true,
    roles: overseers,
  },
  'evidence.export': {
    about: 'export the signed evidence of submissions, and see who did; get certificates of redactions',
    scope: 'company',
    keys: false,
    roles: overseers,
  },
  'activity.read': {
    about: 'see what people and keys did in the company',
    scope: 'company',
    keys: false,
    roles: overseers,
  },
  'deliveries.read': { about: 'see webhook deliveries', scope: 'company', keys: true, roles },
  'deliveries.send': {
    about: 'send webhook deliveries again',
    scope: 'company',
    keys: true,
    roles: administrators,
  },
  'endpoints.read': {
    about: 'see the webhook endpoints of the company, without their secrets',
    scope: 'company',
    keys: true,
    roles: overseers,
  },
  'endpoints.manage': {
    about: 'create, change, rotate, test, disable and delete webhook endpoints of the company',
    scope: 'company',
    keys: true,
    roles: administrators,
  },
  'webhooks.test': { about: 'test a webhook address', scope: 'any', keys: true, roles: administrators },
  'events.read': { about: 'poll the events of the key', scope: 'company', keys: true, roles: [] },
  'companies.read': { about: 'see the company; a super_admin all of them', scope: 'any', keys: true, roles },
  'companies.manage': { about: 'create companies', scope: 'any', keys: false, roles: platform },
  'keys.own': { about: 'see which key it is', scope: 'company', keys: true, roles: [] },
  'keys.read': {
    about: 'see the API keys of the company, without their secrets; a super_admin all of them',
    scope: 'any',
    keys: false,
    roles: overseers,
  },
  'keys.manage': {
    about: 'make, rotate and revoke API keys of the company; a super_admin all of them',
    scope: 'any',
    keys: false,
    roles: administrators,
  },
  'people.read': {
    about: 'see the people of the company, and who was invited; a super_admin all of them',
    scope: 'any',
    keys: false,
    roles: overseers,
  },
  'people.manage': {
    about: 'invite, change, disable, reset and redact people of the company; a super_admin all of them',
    scope: 'any',
    keys: false,
    roles: administrators,
  },
  'people.names': { about: 'see the names of people of the company', scope: 'any', keys: false, roles },
  'workflows.inspect': {
    about: 'see the definitions of the company’s workflows, in all versions; a super_admin those of all',
    scope: 'any',
    keys: false,
    roles,
  },
  'workflows.manage': {
    about: 'publish versions of workflows, and assign them to companies',
    scope: 'any',
    keys: false,
    roles: platform,
  },
  'workflows.draft': {
    about: 'have workflow definitions drafted',
    scope: 'any',
    keys: false,
    roles: platform,
  },
  'workflows.adjust': {
    about: 'change labels, thresholds and review of the company’s workflows, for the company',
    scope: 'any',
    keys: false,
    roles: administrators,
  },
  'workflows.try': {
    about: 'have a document read by a definition of the company’s workflows, or a draft, on trial',
    scope: 'any',
    keys: false,
    roles: administrators,
  },
  'workflows.evaluate': {
    about:
      'try versions of the company’s workflows, and drafts, on approved submissions, and see the reports',
    scope: 'company',
    keys: true,
    roles: administrators,
  },
  'logIn.read': {
    about: 'see which groups of the identity provider have which role in the company',
    scope: 'any',
    keys: false,
    roles: overseers,
  },
  'logIn.manage': {
    about: 'say which groups of the identity provider have which role in the company',
    scope: 'any',
    keys: false,
    roles: administrators,
  },
  'retention.manage': {
    about: 'say how long what the company sent is kept, and see what is due by that',
    scope: 'any',
    keys: false,
    roles: administrators,
  },
  'operations.manage': {
    about: 'see how the service runs, rebuild read models, and retry what was set aside',
    scope: 'any',
    keys: false,
    roles: platform,
  },
  'own.sessions': {
    about: 'see and end the own sessions, change the own password',
    scope: 'any',
    keys: false,
    roles,
  },
} as const satisfies Readonly<Record<string, Permission>>;

export type PermissionName = keyof typeof permissions;
/** The names of all permissions, in the order of the table. */
export const permissionNames = Object.keys(permissions) as readonly PermissionName[];

/** What a role permits, in the order of the table. */
export const permissionsOf = (role: Role): readonly PermissionName[] =>
  permissionNames.filter((name) => isOf(role, permissions[name]));

const isOf = (role: Role, { roles }: Permission): boolean => roles.includes(role);
