import { accessSync, constants } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { readWorkflow, textOf } from './files.ts';

const test = suite('.github/workflows/ci.yml');
const path = '.github/workflows/ci.yml';
const workflow = readWorkflow(path);
const jobs = Object.entries(workflow.jobs);
const steps = jobs.flatMap(([, job]) => job.steps);

test('runs for every change, with the right to read and no other', () => {
  assert.equal(Object.keys(workflow.on).sort(), ['pull_request', 'push', 'workflow_dispatch']);
  assert.equal(workflow.permissions, { contents: 'read' });
  for (const [name, { permissions }] of jobs) assert.is(permissions, undefined, name);
  assert.match(workflow.concurrency.group, /github\.ref/);
});

test('every job ends by itself, and leaves no token behind', () => {
  for (const [name, job] of jobs) assert.ok((job['timeout-minutes'] ?? 360) <= 30, name);
  for (const { uses, with: given } of steps)
    if (uses?.startsWith('actions/checkout@')) assert.is(given?.['persist-credentials'], false);
});

test('every action is pinned to a commit, whose release is told beside it', () => {
  const lines = textOf(path)
    .split('\n')
    .filter((line) => line.includes('uses:'));
  assert.is(lines.length, steps.filter(({ uses }) => uses !== undefined).length);
  for (const line of lines) assert.match(line, /uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the embedded service is tested on each Node.js that it promises', () => {
  const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };
  assert.equal(workflow.jobs.embedded?.strategy?.matrix.node, [20, 22, 24]);
  assert.match(engines.node, /^>=20\./);
});

test('what it runs is there', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
  for (const run of steps.flatMap((step) => step.run ?? [])) {
    const [, script] = /^npm (?:run )?([\w:-]+)/.exec(run) ?? [];
    if (script !== undefined && script !== 'ci') assert.ok(script in scripts, run);
    const [file] = /^(?:deploy|scripts)\/\S+/.exec(run) ?? [];
    if (file !== undefined) assert.not.throws(() => accessSync(file, constants.X_OK), run);
  }
});
