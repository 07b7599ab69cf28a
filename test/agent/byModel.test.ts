import * as assert from 'uvu/assert';
import { draftByModel } from '../../agent/byModel.ts';
import { draftByRules } from '../../agent/byRules.ts';
import { createChat } from '../../agent/chat.ts';
import { draftWorkflow } from '../../agent/draftWorkflow.ts';
import { failure } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';
import {
  type Behaviour,
  brokenDefinition,
  type FakeModel,
  modelAnswer,
  modelDefinition,
  startFakeModel,
} from '../support/fakeModel.ts';

const test = suite('the workflow agent with a model [agent-5]');
let model: FakeModel;
const stopping = new AbortController();
test.before(async () => {
  model = await startFakeModel();
});
test.after(() => model.close());

const KEY = 'sk-secret-of-the-operator';
const chat = () => createChat({ url: model.url, model: 'small-1', key: KEY }, stopping.signal);
const wish = { instruction: 'A till slip with the total.', draft: null };
const draft = (timeoutMs?: number) => draftByModel(chat(), wish, timeoutMs);
const drafted = { draft: modelDefinition, notes: ['Two pictures at most.'] };

test('a good answer is taken; the model was asked for JSON of our schema, with the key as bearer token', async () => {
  model.says(modelAnswer);
  assert.equal(await draft(), drafted);
  const [asked] = model.asked;
  assert.is(model.asked.length, 1);
  assert.equal([asked?.url, asked?.authorization], ['/v1/chat/completions', `Bearer ${KEY}`]);
  assert.is(asked?.body.model, 'small-1');
  const [system, user] = asked?.body.messages ?? [];
  assert.ok(system?.role === 'system' && system.content.includes('"outputSchema"'));
  assert.equal(user, { role: 'user', content: wish.instruction });
});

test('a given draft goes with the instruction; without key and model neither is sent', async () => {
  model.says(modelAnswer);
  const bare = createChat({ url: `${model.url}/chat/completions`, model: null, key: null }, stopping.signal);
  const given = draftByRules({ instruction: 'A receipt with total', draft: null }).draft;
  await draftByModel(bare, { instruction: 'Add the date.', draft: given });
  const [asked] = model.asked;
  assert.equal([asked?.url, asked?.authorization], ['/v1/chat/completions', undefined]);
  assert.not.ok('model' in (asked?.body ?? {}));
  assert.ok(asked?.body.messages[1]?.content.includes(JSON.stringify(given)));
});

const forms: Readonly<Record<string, string>> = {
  'in a fence': `Here you are:\n\`\`\`json\n${modelAnswer}\n\`\`\`\nAnything else?`,
  'in a bare fence': `\`\`\`\n${modelAnswer}\n\`\`\``,
  'between sentences': `Sure! ${modelAnswer} I hope this helps.`,
  'spread over lines': JSON.stringify(JSON.parse(modelAnswer), null, 2),
};
for (const [form, text] of Object.entries(forms)) {
  test(`JSON ${form} is found`, async () => {
    model.says(text);
    assert.equal(await draft(), drafted);
  });
}

test('a definition without the object around it is accepted too, and notes that are no texts are left out', async () => {
  model.says(JSON.stringify(modelDefinition));
  assert.equal(await draft(), { draft: modelDefinition, notes: [] });
  model.says(JSON.stringify({ definition: modelDefinition, notes: [1, 'yes', null, { a: 1 }] }));
  assert.equal((await draft()).notes, ['yes']);
});

test('an invalid definition is sent back once with every fault, and the mended one is taken', async () => {
  model.says(JSON.stringify({ definition: brokenDefinition }), modelAnswer);
  assert.equal(await draft(), drafted);
  assert.is(model.asked.length, 2);
  const said = model.asked[1]?.body.messages ?? [];
  assert.equal(
    said.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  );
  assert.match(said[3]?.content ?? '', /- \/upload\/minFiles must not be more than maxFiles/);
});

const failures: readonly (readonly [string, readonly Behaviour[], RegExp])[] = [
  ['is invalid twice', [JSON.stringify(brokenDefinition)], /its draft is not valid: \/upload\/minFiles/],
  ['holds no JSON, twice', ['I would rather not.'], /is not one JSON object/],
  ['is a 500', [(response) => response.writeHead(500).end('secret trace')], /^it answered 500$/],
  ['is a 401', [(response) => response.writeHead(401).end('{}')], /^it answered 401$/],
  ['is no JSON', [(response) => response.end('<html>')], /^its answer is not JSON$/],
  ['has no choices', [(response) => response.end('{"choices":[]}')], /^its answer has another form$/],
  [
    'is huge',
    [
      (response) => {
        response.on('error', () => undefined);
        response.end(Buffer.alloc(3 * 1024 * 1024, 'a'));
      },
    ],
    /larger than 1 MiB/,
  ],
  [
    'is a redirect',
    [(response) => response.writeHead(307, { location: '/elsewhere' }).end()],
    /not be reached/,
  ],
  ['breaks off', [(response) => response.socket?.destroy()], /^it could not be reached$/],
];
for (const [what, behaviours, reason] of failures) {
  test(`an answer that ${what} is a failure that names its reason`, async () => {
    model.says(...behaviours);
    const error = await failure(draft());
    assert.is(error.name, 'ModelFailed');
    assert.match(error.message, reason);
    assert.not.ok(error.message.includes(KEY) || error.message.includes('127.0.0.1'));
  });
}

test('an answer of a fence and endless blank lines holds nobody up', async () => {
  model.says(`\`\`\`${'\n '.repeat(1_500)}`);
  const started = process.cpuUsage();
  assert.match((await failure(draft())).message, /is not one JSON object/);
  assert.ok(process.cpuUsage(started).user < 2_000_000);
});

test('an answer that does not come in time is a failure, and its request is called off', async () => {
  let closed = false;
  model.says((response) => response.on('close', () => (closed = true)));
  assert.match((await failure(draft(150))).message, /^it took too long$/);
  await eventually('the end of its request', () => closed);
});

test('an endpoint that is not there is a failure, and so is one that is being stopped', async () => {
  const gone = createChat({ url: 'http://127.0.0.1:1/v1', model: null, key: null }, stopping.signal);
  assert.match((await failure(draftByModel(gone, wish))).message, /could not be reached/);
  const stopped = createChat({ url: model.url, model: null, key: null }, AbortSignal.abort());
  assert.is((await failure(draftByModel(stopped, wish))).name, 'ModelFailed');
});

test('where the model fails the rules make the draft, a note says so, and the failure is reported [agent-9]', async () => {
  const heard: unknown[] = [];
  const agent = draftWorkflow({ chat: chat(), onModelFailure: (error) => void heard.push(error) });
  model.says((response) => response.writeHead(503).end());
  const {
    draft: made,
    notes,
    by,
  } = await agent({ instruction: 'A receipt with total and date', draft: null });
  assert.equal([made.slug, by], ['receipt', 'rules']);
  assert.match(notes[0] ?? '', /^The model endpoint failed \(it answered 503\)/);
  assert.is(heard.length, 1);
  model.says(modelAnswer);
  const second = await agent(wish);
  assert.equal([second.notes, second.by], [['Two pictures at most.'], 'model']);
});

test('a secret that must be set before publishing is named in a note, whether it is set or not', async () => {
  const sync = { url: 'https://erp.example.com/hook', secretEnv: 'ERP_SECRET' };
  model.says(JSON.stringify({ definition: { ...modelDefinition, processing: { sync } }, notes: [] }));
  const { notes } = await draftWorkflow({ chat: chat(), onModelFailure: () => undefined })(wish);
  assert.equal(notes, ["Set ERP_SECRET in the service's environment before you publish this."]);
});
