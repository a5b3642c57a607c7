import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import type { CommandContext } from './context.ts'

/**
 * The library's script for bash requires the package bash-completion, and evaluates the words on the line. This one requires
 * nothing, and works with bash 3.2 of macOS.
 */
const BASH_SCRIPT = `_subtext() {
  local line value
  COMPREPLY=()
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    if [[ $line != :* && $value == "\${COMP_WORDS[COMP_CWORD]}"* ]]; then
      COMPREPLY+=("$value")
    fi
  done < <(subtext complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _subtext subtext`

/** Adds the command that prints scripts for shells, and the hidden one that the scripts call. */
export function addCompletion(program: Command, ctx: CommandContext): void {
  const scripts = tab(program, { completionCommandName: 'completion' })
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description('print a shell completion script; to load it in bash: `source <(subtext completion bash)`')
    .action((shell: string) => {
      if (shell === 'bash') ctx.print(BASH_SCRIPT)
      else scripts.setup('subtext', 'subtext', shell)
    })
}
