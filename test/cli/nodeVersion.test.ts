import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { EXECUTABLE } from './run.ts';

const test = suite('the command line: the version of Node.js [cli-2]');

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };

/** Runs `intake --version` on a Node.js that says it is of that version. */
const onNode = (version: string, ...words: readonly string[]) => {
  const versions = JSON.stringify({ ...process.versions, node: version });
  const pretending = `data:text/javascript,Object.defineProperty(process,'versions',{value:${versions}})`;
  const args = ['--import', pretending, EXECUTABLE, '--version', ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test('an older one reports which is required and which was found', () => {
  const required = engines.node.replace('>=', '');
  for (const found of ['12.22.12', '18.20.8', '20.18.3']) {
    const detail = `Node.js ${required} or newer is required, and this is ${found}.`;
    assert.equal(onNode(found), { status: 2, stdout: '', stderr: `intake: ${detail}\n` });
    const problem = { code: 'node-too-old', detail, hint: null, exitCode: 2, errors: [] };
    assert.equal(JSON.parse(onNode(found, '--json').stderr), problem);
  }
});

test('the required one and newer ones run', () => {
  for (const found of [`${engines.node.replace('>=', '')}.0`, '22.0.0', '100.1.0'])
    assert.equal(onNode(found), { status: 0, stdout: '0.1.0\n', stderr: '' });
});

test('the executable has nothing that an older one can’t parse or find before the check', () => {
  const text = readFileSync(EXECUTABLE, 'utf8');
  assert.not.match(text, /^import\b(?!\()/m, 'a static import is resolved before anything runs');
  for (const newer of [/\?\?/, /\?\./, /\bawait\b/, /\b#\w/, /node:/])
    assert.not.match(text.replace(/^(#!|\/\/).*$/gm, ''), newer);
});
