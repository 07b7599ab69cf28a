#!/usr/bin/env node
// Node.js 12 and newer must parse this file, to report that they are too old: no static imports, no newer
// syntax.
const REQUIRED = '20.19';

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
const [requiredMajor, requiredMinor] = REQUIRED.split('.').map(Number) as [number, number];

if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) {
  Promise.all([import('./program.ts'), import('../runtime/intake.ts')]).then(([{ run }, { runtime }]) =>
    run(runtime),
  );
} else {
  const detail = `Node.js ${REQUIRED} or newer is required, and this is ${process.versions.node}.`;
  const problem = { code: 'node-too-old', detail, hint: null, exitCode: 2, errors: [] };
  const text = process.argv.includes('--json') ? JSON.stringify(problem) : `intake: ${detail}`;
  process.stderr.write(`${text}\n`);
  process.exitCode = 2;
}
