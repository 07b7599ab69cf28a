import * as assert from 'uvu/assert';
import { company, companyStream, roleByClaims } from '../../domain/company.ts';
import { noRetention } from '../../domain/retention.ts';
import { noWorkflowSettings } from '../../domain/workflowSettings.ts';
import { examples } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('company');
const { CompanyCreated: created, CompanyLogInChanged: changed, CompanyRetentionChanged: kept } = examples;
const { CompanyWorkflowChanged: adjusted } = examples;
const create = { type: 'CreateCompany', ...created.data } as const;

test('a company is created', () => given(company).when(create).then(created));

test('an identifier is used once', () =>
  void given(company, created).when(create).thenRefused('CompanyExists'));

test('how people log in is changed, and changing it to what it is is no event [logins-14]', () => {
  const { roleMap } = changed.data;
  const to = (next: typeof roleMap) => ({ type: 'ChangeLogIn', roleMap: next }) as const;
  given(company, created).when(to(roleMap)).then(changed);
  given(company, created, changed).when(to(roleMap)).then();
  given(company, created).when(to(null)).then();
  const none = { ...changed, data: { ...changed.data, roleMap: null } };
  given(company, created, changed).when(to(null)).then(none);
  const two = (roles: NonNullable<typeof roleMap>['roles']) => ({ claim: 'groups', roles });
  const both = { ...changed, data: { ...changed.data, roleMap: two({ a: 'reviewer', b: 'auditor' }) } };
  given(company, created, both)
    .when(to(two({ b: 'auditor', a: 'reviewer' })))
    .then();
  given(company, created, both)
    .when(to(two({ a: 'auditor', b: 'auditor' })))
    .thenTypes('CompanyLogInChanged');
  given(company).when(to(null)).thenRefused('CompanyNotFound');
});

test('its retention is changed, and changing it to what it is is no event [retention-1]', () => {
  const { retention } = kept.data;
  const to = (next: typeof retention) => ({ type: 'ChangeRetention', retention: next }) as const;
  given(company, created).when(to(retention)).then(kept);
  given(company, created).when(to(noRetention)).then();
  given(company, created, kept).when(to(retention)).then();
  const { workflows } = retention;
  const two = {
    ...kept,
    data: { ...kept.data, retention: { ...retention, workflows: { ...workflows, a: 1 } } },
  };
  given(company, created, two)
    .when(to({ ...retention, workflows: { a: 1, ...workflows } }))
    .then();
  for (const next of [{ perDay: 1 }, { isEnforced: false }, { workflows: {} }, { sessionDays: null }])
    given(company, created, kept)
      .when(to({ ...retention, ...next }))
      .thenTypes('CompanyRetentionChanged');
  given(company).when(to(noRetention)).thenRefused('CompanyNotFound');
});

test('what it sets of a workflow is changed, and changing it to what it is is no event [workflows-20]', () => {
  const { slug, settings } = adjusted.data;
  const to = (next: typeof settings, of = slug) =>
    ({ type: 'ChangeWorkflow', slug: of, settings: next }) as const;
  given(company, created).when(to(settings)).then(adjusted);
  given(company, created).when(to(noWorkflowSettings, 'constructor')).then();
  given(company, created, adjusted).when(to(settings)).then();
  given(company, created, adjusted).when(to(settings, 'other')).thenTypes('CompanyWorkflowChanged');
  for (const next of [{ labels: {} }, { reviewBelow: null }, { fieldsBelow: {} }, { review: null }])
    given(company, created, adjusted)
      .when(to({ ...settings, ...next }))
      .thenTypes('CompanyWorkflowChanged');
  given(company).when(to(settings)).thenRefused('CompanyNotFound');
});

test('a claim gives the first role of org_admin, reviewer and auditor that one of its values has [logins-14]', () => {
  const map = { claim: 'groups', roles: { a: 'auditor', r: 'reviewer', o: 'org_admin' } } as const;
  const role = (groups: unknown) => roleByClaims(map, { groups });
  assert.equal(['a', 'r', 'o'].map(role), ['auditor', 'reviewer', 'org_admin']);
  assert.equal([role(['a', 'r']), role(['x', 'r', 'o', 'a']), role(['x'])], ['reviewer', 'org_admin', null]);
  for (const odd of [undefined, null, '', [], {}, { a: 1 }, ['A'], [['a']], 'a,r', 1, true, ['constructor']])
    assert.is(role(odd), null, JSON.stringify(odd));
  assert.is(roleByClaims(map, {}), null);
  const odd = { claim: 'constructor', roles: {} };
  assert.is(roleByClaims(odd, {}), null);
});

test('a claim may be a path to one within others, unless its name has the dots itself [logins-14]', () => {
  const roles = { o: 'org_admin' } as const;
  const role = (claim: string, claims: Readonly<Record<string, unknown>>) =>
    roleByClaims({ claim, roles }, claims);
  assert.is(role('realm_access.roles', { realm_access: { roles: ['x', 'o'] } }), 'org_admin');
  assert.is(
    role('resource_access.intake.roles', { resource_access: { intake: { roles: 'o' } } }),
    'org_admin',
  );
  assert.is(role('https://example.com/roles', { 'https://example.com/roles': ['o'] }), 'org_admin');
  assert.is(role('a.b', { 'a.b': 'x', a: { b: 'o' } }), null);
  for (const claims of [
    { realm_access: null },
    { realm_access: 'o' },
    { realm_access: ['o'] },
    { realm: {} },
  ])
    assert.is(role('realm_access.roles', claims), null, JSON.stringify(claims));
  assert.is(role('realm_access.constructor', { realm_access: {} }), null);
});

test('its state has the members of its event', () => {
  assert.equal(given(company, created).state, {
    id: created.data.companyId,
    name: 'ACME',
    roleMap: null,
    retention: noRetention,
    workflows: {},
  });
  assert.is(company.subject(created), null);
  assert.is(companyStream('cmp_x'), 'company-x');
});
