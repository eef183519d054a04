import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { run } from './run.ts'

const template = join(import.meta.dirname, 'windows/muster-agent.wxs')

export type MsiContents = { executable: string; nativeModule: string; version: string }

/** Builds the installer of the agent for Windows, with wixl. */
export async function buildMsi(target: string, { executable, nativeModule, version }: MsiContents): Promise<void> {
  const source = `${target}.wxs`
  try {
    // wixl knows only paths that are relative to the folder of its source.
    const [program, module] = [executable, nativeModule].map((path) => relative(dirname(target), path))
    const values: Record<string, string | undefined> = {
      version,
      productCode: productCode(version),
      executable: program,
      nativeModule: module,
    }
    const text = await readFile(template, 'utf8')
    await writeFile(
      source,
      text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? ''),
    )
    await run('wixl', ['--arch', 'x64', '--output', target, source])
    await completeTables(target)
  } finally {
    await rm(source, { force: true })
  }
}

/** What wixl has no attributes for, or orders otherwise than it was asked for. */
async function completeTables(file: string): Promise<void> {
  const set = (table: string, column: string, value: string | number, key: string, row: string) =>
    `UPDATE \`${table}\` SET \`${column}\` = ${value} WHERE \`${key}\` = '${row}'`
  const queries = [
    set('Property', 'Value', `'${secureProperties}'`, 'Property', 'SecureCustomProperties'),
    set('CustomAction', 'Type', configureType, 'Action', 'Configure'),
    ...Object.entries(sequence).map(([action, number]) =>
      set('InstallExecuteSequence', 'Sequence', number, 'Action', action),
    ),
  ]
  for (const query of queries) await run('msibuild', [file, '-q', query])
}

/** Directly behind InstallInitialize, DeleteServices and InstallServices. */
const sequence = { RemoveExistingProducts: 1501, RemoveState: 2001, Configure: 5801 }

/** The properties that reach the part of an installation that runs as SYSTEM. */
const secureProperties = 'SERVER;TOKEN;CA;TRUSTKEY;OLDERVERSION;NEWERVERSION'

const configureType =
  // A program that is being installed,
  0x12 |
  // run with the rights of the installer,
  0x400 |
  0x800 |
  // whose arguments are not logged.
  0x2000

/** Each version is a product of its own, and the same version always the same one. */
function productCode(version: string): string {
  const hash = createHash('sha256').update(`muster-agent ${version} x64`).digest('hex')
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(hash)?.slice(1) ?? []
  return parts.join('-').toUpperCase()
}
