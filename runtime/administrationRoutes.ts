import { load, loadStream } from '../commands/load.ts';
import { apiKey, apiKeyStream } from '../domain/apiKey.ts';
import { company as companyDecider, companyStream } from '../domain/company.ts';
import { invitation, invitationStream } from '../domain/invitation.ts';
import { user, userStream } from '../domain/user.ts';
import type { RateLimits } from '../http/engine/access/rateLimits.ts';
import type { Route } from '../http/engine/route.ts';
import { activityRoutes } from '../http/routes/activity.ts';
import { companyRoutes } from '../http/routes/companies.ts';
import { companyWorkflowRoutes } from '../http/routes/companyWorkflow.ts';
import { inviteRoutes } from '../http/routes/invite.ts';
import { keyRoutes } from '../http/routes/keys.ts';
import { peopleRoutes } from '../http/routes/people.ts';
import { publishWorkflowRoutes } from '../http/routes/publishWorkflow.ts';
import { redactPeopleRoutes } from '../http/routes/redactPeople.ts';
import { retentionRoutes } from '../http/routes/retention.ts';
import { workflowDefinitionRoutes } from '../http/routes/workflowDefinitions.ts';
import { endpointRules } from '../outbound/endpointRules.ts';
import { standardWebhooksSecret } from '../outbound/sign.ts';
import { withUse } from '../projections/apiKeys.ts';
import type { Config } from './settings/config.ts';
import { isOwnSetting } from './settings/table.ts';
import type { Core } from './wire.ts';

type AdministrationCore = Pick<
  Core,
  'log' | 'administer' | 'credentials' | 'keys' | 'keysLeft' | 'users' | 'invitations' | 'redactPeople'
> &
  Pick<Core, 'apiKeys' | 'companies' | 'submissions' | 'workflows' | 'workflowCatalog' | 'activity'> &
  Pick<Core, 'clock' | 'retained'>;

/**
 * The routes by which companies, their keys, their people and their workflows are administered. `publicUrl`:
 * known once the service listens.
 */
export const administrationRoutes = (
  config: Pick<Config, 'webhook' | 'secretOf'>,
  core: AdministrationCore,
  { publicUrl, rateLimits }: Readonly<{ publicUrl(): string; rateLimits: Pick<RateLimits, 'invitation'> }>,
): readonly Route[] => {
  const { log, keys, users, invitations, credentials, submissions } = core;
  const company = core.companies.find;
  const issued = (invitationId: string) => load(log, invitation, invitationStream(invitationId));
  const current = (userId: string) => load(log, user, userStream(userId));
  return [
    ...activityRoutes({ activity: core.activity }),
    ...companyRoutes({ ...core.companies, createCompany: core.administer.createCompany }),
    ...keyRoutes({
      keys,
      ...core.apiKeys,
      company,
      standardWebhooksSecret,
      current: (keyId) => load(log, apiKey, apiKeyStream(keyId)),
      withUse: withUse({ rows: credentials.byIds, countOpen: submissions.countOpen }),
    }),
    ...peopleRoutes({
      users,
      company,
      keysLeft: core.keysLeft,
      publicUrl,
      limit: rateLimits.invitation,
      current,
      issued,
    }),
    ...workflowDefinitionRoutes({ catalog: core.workflowCatalog, workflows: core.workflows }),
    ...publishWorkflowRoutes({
      ...core.administer,
      find: core.workflowCatalog.find,
      company,
      rules: endpointRules({ ...config.webhook, secretOf: config.secretOf, isReserved: isOwnSetting }),
    }),
    ...companyWorkflowRoutes({
      current: (companyId) => loadStream(log, companyDecider, companyStream(companyId)),
      find: core.workflows.find,
      changeWorkflow: core.administer.changeWorkflow,
    }),
    ...retentionRoutes({
      ...core.retained,
      clock: core.clock,
      current: (companyId) => loadStream(log, companyDecider, companyStream(companyId)),
      changeRetention: core.administer.changeRetention,
    }),
    ...redactPeopleRoutes({ ...core.redactPeople, current, issued }),
    ...inviteRoutes({
      invitations,
      company,
      publicUrl,
      issued,
      limit: rateLimits.invitation,
    }),
  ];
};
