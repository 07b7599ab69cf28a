import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, client } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import {
  brokenDefinition,
  type FakeModel,
  modelAnswer,
  modelDefinition,
  startFakeModel,
} from '../support/fakeModel.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('the workflow agent');
const PATH = '/api/internal/workflow-agent';
const LISTED = 'https://admin.example.com';
const KEY = 'sk-planted-agent-key';
let model: FakeModel;
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let admin: Client;
let companyId: string;
test.before(async () => {
  model = await startFakeModel();
  service = await startService({
    ...{ AGENT_URL: model.url, AGENT_KEY: KEY, AGENT_MODEL: 'small-1' },
    ALLOWED_ORIGINS: LISTED,
  });
  people = await peopleOf(service);
  admin = (await people.user()).api;
  companyId = (await service.intake<{ id: string }>('company', 'create', '--name', 'ACME')).id;
});
test.after(async () => {
  await service.close();
  await people.close();
  await model.close();
});

const ask = (api: Client, body: object = { instruction: 'A till slip.' }, headers = {}) =>
  api.post(PATH, body, { headers });
const refused = async (api: Client, headers = {}): Promise<readonly unknown[]> => {
  model.says(modelAnswer);
  const { status, body } = await ask(api, undefined, headers);
  assert.is(model.asked.length, 0, 'nothing was asked of the model');
  return [status, body.code];
};

test('a super_admin gets a valid draft and notes from the configured model [agent-4]', async () => {
  model.says(modelAnswer);
  const { status, body } = await ask(admin);
  assert.is(status, 200);
  assert.equal(body, { draft: modelDefinition, notes: ['Two pictures at most.'], by: 'model' });
  assert.equal([model.asked[0]?.authorization, model.asked[0]?.body.model], [`Bearer ${KEY}`, 'small-1']);
});

test('no token, an unknown one, one that was logged out, and an API key are a 401 [agent-1]', async () => {
  const { session } = await people.user();
  const over = await session();
  await over.call('DELETE', '/api/auth/sessions');
  const { key } = await service.key(null);
  const bad = [null, `ast_${'A'.repeat(43)}`, 'ast_short', key];
  for (const token of bad) assert.equal(await refused(client(service.url, token)), [401, 'unauthorized']);
  assert.equal(await refused(over), [401, 'unauthorized']);
});

test('a session of twelve hours ago, of a disabled user, of a reset one are a 401', async () => {
  const [old, disabled, reset] = [await people.user(), await people.user(), await people.user()];
  const { token = null } = (await people.ago(12).logIn(old.email)) ?? {};
  assert.equal(await refused(client(service.url, token)), [401, 'unauthorized']);
  assert.is((await ask(disabled.api)).status, 200);
  await people.disable(disabled.userId);
  assert.equal(await refused(disabled.api), [401, 'unauthorized']);
  await people.reset(reset.userId);
  assert.equal(await refused(reset.api), [401, 'unauthorized']);
});

test('an org_admin is a 403 [agent-1]', async () => {
  const { api } = await people.user(companyId);
  assert.equal(await refused(api), [403, 'role-required']);
});

test('a browser of an origin that is not listed is a 403, but without a session a 401 [agent-2]', async () => {
  const evil = { origin: 'https://evil.example.com' };
  assert.equal(await refused(admin, evil), [403, 'origin-not-allowed']);
  assert.equal(await refused(people.anybody, evil), [401, 'unauthorized']);
  model.says(modelAnswer);
  const allowed = await ask(admin, undefined, { origin: LISTED });
  assert.equal([allowed.status, allowed.headers.get('access-control-allow-origin')], [200, LISTED]);
});

test('an instruction of 1 to 8000 characters is asked for, and no other members [agent-8]', async () => {
  model.says(modelAnswer);
  for (const instruction of ['', 'x'.repeat(8001), 5, null]) {
    const { status, body } = await ask(admin, { instruction });
    assert.equal([status, body.errors[0].pointer], [422, '/instruction']);
  }
  assert.is((await ask(admin, {})).status, 422);
  assert.is((await ask(admin, { instruction: 'x', publish: true })).status, 422);
  assert.is((await ask(admin, { instruction: 'x'.repeat(8000), draft: null })).status, 200);
});

test('a given draft that is not valid is a 422 that names its faults [agent-7]', async () => {
  const { status, body } = await ask(admin, {
    instruction: 'Mend it.',
    draft: { ...brokenDefinition, colour: 'red' },
  });
  assert.equal([status, body.code], [422, 'validation-failed']);
  assert.equal(
    body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/draft/colour', '/draft/upload/minFiles'],
  );
  assert.is((await ask(admin, { instruction: 'x', draft: [] })).status, 422);
});

test('a draft that names a secret which is not set can be revised: the answer does not reveal whether it is set', async () => {
  model.says('no JSON');
  const sync = { url: 'https://erp.example.com/hook', secretEnv: 'NOT_SET_ANYWHERE' };
  const draft = { ...receiptDefinition, processing: { sync } };
  const { status, body } = await ask(admin, { instruction: 'Remove the total.', draft });
  assert.is(status, 200);
  assert.match(body.notes.at(-1), /^Set NOT_SET_ANYWHERE/);
});

test('a model that fails leaves the work to the rules, and a note says so', async () => {
  model.says((response) => response.writeHead(500).end('inside'));
  const { status, body } = await ask(admin, { instruction: 'A receipt with company, date and total.' });
  assert.is(status, 200);
  assert.is(body.draft.slug, 'receipt');
  assert.match(body.notes[0], /endpoint failed \(it answered 500\)/);
});

test('nothing is published [agent-4]', async () => {
  model.says(modelAnswer);
  assert.is((await ask(admin)).status, 200);
  const { data } = await service.intake<{ data: readonly { slug: string }[] }>('workflow', 'list');
  assert.not.ok(data.some(({ slug }) => slug === modelDefinition.slug));
});
