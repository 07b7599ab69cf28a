import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { sharedService } from '../support/service.ts';

const test = suite('submissions of a person');
let api: Client;
let other: Client;

test.before(async () => {
  const service = await sharedService();
  api = (await service.company()).api;
  other = (await service.company()).api;
});

const found = async (metadata: string, rest = '', by = api): Promise<readonly string[]> => {
  const { status, body } = await by.get(
    `/api/v1/submissions?metadata=${encodeURIComponent(metadata)}${rest}`,
  );
  assert.is(status, 200, metadata);
  return body.data.map(({ id }: { id: string }) => id);
};
const opened = async (metadata: object, more: object = {}): Promise<string> =>
  (await api.open([], { metadata, ...more })).submissionId;

test('they are found by a member of metadata, exactly, with the other filters [subjects-1]', async () => {
  const second = await opened({ customer: '4711', n: 12.5, isNew: true, 'a b': 'x=y', constructor: 'z' });
  const first = await opened({ customer: '4711' }, { clientSubmissionId: 'first' });
  await opened({ customer: '4712', deep: { customer: '4711' }, list: ['4711'], none: null });
  assert.equal(await found('customer=4711'), [first, second]);
  assert.equal(await found('customer=4711', '&clientSubmissionId=first'), [first]);
  assert.equal(await found('customer=4711', '&status=approved'), []);
  for (const member of ['n=12.5', 'isNew=true', 'a b=x=y', 'constructor=z'])
    assert.equal(await found(member), [second], member);
  for (const member of ['none=null', 'list=4711', 'toString=']) assert.equal(await found(member), [], member);
  assert.equal(await found('customer=4711', '', other), []);
  for (const malformed of ['customer', '=4711', '']) {
    const { status, body } = await api.get(`/api/v1/submissions?metadata=${malformed}`);
    assert.equal([status, body.errors[0].pointer], [400, '/query/metadata'], malformed);
  }
});

test('a part of a name or a value finds nothing, nor does a search [subjects-2]', async () => {
  await opened({ passport: 'C01X00T47' });
  for (const member of ['passport=C01X00T4', 'passport=c01x00t47', 'passpor=C01X00T47', 'passport='])
    assert.equal(await found(member), [], member);
  const { body } = await api.get('/api/v1/submissions?q=C01X00T47');
  assert.equal(body.data, []);
});

test('a redacted submission is not found by its metadata [subjects-3]', async () => {
  const id = await opened({ person: 'Zoë' });
  assert.equal(await found('person=Zoë'), [id]);
  const basis = { reason: 'article 17', legalBasis: 'erasure_request' };
  assert.is((await api.post(`/api/v1/submissions/${id}/redact`, basis)).status, 202);
  await eventually('it is gone', async () => (await found('person=Zoë')).length === 0);
});
