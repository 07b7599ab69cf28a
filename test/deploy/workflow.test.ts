import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { parts } from '../../scripts/testAll/parts.ts';
import { suite } from '../harness.ts';
import { readWorkflow, stepsOf, textOf } from './files.ts';

const folder = '.github/workflows/';
const { scripts, engines } = JSON.parse(textOf('package.json')) as {
  scripts: Readonly<Record<string, string>>;
  engines: { node: string };
};

for (const name of readdirSync(folder)) {
  const path = `${folder}${name}`;
  const test = suite(path);
  const workflow = readWorkflow(path);
  const steps = stepsOf(workflow);

  test('has the right to read, and no other unless a job says so', () => {
    assert.equal(workflow.permissions, { contents: 'read' });
    assert.match(workflow.concurrency.group, /github\.ref/);
  });

  test('every job ends by itself, and leaves no token behind', () => {
    for (const [job, { uses, 'timeout-minutes': minutes = 360 }] of Object.entries(workflow.jobs))
      assert.ok(uses !== undefined || minutes <= 120, job);
    for (const { uses, with: given } of steps)
      if (uses?.startsWith('actions/checkout@')) assert.is(given?.['persist-credentials'], false);
  });

  test('every action is pinned to a commit, whose release is told beside it', () => {
    const lines = textOf(path)
      .split('\n')
      .filter((line) => /uses: (?!\.\/)/.test(line));
    assert.is(lines.length, steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of lines)
      assert.match(line, /uses: (actions|docker)\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('what it runs is there', () => {
    for (const { uses } of Object.values(workflow.jobs)) assert.ok(!uses || existsSync(uses), uses);
    for (const run of steps.flatMap((step) => step.run ?? [])) {
      const [, script] = /^npm (?:run )?([\w:-]+)/.exec(run) ?? [];
      if (script !== undefined && script !== 'ci') assert.ok(script in scripts, run);
      const [, node, file] = /^(node )?((?:deploy|scripts)\/\S+)/.exec(run) ?? [];
      const right = node === undefined ? constants.X_OK : constants.R_OK;
      if (file !== undefined) assert.not.throws(() => accessSync(file, right), run);
    }
  });
}

const test = suite('.github/workflows/ci.yml');
const { on, jobs } = readWorkflow('.github/workflows/ci.yml');

test('runs for every change, before an image is made, and writes nothing', () => {
  assert.equal(Object.keys(on).sort(), ['pull_request', 'push', 'workflow_call', 'workflow_dispatch']);
  for (const [name, { permissions }] of Object.entries(jobs)) assert.is(permissions, undefined, name);
});

test('the embedded service is tested on each Node.js that it promises', () => {
  assert.equal(jobs.embedded?.strategy?.matrix.node, [20, 22, 24]);
  assert.match(engines.node, /^>=20\./);
});

test('every part of test:all is a job of the night', () => {
  const { part } = readWorkflow('.github/workflows/nightly.yml').jobs;
  assert.equal(part?.strategy?.matrix.part, Object.keys(parts));
});
