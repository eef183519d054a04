import { type CommandDeclaration, command } from '../command.ts'
import { completionScripts } from '../completion/scripts.ts'
import { UsageError } from '../errors.ts'

/** The command that completes all commands, which include itself. */
export const completionOf = (listCommands: () => readonly CommandDeclaration[]) =>
  command({
    name: 'completion',
    summary: 'Write the completion script for a shell',
    arguments: [['<shell>', 'bash, zsh or fish']],
    examples: [
      ['muster completion bash > ~/.local/share/bash-completion/completions/muster', 'For bash'],
      ['muster completion zsh > "$HOME/.zfunc/_muster"', 'For zsh, if the folder is in fpath'],
      ['muster completion fish > ~/.config/fish/completions/muster.fish', 'For fish'],
    ],
    operations: [],
    async runLocally({ args: [shell = ''], terminal }) {
      const write = completionScripts[shell]
      if (!write) throw new UsageError(`"${shell}" is none of ${Object.keys(completionScripts).join(', ')}.`)
      terminal.write(write(listCommands()))
    },
  })
