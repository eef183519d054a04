import { type CommandDeclaration, command } from '../command.ts'
import { parseBashLine } from '../completion/bash-line.ts'
import { listCandidates } from '../completion/complete.ts'
import { namesFor } from '../completion/find-names.ts'
import { completionScripts } from '../completion/scripts.ts'

const shells = Object.keys(completionScripts)

const completion = command({
  name: 'completion',
  summary: 'Write the completion script for a shell',
  description: 'It completes commands, options and values, and names of computers, groups, packages and rollouts.',
  arguments: [['<shell>', 'bash, zsh or fish', shells]],
  examples: [
    ['muster completion bash > ~/.local/share/bash-completion/completions/muster', 'For bash'],
    ['muster completion zsh > "$HOME/.zfunc/_muster"', 'For zsh, if the folder is in fpath'],
    ['muster completion fish > ~/.config/fish/completions/muster.fish', 'For fish'],
  ],
  operations: [],
  async runLocally({ args: [shell = ''], terminal }) {
    terminal.write(completionScripts[shell] ?? '')
  },
})

/** What the scripts call. It completes all commands, which include itself. */
const completeOf = (listCommands: () => readonly CommandDeclaration[]) =>
  command({
    name: 'complete',
    summary: 'List what the last word of a command line can be, for the scripts of shells',
    arguments: [['[words...]', 'The words after muster; the last one is completed']],
    options: [
      ['--line <line>', 'For bash: the line up to the cursor, instead of words'],
      ['--meanings', 'Add the meaning of commands and options, behind a tab'],
    ],
    examples: [['muster complete -- rollout pa', 'Lists pause']],
    operations: [
      ...(['listFleetComputers', 'listGroupTree', 'listFleetPackages', 'listRollouts'] as const),
      ...([
        'listLocalPrincipals',
        'listPrincipals',
        'listRoles',
        'listAgentTemplates',
        'listWebhooks',
        'listReports',
      ] as const),
    ],
    async runLocally({ names, options, terminal }) {
      const line = options.line === undefined ? undefined : parseBashLine(String(options.line))
      const words = line?.words ?? names
      const profile = words[words.indexOf('--profile') + 1]
      const findNames = namesFor(terminal, words.includes('--profile') ? { profile } : {})
      for (const { word, meaning } of await listCandidates(words, listCommands(), findNames)) {
        const text = line ? line.toReply(word) : word
        if (text === undefined) continue
        terminal.write(options.meanings && meaning ? `${text}\t${meaning}\n` : `${text}\n`)
      }
    },
  })

export const completionOf = (listCommands: () => readonly CommandDeclaration[]) => [
  completion,
  completeOf(listCommands),
]
