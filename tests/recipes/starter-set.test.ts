import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPackageContent } from '../../server/src/features/deployments/started-work/package-content.ts'
import { parseDownloadHost } from '../../server/src/platform/downloads/download-hosts.ts'
import { openPackageWorld } from '../../server/test/packages/package-world.ts'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'
import { commandsIn } from '../command-line/muster-command.ts'
import { exampleRecipes, recipesFolder } from './example-recipes.ts'

const urls = exampleRecipes.flatMap(({ file }) => (file?.url === undefined ? [] : [new URL(file.url)]))
const packageHosts = [...new Set(urls.map(({ host }) => host))].map((host) => parseDownloadHost('hosts', host, false))
const world = await openPackageWorld({ minFreeDiskMegabytes: 0, packageHosts })
const { muster } = await commandsIn(world)

type Planned = { recipe: string; action: string; packageId: string; blockers: string[] }

const planOf = async (...args: string[]) =>
  JSON.parse((await muster('packages', 'recipes', 'plan', ...args, '-o', 'json')).out) as Planned[]

/** The recipes with a stand-in for each file: the real ones cannot be had here. */
async function withStandIns(): Promise<string> {
  const folder = await openTemporaryFolder()
  for (const { name, content, file } of exampleRecipes) {
    await mkdir(join(folder, dirname(name)), { recursive: true })
    const uploaded = file ? { ...content, file: { name: file.name } } : content
    await writeFile(join(folder, name), JSON.stringify(uploaded))
    if (file) await writeFile(join(folder, dirname(name), file.name), `stand-in for ${file.name}`)
  }
  return folder
}

test('nothing but a missing upload blocks a recipe of the starter set if the hosts of the vendors are listed', async () => {
  const planned = await planOf(recipesFolder)

  expect(planned).toHaveLength(exampleRecipes.length)
  for (const { recipe, action, blockers } of planned) {
    const isUpload = exampleRecipes.some(({ name, file }) => name === recipe && file && !file.url)
    expect(action, recipe).toBe('Add')
    expect(blockers, recipe).toEqual(isUpload ? [expect.stringContaining('is needed')] : [])
  }
})

test('every recipe becomes a package whose agent can install, find and remove it, and is the same afterwards', async () => {
  const folder = await withStandIns()

  const applied = await muster('packages', 'recipes', 'apply', folder)

  expect(applied).toMatchObject({ code: 0, out: `Applied: ${exampleRecipes.length} packages.\n` })
  const planned = await planOf(folder)
  expect(planned.map(({ action }) => action)).toEqual(exampleRecipes.map(() => 'None'))
  for (const { recipe, packageId } of planned) {
    const { declared, files } = await loadPackageContent(world.db, packageId)
    const { commands = {}, msi, source } = declared ?? {}
    const own = commands.install && commands.uninstall && commands.detect
    expect([msi, source, own].filter(Boolean), recipe).toHaveLength(1)
    if (commands.install) expect(files.map(({ path }) => path)).toContain(commands.install.argv?.[0])
  }
})

test('what a recipe requires is in the starter set, and for the same systems', () => {
  for (const { name, manifest } of exampleRecipes)
    for (const required of manifest.requires ?? []) {
      const found = exampleRecipes.find((one) => one.manifest.name === required)
      expect(found?.manifest.operatingSystems, `${name} requires ${required}`).toEqual(manifest.operatingSystems)
    }
})

test('a recipe with a hash says which manifest it was read from, and one without has no address', () => {
  for (const { name, text, file } of exampleRecipes)
    if (file)
      expect(/^# SHA-256 and switches: microsoft\/winget-pkgs, manifests\//m.test(text), name).toBe(
        file.sha256 !== undefined,
      )
  expect(urls.every(({ protocol }) => protocol === 'https:')).toBe(true)
})

test('the table of the starter set has a line for every recipe', async () => {
  const table = await readFile(join(recipesFolder, 'README.md'), 'utf8')

  const listed = [...table.matchAll(/^\| \[([^\]]+\.yaml)\]/gm)].map(([, name]) => name)
  expect(listed.toSorted()).toEqual(exampleRecipes.map(({ name }) => name))
})

const sourceNames = exampleRecipes.flatMap(({ manifest: { source } }) => source?.package ?? [])
const debianNames = sourceNames.flatMap((name) => (name.startsWith('deb:') ? [name.slice('deb:'.length)] : []))
const lists = spawnSync('apt-cache', ['policy'], { encoding: 'utf8' }).stdout ?? ''
/** Whether this machine runs Debian and has its lists of packages. */
const hasLists = /\bo=Debian\b/.test(lists)

describe.runIf(hasLists)(`the lists of Debian${hasLists ? '' : ': NOT RUN, this machine has none'}`, () => {
  test('every package that a recipe for Debian names exists', () => {
    const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
    const { stdout } = spawnSync('apt-cache', ['show', '--no-all-versions', ...debianNames], options)

    expect([...stdout.matchAll(/^Package: (.+)$/gm)].map(([, name]) => name).toSorted()).toEqual(debianNames.toSorted())
  })
})
