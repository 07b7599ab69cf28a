import * as assert from 'uvu/assert';
import { company, companyStream } from '../../domain/company.ts';
import { examples } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('company');
const created = examples.CompanyCreated;
const create = { type: 'CreateCompany', ...created.data } as const;

test('a company is created', () => given(company).when(create).then(created));

test('an identifier is used once', () =>
  void given(company, created).when(create).thenRefused('CompanyExists'));

test('its state has the members of its event', () => {
  assert.equal(given(company, created).state, { id: created.data.companyId, name: 'ACME' });
  assert.is(company.subject(created), null);
  assert.is(companyStream('cmp_x'), 'company-x');
});
