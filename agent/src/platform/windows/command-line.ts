import { accessSync, constants } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { requirePassable } from '../common/environment.ts'

/** Joins words so that programs split the line into the same words again, by the rules of CommandLineToArgvW. */
export function toCommandLine(words: readonly string[]): string {
  return words.map(quote).join(' ')
}

function quote(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word
  // A backslash has a meaning only before a quotation mark.
  return `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}

/** The line with which cmd runs another: with /s, it takes everything between the outer quotation marks as it is. */
export function toShellLine(line: string, environment: NodeJS.ProcessEnv): { program: string; words: string[] } {
  return { program: shellOf(environment), words: ['/d', '/s', '/c', `"${line}"`] }
}

function shellOf(environment: NodeJS.ProcessEnv): string {
  return environment.ComSpec ?? join(environment.SystemRoot ?? 'C:\\Windows', 'System32', 'cmd.exe')
}

/** The path of a program of Windows. No folder of a package or of a user is searched for it. */
export function systemProgram(name: string): string {
  return join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', `${name}.exe`)
}

/** Windows itself would search the current folder of the agent first. */
export function findProgram(name: string, folder: string, environment: NodeJS.ProcessEnv): string {
  if (/\.(bat|cmd)$/i.test(name)) throw new Error(`${name} is a batch file, which runs only as a line for the shell`)
  const isPath = /[\\/]/.test(name)
  const path = Object.entries(environment).find(([key]) => key.toLowerCase() === 'path')?.[1] ?? ''
  const folders = isPath ? [folder] : [folder, dirname(process.execPath), ...path.split(';').filter(Boolean)]
  const names = extname(name) === '' ? [`${name}.exe`, `${name}.com`] : [name, `${name}.exe`]
  const found = folders.flatMap((one) => names.map((file) => resolve(one, file))).find(isFile)
  if (!found) throw new Error(`there is no program ${name}`)
  return found
}

function isFile(path: string): boolean {
  try {
    accessSync(path, constants.F_OK)
    return true
  } catch {
    return false
  }
}

/** What Windows documents. */
const variableLimit = { max: 32_767, unit: 'characters', lengthOf: ({ length }: string) => length }

/** The variables in the form in which a process gets them: sorted by name, without regard to case. */
export function toEnvironmentBlock(environment: NodeJS.ProcessEnv): Buffer {
  requirePassable(environment, variableLimit)
  const entries = new Map<string, string>()
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined) entries.set(name.toUpperCase(), `${name}=${value}`)
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text)
  return Buffer.from(`${sorted.join('\0')}\0\0`, 'utf16le')
}
