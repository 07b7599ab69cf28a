import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { runIntake } from '../support/commandLine.ts';
import { EXECUTABLE, workplace } from './run.ts';

const test = suite('the command line: completion in shells [cli-18]');
const place = workplace();
test.after(place.remove);

/** What completes the last of these words; each line may say what it is. */
const offered = async (...words: readonly string[]): Promise<readonly string[]> => {
  const settings = { XDG_CONFIG_HOME: join(place.folder, 'config') };
  const { code, stdout, stderr } = await runIntake(settings, '__complete', '--', ...words);
  assert.equal([code, stderr], [0, '']);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
};

test('commands, options and their values are offered', async () => {
  const commands = await offered('');
  for (const word of ['serve', 'submissions', 'login', 'completion', 'help'])
    assert.ok(commands.includes(word), word);
  assert.not.ok(commands.includes('__complete'));
  assert.equal(await offered('sub'), ['submit', 'submissions', 'subjects']);
  assert.equal(await offered('submissions', 're'), ['redact', 'release', 'reprocess']);
  assert.equal(await offered('submissions', 'list', '--st'), ['--status']);
  assert.equal(await offered('submissions', 'list', '--status', 'a'), ['approved']);
  assert.equal(await offered('submissions', 'list', '--limit', '5', '--fraud-status', 'c'), ['clean']);
  assert.equal(await offered('matches', 'resolve', 'sub_1', 'fm_1', ''), ['confirmed', 'dismissed']);
  assert.equal(await offered('completion', ''), ['bash', 'zsh', 'fish']);
  assert.equal(await offered('help', 'web'), ['webhooks']);
  assert.equal(await offered('submit', 'receipt', './rec'), [], 'the shell offers files');
});

test('profiles are offered by their names', async () => {
  mkdirSync(join(place.folder, 'config', 'intake'), { recursive: true });
  writeFileSync(join(place.folder, 'config', 'intake', 'acme-test.json'), '{}');
  assert.equal(await offered('whoami', '--profile', ''), ['acme-test']);
});

/** Where `intake` is found by its name. */
const folder = join(place.folder, 'bin');
mkdirSync(folder);
writeFileSync(join(folder, 'intake'), `#!/bin/sh\nexec '${process.execPath}' '${EXECUTABLE}' "$@"\n`, {
  mode: 0o755,
});
const PATH = `${folder}${delimiter}${process.env.PATH}`;
const run = (shell: string, script: string) => {
  const env = { PATH, HOME: place.folder, TERM: 'dumb' };
  const ended = spawnSync(shell, ['-c', script], { env, encoding: 'utf8', cwd: place.folder });
  return { ...ended, words: ended.stdout.split('\n').filter((line) => line !== '') };
};

const shells = {
  bash: `source <(intake completion bash)
    COMP_WORDS=(intake submissions list --status re) COMP_CWORD=4
    _intake intake
    printf '%s\\n' "\${COMPREPLY[@]}"
    complete -p intake >&2`,
  zsh: `autoload -Uz compinit && compinit -u
    source <(intake completion zsh)
    _describe() { printf '%s\\n' "\${(@P)2}" }
    words=(intake submissions list --status re) CURRENT=5
    _intake
    echo "$_comps[intake]" >&2`,
  fish: `intake completion fish | source
    complete --do-complete 'intake submissions list --status re'
    complete intake >&2`,
};

for (const [shell, script] of Object.entries(shells)) {
  const title = `${shell} completes by the script for it`;
  const isThere = ['/bin', '/usr/bin', '/usr/local/bin'].some((path) => existsSync(join(path, shell)));
  if (!isThere) {
    test.skip(title, `there is no ${shell} here`);
    continue;
  }
  test(title, () => {
    const { status, stderr, words } = run(shell, script);
    assert.is(status, 0, stderr);
    assert.equal([...words].sort(), ['rejected', 'review'], stderr);
    assert.match(stderr, 'intake', 'it is registered');
  });
}
