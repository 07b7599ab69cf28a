import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import type { EventOf } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, meaning, nullable, type Of, oneOf, record, Type, text } from '../kernel/schema.ts';
import { companyRoles } from '../kernel/scope.ts';
import { isSameRetention, noRetention, Retention } from './retention.ts';
import { isSameWorkflowSettings, settingsOf, WorkflowSettings } from './workflowSettings.ts';

/** The stream of a company: `company-<ulid>`. */
export const companyStream = (companyId: string): string => `company-${companyId.slice(4)}`;

/** Which claim of the identity provider says the role of a company's people, and what it says. */
export const RoleMap = closed({
  claim: text(
    'the name of the claim, or its path (realm_access.roles); its value is a text or a list of texts',
  ),
  roles: record(oneOf(companyRoles), 'the role by the claim’s value'),
});
export type RoleMap = Of<typeof RoleMap>;

const events = {
  CompanyCreated: {
    about: 'A customer of the platform was registered.',
    data: closed({ companyId: Type.String(), name: Type.String() }),
  },
  CompanyLogInChanged: {
    about: 'How the company’s people log in was changed.',
    data: closed({
      companyId: Type.String(),
      roleMap: meaning(nullable(RoleMap), 'null: roles are those of the invitations'),
    }),
  },
  CompanyRetentionChanged: {
    about: 'How long what the company sent is kept was changed.',
    data: closed({ companyId: Type.String(), retention: Retention }),
  },
  CompanyWorkflowChanged: {
    about: 'What the company has set of a workflow for itself was changed.',
    data: closed({ companyId: Type.String(), slug: Type.String(), settings: WorkflowSettings }),
  },
} as const satisfies EventDefinitions;

export type CompanyEvent = EventsOf<typeof events>;
export type Company = Readonly<{
  id: string;
  name: string;
  roleMap: RoleMap | null;
  retention: Retention;
  /** By slug. */
  workflows: Readonly<Record<string, WorkflowSettings>>;
}>;

const evolve = evolveBy<Company | null, CompanyEvent>({
  CompanyCreated: (_state, { companyId, name }) => ({
    ...{ id: companyId, name, roleMap: null },
    retention: noRetention,
    workflows: {},
  }),
  CompanyLogInChanged: (state, { roleMap }) => state && { ...state, roleMap },
  CompanyRetentionChanged: (state, { retention }) => state && { ...state, retention },
  CompanyWorkflowChanged: (state, { slug, settings }) =>
    state && { ...state, workflows: { ...state.workflows, [slug]: settings } },
});

/** What is set of a workflow. */
export type CompanyWorkflowSettings = Readonly<{ slug: string; settings: WorkflowSettings }>;

const decisions = {
  CreateCompany: (facts: EventOf<CompanyEvent, 'CompanyCreated'>['data'], state) => {
    if (state !== null) throw new DomainError('CompanyExists', 'There is a company of that identifier.');
    return [{ type: 'CompanyCreated', data: facts }];
  },
  ChangeLogIn: ({ roleMap }: Pick<Company, 'roleMap'>, state) => {
    const { id: companyId, ...found } = present(state);
    return isSame(roleMap, found.roleMap)
      ? []
      : [{ type: 'CompanyLogInChanged', data: { companyId, roleMap } }];
  },
  ChangeRetention: ({ retention }: Pick<Company, 'retention'>, state) => {
    const { id: companyId, ...found } = present(state);
    if (isSameRetention(retention, found.retention)) return [];
    return [{ type: 'CompanyRetentionChanged', data: { companyId, retention } }];
  },
  ChangeWorkflow: ({ slug, settings }: CompanyWorkflowSettings, state) => {
    const { id: companyId, workflows } = present(state);
    if (isSameWorkflowSettings(settings, settingsOf(workflows, slug))) return [];
    return [{ type: 'CompanyWorkflowChanged', data: { companyId, slug, settings } }];
  },
} satisfies Decisions<Company | null, CompanyEvent>;

const present = (state: Company | null): Company => {
  if (state === null) throw new DomainError('CompanyNotFound', 'There is no such company.');
  return state;
};

const isSame = (one: RoleMap | null, other: RoleMap | null): boolean =>
  one?.claim === other?.claim && sorted(one) === sorted(other);

const sorted = (map: RoleMap | null): string => JSON.stringify(Object.entries(map?.roles ?? {}).sort());

/** The role that claims give by a company's map (logins-14); null for none. */
export const roleByClaims = (
  { claim, roles }: RoleMap,
  claims: Readonly<Record<string, unknown>>,
): (typeof companyRoles)[number] | null => {
  const values = [valueAt(claims, claim)].flat();
  const given = Object.entries(roles).flatMap(([value, role]) => (values.includes(value) ? role : []));
  return companyRoles.find((role) => given.includes(role)) ?? null;
};

/** The value of a claim by its name, or within others by their names with dots between them. */
const valueAt = (claims: Readonly<Record<string, unknown>>, claim: string): unknown => {
  // A name may have dots itself: "https://example.com/roles".
  if (Object.hasOwn(claims, claim)) return claims[claim];
  for (const [name, within] of Object.entries(claims))
    if (claim.startsWith(`${name}.`) && typeof within === 'object' && within !== null)
      return valueAt(within as Readonly<Record<string, unknown>>, claim.slice(name.length + 1));
  return undefined;
};

/** A customer of the platform: the scope of its keys, submissions and batches. */
export const company: Decider<Company | null, CommandOf<typeof decisions>, CompanyEvent> = {
  category: 'company-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: () => null,
};
