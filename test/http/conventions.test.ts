import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('conventions of every answer');
let service: TestService;
/** Answers of every kind that a submission has a part in. */
let answers: Readonly<Record<string, unknown>>;

test.before(async () => {
  service = await sharedService();
  const { api } = await service.company();
  const input = { webhookUrl: `${service.receiver.url}/hook`, batchRef: 'conventions' };
  const session = await api.open([receiptText()], input);
  const { body: submitted } = await api.submit(session);
  await api.ended(session);
  const { body: told } = await service.receiver.waitFor(({ path }) => path === '/hook');
  const submission = `/api/v1/submissions/${session.submissionId}`;
  const paths = {
    job: `/api/v1/jobs/${session.sessionId}`,
    detail: submission,
    past: `${submission}/events`,
    list: '/api/v1/submissions',
    workflows: '/api/v1/workflows',
    companies: '/api/v1/companies',
    batch: '/api/v1/batches/conventions',
    deliveries: '/api/v1/webhook-deliveries',
    feed: '/api/v1/events',
  };
  const read = Object.entries(paths).map(async ([name, path]) => [name, (await api.get(path)).body] as const);
  answers = {
    session,
    submitted,
    webhook: JSON.parse(told.toString()),
    ...Object.fromEntries(await Promise.all(read)),
  };
});

type Member = Readonly<{ at: string; name: string; value: unknown }>;

const membersOf = (value: unknown, at = ''): readonly Member[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) => [
        { at: `${at}/${name}`, name, value: member },
        ...membersOf(member, `${at}/${name}`),
      ]);

const texts = () =>
  membersOf(answers).flatMap(({ at, name, value }) =>
    typeof value === 'string' ? [{ at, name, value }] : [],
  );

test('times are ISO 8601 in UTC with milliseconds [formats-2]', () => {
  const times = texts().filter(({ name }) => /At$/.test(name));
  assert.ok(times.length > 15, `${times.length} times`);
  for (const { at, value } of times) assert.match(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, at);
});

test('identifiers are a type prefix and a lower-case ULID; a session and its submission share one [formats-4, formats-5]', () => {
  const prefixes: Readonly<Record<string, string>> = {
    sessionId: 'ses',
    submissionId: 'sub',
    fileId: 'fil',
    companyId: 'cmp',
  };
  const ids = texts().filter(({ name }) => name in prefixes);
  assert.equal([...new Set(ids.map(({ name }) => name))].sort(), Object.keys(prefixes).sort());
  for (const { at, name, value } of ids)
    assert.match(value, new RegExp(`^${prefixes[name]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`), at);
  const { sessionId, submissionId } = answers.job as Readonly<Record<'sessionId' | 'submissionId', string>>;
  assert.is(sessionId.slice(4), submissionId.slice(4));
});

test('scores, confidences and certainties are numbers from 0 to 1 [formats-6]', () => {
  const shares = membersOf(answers).filter(
    ({ at, name, value }) =>
      typeof value === 'number' &&
      (/^(fraudScore|score|similarity|confidence|certainty)$/.test(name) ||
        /fieldConfidences\/\w+$/.test(at)),
  );
  assert.ok(shares.length >= 6, `${shares.length} shares`);
  for (const { at, value } of shares) assert.ok((value as number) >= 0 && (value as number) <= 1, at);
});

test('names of members are camelCase, in every schema of the document [formats-1]', async () => {
  const document: unknown = await (await fetch(`${service.url}/openapi.json`)).json();
  const names = membersOf(document)
    .filter(({ at }) => /\/properties\/[^/]+$/.test(at))
    .map(({ name }) => name);
  assert.ok(names.length > 200, `${names.length} names`);
  for (const name of names) assert.match(name, /^[a-z][A-Za-z0-9]*$/);
});
