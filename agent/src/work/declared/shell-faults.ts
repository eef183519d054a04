import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Processes } from '../../platform/processes.ts'
import type { PackageFile, WorkDeclaration } from '../../protocol.ts'

/** Throws if a command for the shell, or a file of the package that the shell reads, would run parts of a value as commands. */
export async function requireNoShellFault(
  { findShellFault }: Pick<Processes, 'findShellFault'>,
  commands: WorkDeclaration['commands'],
  { folder, files }: { folder: string; files: readonly PackageFile[] },
): Promise<void> {
  if (!findShellFault) return
  for (const [name, command] of Object.entries(commands)) {
    // Words, too: the program may be the shell. A program that is removed gets its arguments in a line.
    const removal = name === 'uninstall' ? commands.uninstall?.program?.arguments : undefined
    const fault = findShellFault([command?.shell ?? '', ...(command?.argv ?? []), removal ?? ''].join('\n'))
    if (fault) throw new Error(`its command to ${name} ${fault}`)
  }
  for (const { path } of files.filter((file) => /\.(bat|cmd)$/i.test(file.path))) {
    // Whatever the encoding is: names of variables are ASCII.
    const fault = findShellFault(await readFile(join(folder, path), 'latin1'))
    if (fault) throw new Error(`its file ${path} ${fault}`)
  }
}
