import { spawn, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServedWorld } from '../client/client-world.ts'
import { bundledCommand } from '../world/bundled-command.ts'

type Shell = { start: string; settingsFile: string; settings(folder: string): string }

const prompt = 'READY> '

/** Shells, with the file that they read when they start, which makes them find the completion where users install it. */
export const shells: Record<string, Shell> = {
  bash: {
    start: 'bash --noprofile --rcfile "$HOME/.bashrc" -i',
    settingsFile: '.bashrc',
    settings: (folder) => `PS1='${prompt}'\nsource '${completionFile(folder, 'bash')}'\n`,
  },
  zsh: {
    start: 'zsh -d -i',
    settingsFile: '.zshrc',
    settings: (folder) =>
      `PS1='${prompt}'\nunsetopt promptsp\nfpath=('${folder}' $fpath)\nautoload -Uz compinit\ncompinit -u -D\n`,
  },
  fish: {
    start: 'fish -i',
    settingsFile: 'config/fish/config.fish',
    settings: (folder) =>
      `set fish_greeting\nfunction fish_prompt; echo -n '${prompt}'; end\nset -p fish_complete_path '${folder}'\n`,
  },
}

/** The file from which a shell loads the completion. */
export const completionFile = (folder: string, shell: string) =>
  join(folder, { zsh: '_muster', fish: 'muster.fish' }[shell] ?? 'completion.bash')

export const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0

/** Returns a function that types lines into a shell on a terminal, and returns the arguments that `muster` got each time. */
export async function prepareShells({ address, credentials, folder }: ServedWorld & { folder: string }) {
  const bundle = await bundledCommand()
  await mkdir(join(folder, 'bin'))
  const program = `#!/bin/sh
if [ "$1" = complete ]; then exec '${process.execPath}' '${bundle}' "$@"; fi
printf 'RAN:'; printf '[%s]' "$@"; echo
`
  await writeFile(join(folder, 'bin/muster'), program, { mode: 0o755 })
  await mkdir(join(folder, 'config/fish'), { recursive: true })
  // Without this folder, fish reads all manual pages in the background.
  await mkdir(join(folder, '.local/share/fish/generated_completions'), { recursive: true })
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    ZDOTDIR: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    TERM: 'dumb',
    MUSTER_URL: address,
    MUSTER_CLIENT_ID: credentials.clientId,
    MUSTER_CLIENT_SECRET: credentials.clientSecret,
  }
  return async (name: string, lines: readonly string[]): Promise<string[]> => {
    const { start, settingsFile, settings } = shells[name] as Shell
    await writeFile(join(folder, settingsFile), settings(folder))
    // script gives the shell a terminal, without which it completes nothing.
    const shell = spawn('script', ['-qfec', start, '/dev/null'], { env, stdio: 'pipe' })
    const received: string[] = []
    let screen = ''
    let isTyped = false
    for await (const part of shell.stdout) {
      screen += part
      const ran = /RAN:(\[.*?)\r?\n/.exec(screen)
      if (ran) {
        received.push(ran[1] ?? '')
        screen = screen.slice(ran.index + ran[0].length)
        isTyped = false
      }
      const line = lines[received.length]
      if (line === undefined) break
      if (isTyped || !screen.includes(prompt)) continue
      isTyped = true
      shell.stdin.write(`${line}\n`)
    }
    shell.kill('SIGKILL')
    return received
  }
}
