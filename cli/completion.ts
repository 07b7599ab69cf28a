import { oneOf } from './arguments.ts';
import { type Command, type Common, leaf } from './commandLine.ts';
import { createOutput } from './output.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** `intake completion`, and the hidden command that the scripts it prints ask for what could come next. */
export const addCompletionCommand = (program: Command): void => {
  leaf(program, 'completion', 'print the script that lets your shell complete commands', [
    'intake completion zsh > ~/.zfunc/_intake',
    'intake completion fish > ~/.config/fish/completions/intake.fish',
    'source <(intake completion bash)',
  ])
    .argument('<shell>', shells.join(', '), oneOf(shells))
    .action(async (shell: Shell, { json }: Common) => {
      const script = SCRIPTS[shell];
      await createOutput(json).answer({ shell, script }, () => script);
    });
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { candidates } = await import('./candidates.ts');
      const lines = candidates(program, words).map(
        ({ word, about }) => `${[word, about].join('\t').trimEnd()}\n`,
      );
      process.stdout.write(lines.join(''));
    });
};

// Where nothing of ours can follow, each offers files.
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_intake() {
  local IFS=$'\\n'
  COMPREPLY=($("$1" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _intake intake`,
  zsh: `#compdef intake
_intake() {
  local -a found
  found=("\${(@f)$("$words[1]" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found/$'\\t'/:}")
  if [[ -n "$found[1]" ]]; then _describe intake found; else _files; fi
}
if [[ "$funcstack[1]" == _intake ]]; then _intake "$@"; else compdef _intake intake; fi`,
  fish: `function __intake_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] __complete -- $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c intake -f -a '(__intake_complete)'`,
};
