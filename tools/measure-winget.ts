import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  convertedTypes,
  convertInstaller,
  convertWinget,
  readWingetManifest,
  WingetFault,
  type WingetInstaller,
  type WingetManifest,
} from '@muster/installers/winget'

/**
 * Converts all winget manifests below a folder, such as a clone of the public repository, and prints which share of them becomes
 * packages without a person, and the reasons of the rest: `node tools/measure-winget.ts FOLDER`.
 */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node tools/measure-winget.ts FOLDER')

type Tally = Map<string, number>
const count = (tally: Tally, key: string) => tally.set(key, (tally.get(key) ?? 0) + 1)

const totals: Tally = new Map()
const reasonsByType: Tally = new Map()
const detections: Tally = new Map()
const restOfManifests: Tally = new Map()
const faults: Tally = new Map()

for await (const files of listManifests(folder)) {
  count(totals, 'manifests')
  try {
    measure(readWingetManifest(files))
  } catch (error) {
    if (!(error instanceof WingetFault)) throw error
    count(totals, 'manifests that are not valid')
    count(faults, error.message.replaceAll(/'[^']*'/g, '…').slice(0, 120))
  }
}

function isMeasured({ type }: WingetInstaller): boolean {
  return convertedTypes.some((one) => one === type)
}

function measure(manifest: WingetManifest): void {
  const measured = manifest.installers.filter(isMeasured)
  for (const installer of measured) {
    const scope = installer.scope ?? 'no scope'
    const result = convertInstaller(manifest, installer)
    count(totals, `installers ${installer.type} ${scope}`)
    if (typeof result === 'string') count(reasonsByType, `${installer.type} ${scope}: ${result}`)
    else countDetection(installer, result.lines)
  }
  const scopes = ['machine', undefined].filter((scope) => measured.some((one) => one.scope === scope))
  for (const scope of scopes) {
    const population = `manifests with ${scope ?? 'no scope'}`
    count(totals, population)
    const own = { ...manifest, installers: measured.filter((one) => one.scope === scope) }
    const { packages, rest } = convertWinget(own)
    if (packages.length > 0) count(totals, `${population}, converted`)
    else count(restOfManifests, `${population}: ${rest[0]?.reason}`)
  }
}

function countDetection({ scope }: WingetInstaller, lines: readonly { property: string; value: unknown }[]): void {
  if (scope !== 'machine') return
  const found = lines.find(({ property }) => property === 'commands.detect.program')?.value as object | undefined
  count(
    detections,
    found === undefined
      ? 'MSI file'
      : 'id' in found
        ? 'product code'
        : 'publisher' in found
          ? 'name and publisher'
          : 'name',
  )
}

/** The manifests below a folder, one at a time: each is the files of one folder. */
async function* listManifests(root: string): AsyncGenerator<{ name: string; content: string }[]> {
  const pending = [root]
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const entries = await readdir(current, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.yaml')).map(({ name }) => name)
    for (const entry of entries) if (entry.isDirectory()) pending.push(join(current, entry.name))
    const parent = current
    if (names.length > 0)
      yield await Promise.all(
        names.map(async (name) => ({ name, content: await readFile(join(parent, name), 'utf8') })),
      )
  }
}

function print(title: string, tally: Tally): void {
  console.log(`\n${title}`)
  for (const [key, value] of [...tally].sort(([, a], [, b]) => b - a))
    console.log(`${String(value).padStart(8)}  ${key}`)
}

print('Totals', totals)
print('Manifests of which no installer was converted, by the reason of the best one', restOfManifests)
print('Installers that need a person, by type, scope and reason', reasonsByType)
print('How converted installers for the machine are detected', detections)
print('Files that are not a manifest', faults)
