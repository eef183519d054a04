import { createHash } from 'node:crypto'
import { readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { run as runHere } from './run.ts'

/** The tools convert times, which must not depend on who builds. */
const run = (program: string, args: string[]) => runHere(program, args, { env: { ...process.env, TZ: 'UTC' } })

const template = join(import.meta.dirname, 'windows/muster-agent.wxs')

export type MsiContents = { executable: string; nativeModule: string; version: string; builtAt: Date }

/** Builds the installer of the agent for Windows, with wixl. The same contents result in the same file. */
export async function buildMsi(target: string, contents: MsiContents): Promise<void> {
  const { executable, nativeModule, version, builtAt } = contents
  if (!/^\d{1,3}\.\d{1,3}\.\d{1,5}$/.test(version))
    throw new Error(`An MSI file cannot have the version ${version}: it must have three numbers.`)
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
    // The archive in the file contains these times.
    for (const file of [executable, nativeModule]) await utimes(file, builtAt, builtAt)
    await run('wixl', ['--arch', 'x64', '--output', target, source])
    await completeTables(target)
    await describe(target, await packageCode(contents, text), builtAt)
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
  await run('msibuild', [file, '-q', ...queries])
}

/** Directly behind InstallInitialize, StopServices, DeleteServices and InstallServices. */
const sequence = {
  RemoveExistingProducts: 1501,
  WaitForEnd: 1901,
  RemoveState: 2001,
  Configure: 5801,
  UseInstalledVersion: 5802,
}

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

/** wixl writes a random package code and the current time into the summary. */
async function describe(file: string, packageCode: string, builtAt: Date): Promise<void> {
  const summary = `${file}.idt`
  const time = builtAt.toISOString().replaceAll('-', '/').replace('T', ' ').slice(0, 19)
  try {
    const { stdout } = await run('msiinfo', ['export', file, '_SummaryInformation'])
    const fixed = stdout
      .replace(/^9\t.*?(\r?)$/m, `9\t${packageCode}$1`)
      .replaceAll(/^(1[23])\t.*?(\r?)$/gm, `$1\t${time}$2`)
    await writeFile(summary, fixed)
    await run('msibuild', [file, '-i', summary])
  } finally {
    await rm(summary, { force: true })
  }
}

/** Each version is a product of its own, and the same version always the same one. */
const productCode = (version: string) => guidOf(createHash('sha256').update(`muster-agent ${version} x64`))

/** Windows takes two files with the same package code for the same file. */
async function packageCode({ executable, nativeModule, version }: MsiContents, template: string): Promise<string> {
  const hash = createHash('sha256').update(version).update(template)
  for (const file of [executable, nativeModule]) hash.update(await readFile(file))
  return `{${guidOf(hash)}}`
}

function guidOf(hash: ReturnType<typeof createHash>): string {
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(hash.digest('hex'))?.slice(1) ?? []
  return parts.join('-').toUpperCase()
}
