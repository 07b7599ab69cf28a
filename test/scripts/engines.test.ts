import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { isRunning } from '../support/process.ts';

const test = suite('scripts/engines');
const script = fileURLToPath(new URL('../../../scripts/engines', import.meta.url));
const program = new URL('../../scripts/withEngines/program.js', import.meta.url).href;

/** A machine with Node.js and what the shell needs, and without Docker or Go. */
const bare = mkdtempSync(join(tmpdir(), 'intake-bare-'));
test.before(() => {
  symlinkSync(process.execPath, join(bare, 'node'));
  for (const name of ['bash', 'env', 'dirname', 'sh']) symlinkSync(`/usr/bin/${name}`, join(bare, name));
});
test.after(() => rmSync(bare, { recursive: true }));

type Ended = Readonly<{ code: number; stdout: string; stderr: string }>;

const run = (...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(script, words, { env: { PATH: bare } }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

test('without Docker and Go it says so and runs the command, whose exit code it takes', async () => {
  const { code, stdout, stderr } = await run('node', '-e', 'console.log("ran"); process.exit(7)');
  assert.equal([code, stdout], [7, 'ran\n']);
  assert.match(stderr, /skipped: neither Docker nor Go is there to run engines/);
  assert.is((await run('node', '-e', '')).code, 0);
  assert.is((await run('node', '-e', 'process.kill(process.pid, "SIGTERM")')).code, 143);
});

const starting = (code: string): ChildProcess =>
  spawn(process.execPath, ['--input-type=module', '-e', `import { start } from '${program}'; ${code}`]);

test('an engine never outlives who started it, however that dies, and one that ends tells why', async () => {
  const owner = starting(`
    const { firstLine } = start('/usr/bin/bash', ['-c', 'echo $$; exec sleep 60']);
    console.log(await firstLine);`);
  const [line] = (await once(owner.stdout ?? owner, 'data')) as [Buffer];
  const pid = Number(line);
  assert.ok(isRunning(pid));
  owner.kill('SIGKILL');
  await eventually('the engine to end', () => !isRunning(pid));

  const witness = starting(`
    const { firstLine } = start('/usr/bin/bash', ['-c', 'echo no room >&2']);
    await firstLine.catch((error) => console.log(error.message));`);
  assert.match(String((await once(witness.stdout ?? witness, 'data'))[0]), /it ended: no room/);
});
