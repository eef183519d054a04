import { linux } from '../../agent/src/platform/linux/index.ts'
import type { Platform } from '../../agent/src/platform/platform.ts'
import { expandVariables } from '../../agent/src/platform/windows/expand-variables.ts'
import { findShellFault } from '../../agent/src/platform/windows/shell-fault.ts'
import { resolveCommands } from '../../agent/src/work/declared/resolve-commands.ts'
import type { Fate } from './hostile-values.ts'

/** What the agent decides on Windows, without Windows. */
export const windows: Platform = {
  ...linux,
  name: 'Windows',
  processes: { ...linux.processes, findShellFault },
  detection: {
    ...linux.detection,
    expandVariables,
    readMsiFile: async () => ({ productCode: '{8D3A4F0C-5A0B-4B43-9C1E-0D1E5B6A7F21}', version: '1.0' }),
    msiProductVersion: async () => undefined,
  },
}

/** The line for msiexec that sets properties to values of variables, or why the work fails. */
export async function msiLineFor(values: Record<string, string>): Promise<{ line: string } | { refused: string }> {
  const names = Object.keys(values)
  const properties = Object.fromEntries(names.map((name) => [name, `%MUSTER_VAR_${name}%`]))
  const environment = Object.fromEntries(names.map((name) => [`MUSTER_VAR_${name}`, values[name]]))
  const msi = { file: 'x.msi', properties, timeLimitMinutes: 1 }
  const place = {
    kind: 'Install' as const,
    folder: '/folder',
    files: [],
    environment: { ...environment, PATH: 'C:\\x' },
  }
  const found = await resolveCommands(windows, { msi, commands: {} }, place)
  if (typeof found === 'string') return { refused: found }
  return { line: found.install?.installer?.line ?? '' }
}

/** A property by the rules of msiexec: everything up to the next quotation mark. */
export async function msiPropertyFor(value: string): Promise<Fate> {
  const found = await msiLineFor({ A: value, B: 'last' })
  if ('refused' in found) return found
  const [, arrived, rest] = /^\/i "x\.msi" A="([^"]*)"(.*)$/s.exec(found.line) ?? []
  if (rest !== ' B="last" /qn /norestart /l*v muster-msi.log') throw new Error(`The line goes on with ${rest}`)
  return { arrived: arrived ?? '' }
}
