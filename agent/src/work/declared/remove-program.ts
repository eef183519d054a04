import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Detection, ListedProgram } from '../../platform/detection.ts'
import type { PackageUninstall } from '../../protocol.ts'
import type { ResolvedCommand } from './declaration.ts'
import { removalOptions } from './msi-commands.ts'
import { findPrograms, type ProgramQuery } from './programs.ts'

const pollMs = 500
const maxWaitMs = 120_000

/** The command that removes a program: the one that it has registered. */
export async function removalCommand(
  { listPrograms }: Detection,
  uninstall: PackageUninstall,
  folder: string,
): Promise<ResolvedCommand> {
  const { program, ...command } = uninstall
  if (!program) return command
  if (!listPrograms) throw new Error("'program' does not exist on this operating system")
  const [found] = findPrograms(await listPrograms(), program)
  if (!found) return { ...command, shell: 'echo The program is not installed.' }
  return { ...command, ...toRemoval(found, program.arguments ?? '', folder, command), removes: program }
}

const msiRemoval = /^"?(?:[^"]*\\)?msiexec(?:\.exe)?"?\s+\/[ix]\s*"?(\{[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}\})/i

function toRemoval(found: ListedProgram, silence: string, folder: string, command: ResolvedCommand) {
  const [, productCode] = msiRemoval.exec(found.uninstall) ?? msiRemoval.exec(found.quietUninstall) ?? []
  if (productCode !== undefined) {
    const { line, log, successCodes, rebootCodes } = removalOptions(productCode)
    return {
      installer: { line, shownLine: line, log: join(folder, log) },
      successCodes: [...new Set([...command.successCodes, ...successCodes])],
      rebootCodes: [...new Set([...command.rebootCodes, ...rebootCodes])],
    }
  }
  if (found.quietUninstall !== '') return { shell: withQuotedProgram(found.quietUninstall) }
  if (found.uninstall === '') throw new Error(`${found.name || found.id} has registered no command for its removal`)
  return { shell: `${withQuotedProgram(found.uninstall)} ${silence}`.trim() }
}

/** Programs register paths with spaces without quotation marks, which Windows tries out word by word. */
function withQuotedProgram(line: string): string {
  const text = line.trim()
  const [, program, rest = ''] = /^([^"].*?\.exe)(?=\s|$)(.*)$/is.exec(text) ?? []
  return program === undefined ? text : `"${program}"${rest}`
}

/** Uninstallers copy themselves and end at once: the program is removed when Windows no longer lists it. */
export async function waitUntilRemoved(
  { listPrograms }: Detection,
  program: ProgramQuery,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + maxWaitMs
  while (listPrograms && findPrograms(await listPrograms(), program).length > 0) {
    if (signal.aborted || Date.now() > deadline) return
    await sleep(pollMs, undefined, { signal }).catch(() => undefined)
  }
}
