import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { installedClient, onNode, type Project } from './installed.ts';

const test = suite('client: the package');
let project: Project;
test.before(() => {
  project = installedClient();
});

const USE = `
const fetch = async (url) => Response.json({ asked: url });
const intake = createClient({ url: 'https://intake.example', fetch });
intake.get('/api/v1/workflows').then(({ asked }) => console.log(asked, typeof verifyWebhook, typeof IntakeError));
`;

for (const [file, load] of [
  ['use.mjs', "import { createClient, IntakeError, verifyWebhook } from 'intake-client';"],
  ['use.cjs', "const { createClient, IntakeError, verifyWebhook } = require('intake-client');"],
] as const)
  test(`${file} works with the installed package [client-1]`, () => {
    project.write({ [file]: load + USE });
    const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: project.folder, encoding: 'utf8' });
    assert.is(stderr, '');
    assert.is(stdout, 'https://intake.example/api/v1/workflows function function\n');
  });

const TYPED = `
const intake = createClient({ url: 'http://127.0.0.1' });
export const total = async (): Promise<number | null | undefined> =>
  (await intake.wait<{ total: number }>('ses_1')).result?.fields.total.value;
export const slugs = async (): Promise<string[]> => (await intake.get('/api/v1/workflows')).data.map(({ slug }) => slug);
export const pages = () => intake.list('/api/v1/batches', { query: { limit: 2 } });
export const evidence = async (submissionId: string): Promise<Blob> =>
  intake.get('/api/v1/submissions/{submissionId}/evidence', { path: { submissionId } });
// @ts-expect-error: there is no such path
intake.get('/api/v1/nothing').catch(() => null);
// @ts-expect-error: the path has a parameter
intake.get('/api/v1/jobs/{sessionId}').catch(() => null);
// @ts-expect-error: no such status
intake.get('/api/v1/submissions', { query: { status: 'lost' } }).catch(() => null);
`;

const fine = { code: 0, out: '', err: '' };

test('its types hold for ES modules, for CommonJS, and in a browser project without those of Node.js [client-1]', () => {
  const load = "import { createClient } from 'intake-client';";
  project.write({ 'typed.mts': load + TYPED, 'typed.cts': load + TYPED });
  assert.equal(project.tsc({ ...onNode, noEmit: true }, ['typed.mts', 'typed.cts']), fine);
  const browser = {
    ...onNode,
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    lib: ['es2023', 'dom'],
  };
  assert.equal(project.tsc({ ...browser, noEmit: true }, ['typed.mts']), fine);
});
