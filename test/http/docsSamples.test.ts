import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Sample, samplesIn } from './docsPage.ts';

const test = suite('samples of /docs');
let service: TestService;
let samples: readonly Sample[];
test.before(async () => {
  service = await startService();
  samples = samplesIn((await client(service.url, null).get('/docs')).text);
});
test.after(() => service.close());

/** How the samples of a language are run, and how one learns whether the machine can. */
const LANGUAGES = [
  { language: 'curl', program: ['sh', '-c'], probe: 'curl --version' },
  { language: 'Python', program: ['python3', '-c'], probe: 'python3 -c "import requests"' },
] as const;

/** Operations of the main job, of which each has a submission in review. */
const MAIN = [
  ...['listWorkflows', 'getWorkflow', 'createSession', 'getJob', 'listSubmissions', 'getSubmission'],
  ...['getSubmissionResult', 'listSubmissionEvents', 'listBatches', 'getBatch', 'listReviewQueue'],
  ...['approveSubmission', 'listEvents', 'listDeliveries', 'countDeliveries'],
];

const isThere = (command: string): boolean => {
  try {
    execFileSync('sh', ['-c', command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** A submission in review, with the names that samples have for it. */
const reviewed = async (api: Client): Promise<Readonly<Record<string, string>>> => {
  const metadata = { 'intake:outcome': 'review' };
  const job = await api.process([receiptText()], { metadata });
  return { [exampleOf('ses')]: job.sessionId, [exampleOf('sub')]: job.submissionId };
};

/** The identifier of a kind that samples have. */
const exampleOf = (kind: string): string => {
  const [found = ''] = new RegExp(`${kind}_[0-9a-z]{26}`).exec(samples.map(({ text }) => text).join()) ?? [];
  assert.ok(found, kind);
  return found;
};

const filled = (text: string, names: Readonly<Record<string, string>>): string =>
  Object.entries(names).reduce((before, [example, real]) => before.replaceAll(example, real), text);

for (const { language, program, probe } of LANGUAGES) {
  const [command, ...options] = program;
  const title = `the samples for ${language} do what they say, as written [pages-7]`;
  if (!isThere(probe)) test.skip(title, `this does not run here: ${probe}`);
  else
    test.long(title, async () => {
      const { api, key } = await service.company(receiptDefinition, 'test');
      const names = await reviewed(api);
      for (const operation of MAIN) {
        const sample = samples.find((one) => one.operation === operation && one.language === language);
        assert.ok(sample, operation);
        const env = { ...process.env, INTAKE_KEY: key };
        const { stdout } = await promisify(execFile)(command, [...options, filled(sample.text, names)], {
          env,
        });
        assert.match(stdout, /[{[]/, operation);
        // A problem has a code; curl ends well with it too.
        assert.not.match(stdout, /"type": ?"[^"]*\/problems\//, operation);
      }
      const { body } = await api.get(`/api/v1/submissions/${names[exampleOf('sub')]}`);
      assert.is(body.submissionStatus, 'approved', 'the decision of the sample');
    });
}

/** Where the samples for TypeScript are checked: within the project, so that they find the client. */
const TYPED = 'dist/typedSamples';
const SETTINGS = {
  extends: '../../tsconfig.json',
  compilerOptions: {
    noEmit: true,
    incremental: false,
    rootDir: '../..',
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    paths: { 'intake-client': ['../../client/index.ts'] },
  },
  include: ['*.ts'],
  exclude: [],
};

test.long('the samples for TypeScript are what the types of the client take [pages-7]', async () => {
  rmSync(TYPED, { recursive: true, force: true });
  mkdirSync(TYPED, { recursive: true });
  writeFileSync(join(TYPED, 'tsconfig.json'), JSON.stringify(SETTINGS));
  for (const { operation, text } of samples.filter(({ language }) => language === 'TypeScript'))
    writeFileSync(join(TYPED, `${operation}.ts`), text);
  const faults = await promisify(execFile)('node_modules/.bin/tsc', ['-p', TYPED]).then(
    () => '',
    ({ stdout }) => String(stdout),
  );
  assert.is(faults, '');
  rmSync(TYPED, { recursive: true });
});

test('every operation has a sample in each language, without a key in it [pages-7]', async () => {
  const { paths } = (await client(service.url, null).get('/openapi.json')).body;
  const ids = Object.values<object>(paths)
    .flatMap((methods) => Object.values(methods))
    .map((one) => one.operationId);
  for (const id of ids) {
    const own = samples.filter(({ operation }) => operation === id);
    assert.equal(
      own.map(({ language }) => language),
      ['curl', 'TypeScript', 'Python'],
      id,
    );
    for (const { language, text } of own) {
      assert.ok(text.includes(service.url), `${id} names the service`);
      assert.not.match(text, language === 'TypeScript' ? /aok_|ast_/ : /aok_|ast_|\{\w+\}/, id);
    }
  }
});

test('what a key may call is offered to be tried, and nothing else; without a script every sample is shown [pages-8]', async () => {
  const anybody = client(service.url, null);
  const { paths } = (await anybody.get('/openapi.json')).body;
  const callable = Object.values<object>(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ security }) => security.some((one: object) => 'apiKey' in one))
    .map(({ operationId }) => operationId);
  const { text } = await anybody.get('/docs');
  const offered = [...text.matchAll(/<article id="(\w+)" data-trial>/g)].map(([, id]) => id);
  assert.ok(callable.length > 40);
  assert.equal(offered.sort(), callable.sort());
  assert.not.match(text, / hidden[ >=]/);
});
