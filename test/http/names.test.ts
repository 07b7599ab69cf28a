import * as assert from 'uvu/assert';
import { name } from '../../cli/arguments.ts';
import { suite } from '../harness.ts';
import { PASSWORD, peopleOf } from '../support/people.ts';
import { sharedService } from '../support/service.ts';

const test = suite('names of people and companies');
let people: Awaited<ReturnType<typeof peopleOf>>;
test.before(async () => {
  people = await peopleOf(await sharedService());
});
test.after(() => people.close());

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const refused = [
  ...[
    ...[...range(0, 0x1f), ...range(0x7f, 0x9f), 0x61c, 0x200b, 0x200e, 0x200f],
    ...[...range(0x2028, 0x202e), ...range(0x2066, 0x2069), 0xfeff],
  ].map((code) => `An\u0065${String.fromCodePoint(code)}x`),
  ...[' ', '\u200d\u200c', ' \u00a0 '],
];
const taken = ['Ann\u200cx', 'Ann\u200dx', 'שרה כהן', 'سارة', '😀 👩\u200d👩', 'Ren\u00e9e O’Neil-Ødegård'];
const pointerOf = ({
  status,
  body,
}: {
  status: number;
  body: { errors?: readonly { pointer: string }[] };
}) => [status, body.errors?.[0]?.pointer];

test('a name with a control character or a mark of direction is a 422, others are taken [people-21]', async () => {
  const { api } = await people.user();
  const { token } = await people.invite(people.newEmail());
  for (const one of refused) {
    const company = await api.post('/api/v1/companies', { name: one });
    assert.equal(pointerOf(company), [422, '/name'], JSON.stringify(one));
    const person = await people.complete(token, PASSWORD, { name: one });
    assert.equal(pointerOf(person), [422, '/name'], JSON.stringify(one));
  }
  for (const one of taken) {
    assert.is((await api.post('/api/v1/companies', { name: one })).status, 201, one);
    const { token: other } = await people.invite(people.newEmail());
    assert.is((await people.complete(other, PASSWORD, { name: one })).status, 201, one);
  }
});

test('the command line refuses and takes the same names [people-21]', () => {
  for (const one of refused) assert.throws(() => name(one), /marks of direction/, JSON.stringify(one));
  for (const one of taken) assert.is(name(one), one);
});
