import { isForComputers, type PackageManifest } from './manifest.ts'
import type { ManifestCommand } from './manifest-commands.ts'
import { PackageFault } from './package-fault.ts'
import { type FoundFile, readFoundFile } from './package-folder.ts'
import { formatPath } from './paths.ts'

/** `call` and batch files need more percent signs or a caret, and lead to the same. */
const mention = /%\^?(MUSTER_(?:VAR|SECRET)_\w*)/i

/** The variable of a computer that a text mentions in the way of cmd, such as MUSTER_VAR_SITE for %MUSTER_VAR_SITE%. */
export const findMentionedVariable = (text: string) => mention.exec(text)?.[1]

/**
 * Why lines for cmd would run parts of a value as commands, as the end of a sentence about them; undefined if they would not.
 * cmd replaces %NAME% before it parses a line. Agents refuse such lines as well.
 */
export function findShellFault(lines: string): string | undefined {
  const name = findMentionedVariable(lines)
  if (name === undefined) return undefined
  return (
    `mentions %${name}%, and cmd would run what it finds in the value. Read the variable in a program instead: in PowerShell as ` +
    `$env:${name}, in a batch file as !${name}! after 'setlocal EnableDelayedExpansion'`
  )
}

/** All that cmd may read of a command. The first word of one may be cmd itself. */
export const toLines = ({ argv = [], shell = '' }: ManifestCommand) => [shell, ...argv].join('\n')

export const isForWindows = (operatingSystems: readonly string[]) =>
  operatingSystems.some((name) => /windows/i.test(name))

/** Batch files that people have written are much smaller. */
const maxBatchBytes = 4 * 1024 * 1024

/** Whether cmd would read the file line by line. */
export const isBatchFile = ({ path }: { path: string }) => /\.(bat|cmd)$/i.test(path)

/** The fault of a batch file, as the end of a sentence about it. What is too large to be read is one. */
export async function findBatchFileFault(size: number, read: () => Promise<Buffer>): Promise<string | undefined> {
  if (size > maxBatchBytes) return `is larger than ${maxBatchBytes} bytes, and so not checked for values of variables`
  // Whatever the encoding is: names of variables are ASCII.
  return findShellFault((await read()).toString('latin1'))
}

/** Throws a PackageFault if a batch file of a package for Windows has such lines. */
export async function requireSafeBatchFiles(
  folder: string,
  files: readonly FoundFile[],
  manifest: PackageManifest,
): Promise<void> {
  if (!isForComputers(manifest) || !isForWindows(manifest.operatingSystems)) return
  for (const file of files.filter(isBatchFile)) {
    const fault = await findBatchFileFault(file.size, () => readFoundFile(folder, file))
    if (fault) throw new PackageFault(`${formatPath(file.path)} ${fault}.`)
  }
}
