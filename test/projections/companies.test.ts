import { apiKeys } from '../../projections/apiKeys.ts';
import { companies } from '../../projections/companies.ts';
import { examples, logged, timeOf } from '../controls/events.ts';
import { type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('projections of companies and keys');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const { CompanyCreated, CompanyRetentionChanged, ApiKeyCreated, ApiKeyRevoked, ApiKeyRotated } = examples;
const { CompanyWorkflowChanged } = examples;
const { companyId } = CompanyCreated.data;
const { keyId } = ApiKeyCreated.data;
const key = {
  id: keyId,
  name: 'server',
  companyId,
  mode: 'live',
  createdAt: timeOf(1),
  createdBy: 'operator',
  ...{ revokedAt: null, expiresAt: null, replacedBy: null },
};

test('a company, and its retention [retention-1]', async () => {
  const row = { id: companyId, name: 'ACME', createdAt: timeOf(1), retention: null };
  await given(companies, logged([CompanyCreated]), () => stores).then({ [companyId]: row });
  const { retention } = CompanyRetentionChanged.data;
  const changed = logged([CompanyCreated, CompanyRetentionChanged]);
  await given(companies, changed, () => stores).then({ [companyId]: { ...row, retention } });
});

test('what a company has set of a workflow [workflows-20]', async () => {
  const row = { id: companyId, name: 'ACME', createdAt: timeOf(1), retention: null };
  const { slug, settings } = CompanyWorkflowChanged.data;
  await given(companies, logged([CompanyCreated, CompanyWorkflowChanged]), () => stores).then({
    [companyId]: { ...row, workflows: { [slug]: settings } },
  });
});

test('a key', () => given(apiKeys, logged([ApiKeyCreated]), () => stores).then({ [keyId]: key }));

test('a revoked key', () =>
  given(apiKeys, logged([ApiKeyCreated, ApiKeyRevoked]), () => stores).then({
    [keyId]: { ...key, revokedAt: timeOf(2) },
  }));

test('a rotated key', () => {
  const { expiresAt, newKeyId: replacedBy } = ApiKeyRotated.data;
  return given(apiKeys, logged([ApiKeyCreated, ApiKeyRotated]), () => stores).then({
    [keyId]: { ...key, expiresAt, replacedBy },
  });
});
